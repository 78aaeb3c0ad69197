import { uniquePaths } from '@/harness/planning/artefacts/paths';
import { failedSteps, summariseResults } from '@/harness/planning/artefacts/results';
import { closingText } from '@/harness/planning/post-validation/results';
import type { PlanningChannels } from '../support/state';

/** What a run of the pipeline came to, by its records alone. */
export interface Report {
  status: 'completed' | 'halted' | 'cancelled';
  files_modified: string[];
  validation_passed: boolean | null;
  steps: { completed: number; total: number };
  summary: string;
  /** Markdown for a person. */
  text: string;
}

const ended: Readonly<Record<Report['status'], string>> = {
  completed: 'The plan was carried out.',
  halted: 'The plan was not carried out to its end.',
  cancelled: 'The plan was not approved, and no file was changed.',
};

/** Without a plan only the checks can say that the work is done. */
const withoutPlan = (passed: boolean | null): string =>
  passed === null ? 'The work has ended.' : passed ? 'The work is done.' : 'The work has ended, and checks still fail.';

export function reportOf(state: PlanningChannels): Report {
  const files = uniquePaths(state.modifiedFiles);
  const results = state.validationResults;
  const ran = results === null ? 0 : Object.keys(results).length;
  const validation_passed = results === null || ran === 0 ? null : failedSteps(results).length === 0;
  const steps = stepsOf(state);
  const status = statusOf(state, steps);
  const validated = results === null || ran === 0 ? 'Nothing was validated.' : closingText(results, state.validationAttempts.length);
  const lines = [
    state.executionPlan === null && status === 'completed' ? withoutPlan(validation_passed) : ended[status],
    ...(steps.total === 0 ? [] : [`${steps.completed} of ${steps.total} steps completed.`]),
    ...(status === 'cancelled' ? [] : [validated]),
  ];
  const summary = lines.join(' ');
  return { status, files_modified: files, validation_passed, steps, summary, text: textOf(state, { summary, files, status }) };
}

function stepsOf({ executionPlan, stepResults }: PlanningChannels): Report['steps'] {
  const steps = executionPlan === null ? [] : [...executionPlan.tdd_test_steps, ...executionPlan.steps];
  const completed = new Set(stepResults.filter(({ status }) => status === 'completed').map(({ step_number }) => step_number));
  return { completed: steps.filter(({ step_number }) => completed.has(step_number)).length, total: steps.length };
}

function statusOf({ approvalState, tddState, stepResults, modifiedFiles }: PlanningChannels, steps: Report['steps']): Report['status'] {
  const refused = ['CANCELLED', 'EXHAUSTED'].includes(approvalState.status);
  if (refused && modifiedFiles.length === 0) return 'cancelled';
  const failed = stepResults.some(({ status }) => status === 'failed');
  return failed || tddState.state === 'HALTED' || steps.completed < steps.total ? 'halted' : 'completed';
}

function textOf(
  { executionPlan, stepResults, tddState, validationResults }: PlanningChannels,
  { summary, files, status }: { summary: string; files: readonly string[]; status: Report['status'] },
): string {
  const scope = executionPlan?.user_summary.trim() || (executionPlan?.scope.trim() ?? '');
  const failures = stepResults
    .filter((row) => row.status === 'failed')
    .map((row) => `- Step ${row.step_number} (${row.description}): ${row.failure_reasons.join('; ')}`);
  const halt = tddState.halt === null ? [] : [`Tests first halted: ${tddState.problem || tddState.halt.replaceAll('_', ' ')}`];
  const results = validationResults ?? {};
  const checks = failedSteps(results).map(
    (step) => `- ${step}: ${results[step]?.command ?? ''} ended with exit code ${results[step]?.exit_code ?? 'none'}`,
  );
  return [
    summary,
    ...(status === 'completed' && scope !== '' ? [scope] : []),
    ...halt,
    ...(failures.length === 0 ? [] : [`Failed steps:\n${failures.join('\n')}`]),
    ...(checks.length === 0 ? [] : [`${summariseResults(results)}\n${checks.join('\n')}`]),
    ...(files.length === 0 ? [] : [`Changed files:\n${files.map((path) => `- \`${path}\``).join('\n')}`]),
  ].join('\n\n');
}
