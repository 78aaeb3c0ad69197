import { implementNode } from '@/harness/contract/execute';
import { compared, fact } from '@/harness/layers/shared/explain';
import { uniquePaths } from '@/harness/planning/artefacts/paths';
import type { CommandSet, ValidationResults } from '@/harness/planning/artefacts/results';
import { failedSteps } from '@/harness/planning/artefacts/results';
import { memoryConfigSchema } from '@/harness/planning/memory/row';
import { attemptRow, nextAttempt, repairable, type ValidationAttempt } from '@/harness/planning/post-validation/attempts';
import { firstErrorLine } from '@/harness/planning/post-validation/failures';
import { planValidation } from '@/harness/planning/post-validation/plan';
import { closingText } from '@/harness/planning/post-validation/results';
import { WorkNotes } from '../support/notes';
import { planningState, planningWrites } from '../support/state';
import { type Suggestion, takeInAll } from '../support/take-in';
import { validate } from '../support/validation';
import { workspaceCommands } from '../support/workspace-commands';
import { attemptRepair, type FixContext, repairConfig } from './attempt';
import { fixLoopNode } from './node';

export const executeFixLoop = implementNode(fixLoopNode, async (context) => {
  const state = planningState(context);
  const notes = new WorkNotes(context, state);
  const work: Work = { results: state.validationResults ?? {}, attempts: [], paths: [], suggestions: [] };
  // stored, so that settings changed during the run do not change who made the last attempt
  const expert = await context.once('expert', () => context.hasOwnModel('expert'));
  const first = nextAttempt(work.results, 0, expert, repairConfig(context));
  const commands = first.go ? await workspaceCommands(context) : null;
  for (let next = first; ; next = nextAttempt(work.results, work.attempts.length, expert, repairConfig(context))) {
    context.decide(next.decision);
    if (!next.go || commands === null) break;
    if (next.role === 'expert') tellEscalation(context, next.attempt);
    const before = work.results;
    const done = await attemptRepair(context, { next, before, commands, notes });
    const again = await validateAgain(context, commands);
    work.results = again.results;
    work.paths.push(...done.paths, ...again.paths);
    const row = attemptRow(
      { attempt: next.attempt, before, after: work.results, ...done, regression_pattern: context.config.regressionPattern },
      repairConfig(context),
    );
    tellAttempt(context, row);
    work.attempts.push(row);
    if (row.succeeded) work.suggestions.push(fixPattern(row, before, context));
  }
  return finish(context, work, notes);
});

interface Work {
  results: ValidationResults;
  attempts: ValidationAttempt[];
  paths: string[];
  suggestions: Suggestion[];
}

/** The whole of steps 2 and 3 again, whatever failed before. */
async function validateAgain(context: FixContext, commands: CommandSet): Promise<{ results: ValidationResults; paths: string[] }> {
  const config = repairConfig(context);
  const plan = planValidation(commands, 1, config);
  if (plan.run) return validate(context, plan, config);
  context.decide(plan.decision);
  // What failed and can no longer be run has not been shown to pass.
  return { results: planningState(context).validationResults ?? {}, paths: [] };
}

function tellEscalation(context: FixContext, attempt: number): void {
  context.decide({
    rule: 'fix loop: escalated',
    outcome: 'expert',
    because: [compared('attempt', attempt, '==', context.config.retries)],
    alternatives: [{ outcome: 'primary', needs: 'attempts left after this one, or no model of its own for the expert' }],
  });
}

/** `validation_attempt` of planning.md §15, 6. */
function tellAttempt(context: FixContext, row: ValidationAttempt): void {
  context.decide({
    rule: 'validation_attempt',
    outcome: row.succeeded ? 'succeeded' : 'failed',
    because: [
      fact('attempt', row.attempt),
      fact('failing commands', row.failing_commands),
      compared('failures after', row.failures_after, '==', 0),
      fact('failures before', row.failures_before),
      fact('regression_failure', row.regression_failure),
      fact('changes', row.fix_tool_calls),
    ],
    ...(row.diagnosis === '' ? {} : { note: row.diagnosis.slice(0, 1000) }),
  });
}

/** What the next repair of the same failure should know. */
function fixPattern(row: ValidationAttempt, before: ValidationResults, { node }: FixContext): Suggestion {
  const errors = repairable(before).map((step) => firstErrorLine(before[step]?.full_output ?? ''));
  const error = errors.find((line) => line !== '') ?? '';
  const cause = row.diagnosis === '' ? `Repaired by ${row.fix_tool_calls.join(', ') || 'running it again'}.` : row.diagnosis.slice(0, 400);
  return {
    content: `${row.failing_commands.join(' and ')} failed${error === '' ? '' : ` with “${error.slice(0, 200)}”`}. ${cause}`,
    category: 'fix_pattern',
    tags: row.failing_commands,
    source_phase: node.label,
  };
}

async function finish(context: FixContext, work: Work, notes: WorkNotes) {
  const { config } = context;
  const failed = failedSteps(work.results);
  const remaining = repairable(work.results, repairConfig(context));
  const resolved = remaining.length === 0;
  const memories =
    config.remember && work.suggestions.length > 0
      ? takeInAll(context, {
          rows: planningState(context).workspaceMemories,
          suggestions: work.suggestions,
          now: await context.now(),
          config: { ...memoryConfigSchema.parse({ ...config }), retentionDays: config.retentionDays },
        })
      : [];
  const paths = uniquePaths(work.paths);
  return {
    port: resolved ? 'resolved' : 'remaining',
    output: {
      status: resolved ? ('resolved' as const) : ('remaining' as const),
      summary: closingText(work.results, work.attempts.length),
      failed,
      attempts: work.attempts.map((row) => ({ ...row })),
      results: Object.fromEntries(Object.entries(work.results).map(([step, result]) => [step, { ...result }])),
    },
    writes: planningWrites({
      ...notes.writes(),
      validationResults: work.attempts.length === 0 ? undefined : work.results,
      validationAttempts: work.attempts.length === 0 ? undefined : work.attempts,
      modifiedFiles: paths.length === 0 ? undefined : paths,
      workspaceMemories: memories.length === 0 ? undefined : memories,
    }),
  };
}
