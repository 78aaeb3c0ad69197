import type { PlanningChannels } from './state';

/** Whether every step of the plan, those that write tests first included, has been completed. A flow without a plan has completed none. */
export function isPlanComplete({ executionPlan, stepResults }: Pick<PlanningChannels, 'executionPlan' | 'stepResults'>): boolean {
  if (executionPlan === null) return false;
  const steps = [...executionPlan.tdd_test_steps, ...executionPlan.steps];
  const completed = new Set(stepResults.filter(({ status }) => status === 'completed').map(({ step_number }) => step_number));
  return steps.length > 0 && steps.every(({ step_number }) => completed.has(step_number));
}
