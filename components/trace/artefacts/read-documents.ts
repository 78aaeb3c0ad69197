import { isJsonObject, type Json } from '@/harness/contract/json';
import { fieldOf, listAt, textAt, textsAt } from '@/harness/trace/views/layers/read';
import { conventionsAt, type PlanReading, type TagReading, tagsAt } from './read-plan';

const joined = (parts: readonly string[], separator = ' – '): string => parts.filter((part) => part.trim() !== '').join(separator);

export interface Clarification {
  question: string;
  /** Empty when there is none. */
  answer: string;
  outcome: string;
}

export const clarificationsOf = (value: Json): Clarification[] =>
  listAt(value, 'clarifications').map((entry) => ({
    question: textAt(entry, 'question'),
    answer: textAt(entry, 'answer'),
    outcome: textAt(entry, 'outcome'),
  }));

export interface ScopeReading {
  problem: Json;
  /** All seven headings in their order, also the empty ones: that nothing was found is part of a scope. */
  lists: { title: string; lines: string[] }[];
}

const scopeLists: readonly [key: string, title: string][] = [
  ['deliverables', 'Deliverables'],
  ['in_scope', 'In scope'],
  ['out_of_scope', 'Out of scope'],
  ['downstream_consumers', 'Downstream consumers'],
  ['assumptions', 'Assumptions'],
  ['success_criteria', 'Success criteria'],
  ['risks', 'Risks'],
];

export function scopeReading(value: Json): ScopeReading | null {
  if (!isJsonObject(value)) return null;
  const linesOf = (key: string): string[] =>
    key === 'assumptions'
      ? listAt(value, key).map((entry) => {
          const hint = textAt(entry, 'verify_hint');
          return joined([textAt(entry, 'assumption'), hint === '' ? '' : `verify: ${hint}`]);
        })
      : textsAt(value, key);
  return { problem: value.problem ?? '', lists: scopeLists.map(([key, title]) => ({ title, lines: linesOf(key) })) };
}

export interface FileRow {
  path: string;
  role: string;
  reason: string;
  sections: string;
  snippets: string[];
}

const fileRow = (entry: Json): FileRow => ({
  path: textAt(entry, 'file_path'),
  role: textAt(entry, 'role'),
  reason: textAt(entry, 'reason'),
  sections: textAt(entry, 'relevant_sections'),
  snippets: textsAt(entry, 'key_snippets'),
});

export interface FilesReading {
  files: FileRow[];
  missing: { name: string; reason: string; blocking: boolean }[];
  references: { dependency: string; version: string; url: string; patterns: string }[];
  assumptions: { assumption: string; status: string; evidence: string }[];
  /** Null while nobody looked at how the workspace tests. */
  testing: { facts: { name: string; value: string }[]; excerpt: string; coverage: string[] } | null;
  notes: Json;
}

const referencesAt = (value: Json, key: string): FilesReading['references'] =>
  listAt(value, key).map((entry) => ({
    dependency: textAt(entry, 'dependency'),
    version: textAt(entry, 'version'),
    url: textAt(entry, 'docs_url'),
    patterns: textAt(entry, 'confirmed_patterns'),
  }));

function testingOf(value: Json | undefined): FilesReading['testing'] {
  if (!isJsonObject(value)) return null;
  const facts: [string, string][] = [
    ['Framework', textAt(value, 'test_framework')],
    ['Directory', textAt(value, 'test_directory')],
    ['File pattern', textAt(value, 'test_file_pattern')],
    ['Regression files', textsAt(value, 'existing_regression_files').join(', ')],
    ['Notes', textAt(value, 'notes')],
  ];
  return {
    facts: facts.filter(([, text]) => text !== '').map(([name, text]) => ({ name, value: text })),
    excerpt: textAt(value, 'assertion_style_excerpt'),
    coverage: listAt(value, 'affected_files_existing_coverage').map((entry) =>
      joined([textAt(entry, 'source_file'), textsAt(entry, 'test_files').join(', ') || 'no tests', textAt(entry, 'coverage_notes')]),
    ),
  };
}

/** The file summary; while it is not written yet, what exploration has recorded so far. */
export function filesReading(summary: Json, observations: Json): FilesReading | null {
  if (!isJsonObject(summary)) {
    const seen = Array.isArray(observations) ? observations.map(fileRow) : [];
    return seen.length === 0 ? null : { files: seen, missing: [], references: [], assumptions: [], testing: null, notes: '' };
  }
  return {
    files: ['files_to_modify', 'files_to_create', 'files_read_for_context'].flatMap((key) => listAt(summary, key).map(fileRow)),
    missing: listAt(summary, 'missing_infrastructure').map((entry) => ({
      name: textAt(entry, 'name'),
      reason: textAt(entry, 'reason'),
      blocking: fieldOf(entry, 'blocking') === true,
    })),
    references: referencesAt(summary, 'verified_references'),
    assumptions: listAt(summary, 'assumptions_resolved').map((entry) => ({
      assumption: textAt(entry, 'assumption'),
      status: textAt(entry, 'status'),
      evidence: textAt(entry, 'evidence'),
    })),
    testing: testingOf(summary.testing_inventory),
    notes: summary.notes ?? '',
  };
}

export interface DesignReading {
  conventions: PlanReading['conventions'];
  designs: { path: string; decisions: string }[];
  missing: FilesReading['missing'];
  order: { path: string; after: string; reason: string }[];
  /** Gravest first. */
  risks: { risk: string; severity: string; mitigation: string }[];
  citations: FilesReading['references'];
  tags: TagReading[];
  notes: Json;
}

const gravity = ['high', 'medium', 'low'];
const rank = (severity: string): number => (gravity.includes(severity) ? gravity.indexOf(severity) : gravity.length);

export function designReading(value: Json): DesignReading | null {
  if (!isJsonObject(value)) return null;
  return {
    conventions: conventionsAt(value),
    designs: listAt(value, 'change_designs').map((row) => ({ path: textAt(row, 'file_path'), decisions: textAt(row, 'decisions') })),
    missing: listAt(value, 'missing_files').map((row) => ({
      name: textAt(row, 'file_path'),
      reason: textAt(row, 'purpose'),
      blocking: fieldOf(row, 'blocking') === true,
    })),
    order: listAt(value, 'dependency_order').map((row) => ({
      path: textAt(row, 'file_path'),
      after: textAt(row, 'depends_on'),
      reason: textAt(row, 'reason'),
    })),
    risks: listAt(value, 'critical_risks')
      .map((row) => ({ risk: textAt(row, 'risk'), severity: textAt(row, 'severity'), mitigation: textAt(row, 'mitigation') }))
      .sort((a, b) => rank(a.severity) - rank(b.severity)),
    citations: referencesAt(value, 'citations'),
    tags: tagsAt(value, 'core_functionality'),
    notes: value.notes ?? '',
  };
}
