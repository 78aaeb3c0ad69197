import { isJsonObject, type Json } from '@/harness/contract/json';
import { fieldOf, listAt, numberAt, textAt, textOf, textsAt } from '@/harness/trace/views/layers/read';

/*
 * Plans as the trace and the approval card show them. Texts that may be long stay JSON: a log may keep them apart, and they are fetched where
 * they are drawn.
 */

export interface TagReading {
  entity: string;
  path: string;
  reason: string;
  signal: string;
  confidence: string;
}

export interface StepReading {
  number: number;
  tool: string;
  path: string;
  instruction: Json;
  reason: Json;
  context: Json;
  checks: string[];
  mayChange: string[];
  mustNotChange: string[];
}

export interface PlanReading {
  summary: Json;
  scope: Json;
  warnings: string[];
  tests: StepReading[];
  steps: StepReading[];
  files: string[];
  strategy: Json;
  tags: TagReading[];
  /** Rows of the name registry: what an entity is called, and where. */
  names: { entity: string; parts: { name: string; value: string }[] }[];
  conventions: { category: string; pattern: string; source: string }[];
}

export const tagsAt = (value: Json | undefined, key: string): TagReading[] =>
  listAt(value, key).map((tag) => ({
    entity: textAt(tag, 'entity'),
    path: textAt(tag, 'file_path'),
    reason: textAt(tag, 'reason'),
    signal: textAt(tag, 'source_signal').replaceAll('_', ' '),
    confidence: textAt(tag, 'confidence'),
  }));

const checkLine = (check: Json): string => {
  const command = textAt(check, 'command');
  const expected = textAt(check, 'expected');
  return [textAt(check, 'description'), command === '' ? '' : `\`${command}\``, expected === '' ? '' : `expected: ${expected}`]
    .filter((part) => part !== '')
    .join(' – ');
};

function stepOf(step: Json): StepReading {
  const contract = fieldOf(step, 'contract');
  return {
    number: numberAt(step, 'step_number') ?? 0,
    tool: textAt(step, 'tool'),
    path: textAt(step, 'file_path'),
    instruction: fieldOf(step, 'instruction') ?? '',
    reason: fieldOf(step, 'reason') ?? '',
    context: fieldOf(step, 'context') ?? '',
    checks: listAt(contract, 'success_checks')
      .map(checkLine)
      .filter((line) => line !== ''),
    mayChange: listAt(contract, 'may_change').map((part) =>
      [textAt(part, 'path'), textAt(part, 'change')].filter((word) => word !== '').join(': '),
    ),
    mustNotChange: textsAt(contract, 'must_not_change'),
  };
}

const stepsAt = (value: Json | undefined, key: string): StepReading[] => listAt(value, key).map(stepOf);

const nameParts: readonly [key: string, title: string][] = [
  ['model_class', 'class'],
  ['module_namespace', 'module'],
  ['import_stmt', 'import'],
  ['db_table', 'table'],
  ['file_path', 'file'],
  ['route_endpoint', 'route'],
  ['test_file', 'test'],
];

export const conventionsAt = (value: Json): PlanReading['conventions'] =>
  listAt(value, 'naming_conventions').map((row) => ({
    category: textAt(row, 'category').replaceAll('_', ' '),
    pattern: textAt(row, 'pattern'),
    source: textAt(row, 'source_file'),
  }));

/** An execution plan as it stands in its channel or on an approval; null for anything else. */
export function planReading(value: Json | undefined): PlanReading | null {
  if (!isJsonObject(value) || !Array.isArray(value.steps)) return null;
  return {
    summary: value.user_summary ?? '',
    scope: value.scope ?? '',
    warnings: textsAt(value, 'plan_validation_warnings'),
    tests: stepsAt(value, 'tdd_test_steps'),
    steps: stepsAt(value, 'steps'),
    files: textsAt(value, 'affected_files'),
    strategy: value.test_strategy ?? '',
    tags: tagsAt(value, 'core_functionality'),
    names: listAt(value, 'name_registry').map((row) => ({
      entity: textAt(row, 'entity'),
      parts: [
        ...nameParts.map(([key, name]) => ({ name, value: textAt(row, key) })),
        { name: 'registered in', value: textsAt(row, 'registered_in').join(', ') },
      ].filter((part) => part.value !== ''),
    })),
    conventions: conventionsAt(value),
  };
}

/** What makes a step the same one in a plan that was numbered anew. */
export const stepKey = ({ tool, path, instruction }: Pick<StepReading, 'tool' | 'path' | 'instruction'>): string =>
  JSON.stringify([tool, path, textOf(instruction)]);

/**
 * Steps that were added for verification: those in a plan that a verification node wrote which were not in the plan before it. `adds` says
 * whether a visit is one of such a node.
 */
export function verificationSteps(
  points: readonly { visit: string | undefined; value: Json }[],
  adds: (visit: string | undefined) => boolean,
): ReadonlySet<string> {
  const added = new Set<string>();
  let before = new Set<string>();
  for (const { visit, value } of points) {
    const plan = planReading(value);
    const keys = (plan === null ? [] : [...plan.tests, ...plan.steps]).map(stepKey);
    if (adds(visit)) for (const key of keys) if (!before.has(key)) added.add(key);
    before = new Set(keys);
  }
  return added;
}

/** A plan that is put before a person for approval. */
export interface ShownPlan {
  plan: PlanReading;
  warnings: string[];
  tags: TagReading[];
  tests: StepReading[];
  revision: number | null;
  mostRevisions: number | null;
}

/** The plan within what an ask shows; null when it shows something else. */
export function shownPlan(shown: Json | undefined): ShownPlan | null {
  const plan = planReading(fieldOf(shown, 'plan_object'));
  if (plan === null) return null;
  const warnings = textsAt(shown, 'warnings');
  const [tags, tests] = [tagsAt(shown, 'core_functionality'), stepsAt(shown, 'tdd_preview')];
  return {
    plan,
    warnings: warnings.length > 0 ? warnings : plan.warnings,
    tags: tags.length > 0 ? tags : plan.tags,
    tests: tests.length > 0 ? tests : plan.tests,
    revision: numberAt(shown, 'revision'),
    mostRevisions: numberAt(shown, 'max_revisions'),
  };
}
