import { isJsonObject, type Json } from '@/harness/contract/json';
import { fieldOf, listAt, numberAt, textAt, textsAt } from '@/harness/trace/views/layers/read';

export interface StepOutcome {
  number: number;
  status: string;
  tool: string;
  path: string;
  description: string;
  summary: Json;
  changed: string[];
  failures: string[];
}

/** Results of steps by their number. */
export const stepOutcomes = (value: Json): StepOutcome[] =>
  (Array.isArray(value) ? value : [])
    .map((row) => ({
      number: numberAt(row, 'step_number') ?? 0,
      status: textAt(row, 'status'),
      tool: textAt(row, 'tool'),
      path: textAt(row, 'file_path'),
      description: textAt(row, 'description'),
      summary: fieldOf(row, 'summary') ?? '',
      changed: textsAt(row, 'changed_files'),
      failures: textsAt(row, 'failure_reasons'),
    }))
    .sort((a, b) => a.number - b.number);

const commands = [
  ['format', 'Format'],
  ['lint_fix', 'Lint with fixes'],
  ['lint', 'Lint'],
  ['test', 'Tests'],
] as const;

export interface CommandResult {
  id: string;
  title: string;
  command: string;
  /** Null: it did not run, which is neither passed nor failed. */
  success: boolean | null;
  exit: number | null;
  /** The whole output where it was kept, else what results carry. */
  output: Json;
}

/** The four commands in the order in which they run: what is known of each, and what each came to. */
export function commandResults(commandSet: Json, results: Json): CommandResult[] {
  return commands.map(([id, title]) => {
    const result = fieldOf(results, id);
    const success = fieldOf(result, 'success');
    const whole = fieldOf(result, 'full_output');
    return {
      id,
      title,
      command: textAt(result, 'command') || textAt(commandSet, id),
      success: typeof success === 'boolean' ? success : null,
      exit: numberAt(result, 'exit_code'),
      output: whole === undefined || whole === '' ? (fieldOf(result, 'output') ?? '') : whole,
    };
  });
}

/** `1 of 2 passed, failed: lint`; commands that did not run do not count. */
export function resultsLine(results: readonly CommandResult[]): string {
  const ran = results.filter(({ success }) => success !== null);
  if (ran.length === 0) return 'nothing ran';
  const failed = ran.filter(({ success }) => success === false).map(({ title }) => title.toLowerCase());
  return `${ran.length - failed.length} of ${ran.length} passed${failed.length === 0 ? '' : `, failed: ${failed.join(', ')}`}`;
}

export interface Attempt {
  number: number;
  failing: string[];
  diagnosis: Json;
  output: Json;
  calls: string[];
  succeeded: boolean;
  before: number;
  after: number;
  regression: boolean;
}

export const attemptsOf = (value: Json): Attempt[] =>
  (Array.isArray(value) ? value : []).map((row) => ({
    number: numberAt(row, 'attempt') ?? 0,
    failing: textsAt(row, 'failing_commands').map((id) => commands.find(([key]) => key === id)?.[1].toLowerCase() ?? id),
    diagnosis: fieldOf(row, 'diagnosis') ?? '',
    output: fieldOf(row, 'error_output') ?? '',
    calls: textsAt(row, 'fix_tool_calls'),
    succeeded: fieldOf(row, 'succeeded') === true,
    before: numberAt(row, 'failures_before') ?? 0,
    after: numberAt(row, 'failures_after') ?? 0,
    regression: fieldOf(row, 'regression_failure') === true,
  }));

export interface TddReading {
  state: string;
  halt: string;
  targeted: { step: number; command: string }[];
  problem: string;
}

const words = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

/** Null for what is no state of the machine. */
export function tddReading(value: Json): TddReading | null {
  if (!isJsonObject(value)) return null;
  return {
    state: words(textAt(value, 'state')),
    halt: words(textAt(value, 'halt')),
    targeted: listAt(value, 'targeted').map((row) => ({ step: numberAt(row, 'step_number') ?? 0, command: textAt(row, 'command') })),
    problem: textAt(value, 'problem'),
  };
}

export interface MemoryReading {
  id: string;
  content: string;
  category: string;
  status: string;
  confidence: number | null;
  seen: number;
}

const memoryStatus: Readonly<Record<string, string>> = {
  auto: 'noticed',
  high_confidence_auto: 'noticed often',
  user_confirmed: 'confirmed',
  user_rejected: 'rejected',
  superseded: 'superseded',
};

/** Rows a model may be shown come first. */
export const memoriesOf = (value: Json): MemoryReading[] =>
  (Array.isArray(value) ? value : [])
    .map((row) => {
      const status = textAt(row, 'curation_status');
      return {
        id: textAt(row, 'id'),
        content: textAt(row, 'content'),
        category: words(textAt(row, 'category')),
        status: memoryStatus[status] ?? status,
        confidence: numberAt(row, 'confidence'),
        seen: numberAt(row, 'seen_count') ?? 1,
      };
    })
    .sort((a, b) => Number(isUsed(b.status)) - Number(isUsed(a.status)));

/** Whether memories of that status are shown to a model. */
export const isUsed = (status: string): boolean => status === 'confirmed' || status === 'noticed often';
