import type { PlanStep } from '@/harness/planning/artefacts/plan-step';
import type { PlanningChannels } from './state';

export interface Progress {
  complete: boolean;
  /** What is missing, for a person. */
  problem: string;
}

/** Whether all of these steps have been completed, and else what stopped them. */
export function progressOf(steps: readonly PlanStep[], { stepResults }: Pick<PlanningChannels, 'stepResults'>): Progress {
  const rows = new Map(stepResults.map((row) => [row.step_number, row]));
  const missing = steps.filter(({ step_number }) => rows.get(step_number)?.status !== 'completed');
  const reasons = missing.map(({ step_number }) => {
    const row = rows.get(step_number);
    return `step ${step_number}: ${row === undefined ? 'not carried out' : row.failure_reasons.join(', ') || row.status}`;
  });
  return { complete: missing.length === 0, problem: reasons.slice(0, 10).join('; ') };
}
