import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import { summariseResults, type ValidationResults, type ValidationStep } from '@/harness/planning/artefacts/results';
import type { PostValidationConfig, ValidationCommand, ValidationPlan } from '@/harness/planning/post-validation/plan';
import { type FinishedCommand, resultMap, summaryDecision } from '@/harness/planning/post-validation/results';
import { canUse } from './read-back';
import { type CommandRun, runCommand, tellResult } from './run-command';

/** The tool each step runs by: what it may do to files decides. */
export const validationTools: Readonly<Record<ValidationStep, string>> = {
  format: 'format_code',
  lint_fix: 'format_code',
  lint: 'run_lint',
  test: 'run_tests',
};

export const timeoutField = z.int().min(1).max(1800).default(60).meta({
  title: 'Longest a command may run, seconds',
  description: 'One that takes longer is stopped and has failed. An attached guard may allow less.',
});

type Context = Pick<ExecuteContext, 'tool' | 'tools' | 'decide' | 'log'>;

export interface Validated {
  results: ValidationResults;
  /** Files that formatting and repairing lint changed. */
  paths: string[];
}

/**
 * Steps 2 and 3 of planning.md §15: what changes files runs one after another, then lint and test side by side. A failure stops nothing. A step
 * whose tool is not granted did not run, and so counts neither as passed nor as failed.
 */
export async function validate(
  context: Context,
  plan: Extract<ValidationPlan, { run: true }>,
  config: PostValidationConfig & { timeoutSeconds: number },
): Promise<Validated> {
  const usable = (commands: readonly ValidationCommand[]): ValidationCommand[] =>
    commands.filter(({ step }) => {
      const tool = validationTools[step];
      if (canUse(context, tool)) return true;
      context.decide({
        rule: `post-validation: ${step}`,
        outcome: 'skipped',
        because: [{ name: 'tool', value: tool, operator: 'is', threshold: 'granted', holds: false }],
      });
      return false;
    });
  const perform = ({ step, command }: ValidationCommand): Promise<CommandRun> =>
    runCommand(context, { tool: validationTools[step], command, timeoutSeconds: config.timeoutSeconds });
  const done: { step: ValidationStep; run: CommandRun }[] = [];
  for (const command of usable(plan.sequential)) done.push({ step: command.step, run: await perform(command) });
  const parallel = usable(plan.parallel);
  const runs = await Promise.all(parallel.map(perform));
  for (const [at, { step }] of parallel.entries()) {
    const run = runs[at];
    if (run) done.push({ step, run });
  }
  for (const { step, run } of done) tellResult(context, { tool: validationTools[step], run });
  const results = resultMap(done.map(finished), config);
  context.decide({ ...summaryDecision(results), note: summariseResults(results) });
  return { results, paths: [...new Set(done.flatMap(({ run }) => run.paths))] };
}

const finished = ({ step, run }: { step: ValidationStep; run: CommandRun }): FinishedCommand => ({
  step,
  success: run.success,
  full_output: run.output,
  command: run.command,
  exit_code: run.exit_code,
});
