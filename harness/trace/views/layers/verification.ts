import type { Json } from '../../../contract/json';
import { checkNames, checkTiers, checkTools } from '../../../layers/verification/state';
import type { CallSpan, VisitSpan } from '../spans';
import { eventAt, type TraceIndex } from '../trace-index';
import type { LayerPoint } from './history';
import { fieldOf, listAt, numberAt, textAt, textsAt } from './read';

export type CheckWord = 'PASS' | 'FAIL' | 'not verified';

export interface CheckReading {
  name: string;
  title: string;
  tier: string;
  /** What the check is made with. */
  tool: string;
  status: CheckWord;
  detail: string;
  evidenceIds: string[];
}

export interface VerificationReading {
  taskId: string;
  checks: CheckReading[];
  failed: number;
  verified: number;
  unverified: number;
  /** null where the risk did not ask for it. */
  adversarial: boolean | null;
}

const titles: Record<(typeof checkNames)[number], string> = {
  syntax: 'Syntax',
  unit: 'Unit tests',
  integration: 'Integration tests',
  consistency: 'Consistency',
  requirements: 'Requirements',
  assumptions: 'Assumptions',
  goal_correctness: 'Goal correctness',
  evidence_sufficiency: 'Evidence sufficiency',
  output_contract_partial: 'Output contract',
};

/** The nine checks in their order, also those a record lacks; a skipped check is not verified and counts as nothing else (D9). */
export function verificationReading(value: Json): VerificationReading | null {
  if (fieldOf(value, 'checks') === undefined) return null;
  const told = new Map(listAt(value, 'checks').map((check) => [textAt(check, 'check'), check]));
  const checks = checkNames.map((name): CheckReading => {
    const check = told.get(name);
    const status = textAt(check, 'status');
    return {
      name,
      title: titles[name],
      tier: textAt(check, 'tier') || checkTiers[name],
      tool: checkTools[name],
      status: status === 'PASS' || status === 'FAIL' ? status : 'not verified',
      detail: textAt(check, 'detail'),
      evidenceIds: textsAt(check, 'evidence_ids'),
    };
  });
  const count = (word: CheckWord): number => checks.filter(({ status }) => status === word).length;
  const adversarial = fieldOf(value, 'adversarial_passed');
  return {
    taskId: textAt(value, 'task_id'),
    checks,
    failed: count('FAIL'),
    verified: count('PASS'),
    unverified: count('not verified'),
    adversarial: typeof adversarial === 'boolean' ? adversarial : null,
  };
}

/** A verification and the visit that made it. */
export interface VerificationEntry {
  seq: number;
  visit: string | undefined;
  reading: VerificationReading;
}

export const verificationEntries = (points: readonly LayerPoint[]): VerificationEntry[] =>
  points.flatMap(({ seq, visit, value }) => {
    const reading = verificationReading(value);
    return reading === null ? [] : [{ seq, visit, reading }];
  });

/** A command that a check ran in the workspace. */
export interface CheckCommand {
  /** Seq at which the call began. */
  seq: number;
  command: string;
  found: boolean;
  reason: string;
  exitCode: number | null;
  timedOut: boolean;
  counts: { passed: number; failed: number } | null;
  /** Standing for itself or for a value that is kept apart. */
  output: Json;
  durationMs: number | null;
}

function commandOf(index: TraceIndex, call: CallSpan): { check: string; command: CheckCommand } | null {
  const start = eventAt(index, call.start.seq);
  const end = call.end === null ? undefined : eventAt(index, call.end.seq);
  if (start?.kind !== 'tool-start') return null;
  const outcome = end?.kind === 'tool-end' ? end.outcome : null;
  const result = fieldOf(outcome, 'output') ?? null;
  const counts = fieldOf(result, 'counts');
  return {
    check: textAt(start.input, 'kind'),
    command: {
      seq: call.start.seq,
      command: textAt(result, 'command') || textAt(start.input, 'command'),
      found: fieldOf(result, 'found') !== false,
      reason: textAt(result, 'reason') || textAt(outcome, 'message'),
      exitCode: numberAt(result, 'exitCode'),
      timedOut: fieldOf(result, 'timedOut') === true,
      counts:
        counts === undefined || counts === null
          ? null
          : { passed: numberAt(counts, 'passed') ?? 0, failed: numberAt(counts, 'failed') ?? 0 },
      output: fieldOf(result, 'output') ?? '',
      durationMs: call.durationMs,
    },
  };
}

/** The commands that a verification ran, by check. */
export function checkCommands(index: TraceIndex, visit: VisitSpan | undefined): Map<string, CheckCommand> {
  const found = new Map<string, CheckCommand>();
  for (const call of visit?.calls ?? []) {
    if (call.kind !== 'tool' || call.name !== 'run_check') continue;
    const read = commandOf(index, call);
    if (read !== null) found.set(read.check, read.command);
  }
  return found;
}
