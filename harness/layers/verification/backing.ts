import { z } from 'zod';
import type { TaskGraph } from '../planning/state';
import type { CheckName, CheckResult, Verification } from './state';
import type { BackedOutcome } from './verify';

/** What a command that checks the work answers, as far as a check is judged by it (layers.md D9). */
export const commandRunSchema = z.object({
  found: z.boolean(),
  command: z.string().nullable().default(null),
  reason: z.string().default(''),
  exitCode: z.number().nullable().default(null),
  timedOut: z.boolean().default(false),
  output: z.string().default(''),
  counts: z.object({ passed: z.number(), failed: z.number() }).nullable().default(null),
});
export type CommandRun = z.output<typeof commandRunSchema>;

export const skipped = (detail: string): BackedOutcome => ({ status: 'SKIPPED', detail });

/** A command decides by its exit code; one that was not found or could not run decides nothing and is never a pass. */
export function outcomeOfRun(run: CommandRun, evidenceIds: string[] = []): BackedOutcome {
  if (!run.found) return skipped(run.reason || 'no command found');
  if (run.timedOut) return { status: 'FAIL', detail: `${run.command ?? 'the command'} ran out of time`, evidenceIds };
  if (run.exitCode === null) return skipped(run.reason || `${run.command ?? 'the command'} did not end`);
  const { counts } = run;
  const counted =
    counts === null
      ? ''
      : counts.failed > 0
        ? `, ${counts.failed} of ${counts.passed + counts.failed} failed`
        : `, ${counts.passed} passed`;
  return { status: run.exitCode === 0 ? 'PASS' : 'FAIL', detail: `exit ${run.exitCode}${counted}`, evidenceIds };
}

export const judgementSchema = z.object({
  verdict: z.enum(['pass', 'fail', 'unclear']),
  reason: z.string().default(''),
  evidence_ids: z.array(z.string()).default([]),
});
export type Judgement = z.output<typeof judgementSchema>;

/** A judge is believed only as far as it cites evidence on record: a pass without any is not verified (D9). */
export function outcomeOfJudge(judgement: Judgement, known: ReadonlySet<string>): BackedOutcome {
  const evidenceIds = [...new Set(judgement.evidence_ids)].filter((id) => known.has(id));
  if (judgement.verdict === 'unclear') return skipped(`the judge could not tell: ${judgement.reason || 'no reason given'}`);
  if (judgement.verdict === 'pass' && evidenceIds.length === 0) return skipped('the judge cited no evidence on record');
  return { status: judgement.verdict === 'pass' ? 'PASS' : 'FAIL', detail: judgement.reason || `judged ${judgement.verdict}`, evidenceIds };
}

/** Checks that a command or a judge stands behind; the others only look for faults. */
const backedChecks: readonly CheckName[] = ['syntax', 'unit', 'integration', 'requirements', 'assumptions', 'goal_correctness'];

export const passedBacked = (verification: Pick<Verification, 'checks'>): CheckResult[] =>
  verification.checks.filter(({ check, status }) => status === 'PASS' && backedChecks.includes(check));

export type Standing = 'verified' | 'unverified' | 'failed';

/** How far a result may be called verified: only by a command or a judge that passed, with nothing failed and no task left open. */
export function standingOf(verification: Verification | null, graph: TaskGraph): Standing {
  if (verification?.has_critical_failure) return 'failed';
  const open = graph.tasks.some(({ status }) => status !== 'COMPLETE');
  return verification !== null && !open && passedBacked(verification).length > 0 ? 'verified' : 'unverified';
}
