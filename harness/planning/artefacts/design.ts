import { z } from 'zod';
import { verifiedReferenceSchema } from './file-summary';
import { bullet, document, joined, listSection, table, textSection } from './markdown';

export const namingConventionSchema = z.object({
  category: z.enum(['variables', 'functions', 'classes', 'files', 'routes', 'db_table', 'db_column', 'imports']),
  pattern: z.string(),
  source_file: z.string(),
});
export type NamingConvention = z.output<typeof namingConventionSchema>;

export const missingFileSchema = z.object({
  file_path: z.string(),
  purpose: z.string(),
  blocking: z.boolean().default(false).describe('The change cannot work without this file.'),
});
export type MissingFile = z.output<typeof missingFileSchema>;

export const criticalRiskSchema = z.object({ risk: z.string(), severity: z.enum(['low', 'medium', 'high']), mitigation: z.string() });
export type CriticalRisk = z.output<typeof criticalRiskSchema>;

export const tagConfidenceSchema = z.enum(['high', 'medium', 'low']);
export type TagConfidence = z.output<typeof tagConfidenceSchema>;

/** Behaviour that must not break (planning.md §7). `user_designated` is added in approval only; in doubt the confidence is low. */
export const coreFunctionalityTagSchema = z.object({
  entity: z.string(),
  file_path: z.string(),
  reason: z.string(),
  source_signal: z.enum(['phase1_deliverable', 'critical_risk_adjacent', 'public_api', 'downstream_consumer', 'user_designated']),
  confidence: tagConfidenceSchema.default('medium'),
});
export type CoreFunctionalityTag = z.output<typeof coreFunctionalityTagSchema>;

/** What phase 3 decided (planning.md §7). */
export const designAndRisksSchema = z.object({
  naming_conventions: z.array(namingConventionSchema).default([]),
  change_designs: z
    .array(z.object({ file_path: z.string(), decisions: z.string() }))
    .default([])
    .describe('Non-obvious files only.'),
  missing_files: z.array(missingFileSchema).default([]),
  dependency_order: z.array(z.object({ file_path: z.string(), depends_on: z.string(), reason: z.string() })).default([]),
  critical_risks: z.array(criticalRiskSchema).default([]),
  citations: z.array(verifiedReferenceSchema).default([]),
  core_functionality: z.array(coreFunctionalityTagSchema).default([]),
  notes: z.string().default(''),
});
export type DesignAndRisks = z.output<typeof designAndRisksSchema>;

/** The design of a phase 3 whose structured call failed: everything empty, the prose in `notes`. */
export const designFromProse = (prose: string): DesignAndRisks => designAndRisksSchema.parse({ notes: prose });

/** The same design with each cited page once, the first citation winning. Citations without an address are kept. */
export function dedupeCitations(design: DesignAndRisks): DesignAndRisks {
  const seen = new Set<string>();
  const citations = design.citations.filter(({ docs_url }) => {
    const url = docs_url.trim();
    if (url === '') return true;
    const isNew = !seen.has(url);
    seen.add(url);
    return isNew;
  });
  return { ...design, citations };
}

export const renderNamingTable = (conventions: readonly NamingConvention[]): string =>
  table(
    ['Category', 'Pattern', 'Seen in'],
    conventions.map(({ category, pattern, source_file }) => [category, pattern, source_file]),
  );

export const describeTag = ({ entity, file_path, confidence, source_signal, reason }: CoreFunctionalityTag): string =>
  joined([`${entity} (\`${file_path}\`, ${confidence}, ${source_signal})`, reason]);

export const describeMissingFile = ({ file_path, purpose, blocking }: MissingFile): string =>
  `${joined([`\`${file_path}\``, purpose])}${blocking ? ' [BLOCKING]' : ''}`;

export const renderDesignAndRisks = (design: DesignAndRisks): string =>
  document('Design and risks', [
    textSection('Naming conventions', renderNamingTable(design.naming_conventions)),
    textSection(
      'Change designs',
      design.change_designs.map(({ file_path, decisions }) => bullet(joined([`\`${file_path}\``, decisions]))).join('\n'),
    ),
    listSection('Missing files', design.missing_files.map(describeMissingFile)),
    listSection(
      'Dependency order',
      design.dependency_order.map(({ file_path, depends_on, reason }) => joined([`\`${file_path}\` after \`${depends_on}\``, reason])),
    ),
    listSection(
      'Critical risks',
      design.critical_risks.map(({ risk, severity, mitigation }) => joined([`[${severity}] ${risk}`, mitigation])),
    ),
    listSection(
      'Citations',
      design.citations.map(({ dependency, docs_url, version, confirmed_patterns }) =>
        joined([joined([dependency, version], ' '), docs_url, confirmed_patterns]),
      ),
    ),
    listSection('Core functionality', design.core_functionality.map(describeTag)),
    textSection('Notes', design.notes),
  ]);
