import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../shared/explain';
import type { Diagnostics } from './state';

export const budgetPressureSchema = z.object({
  budgetShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .meta({ title: 'Share of the steps from which feasibility is capped', description: 'Rounded down to whole steps.' }),
  feasibilityCap: z.number().min(0).max(1).default(0.5).meta({ title: 'Highest verification feasibility then' }),
});
export type BudgetPressure = z.output<typeof budgetPressureSchema>;

/** Near the end of the step budget less can still be verified: feasibility is capped (layers.md R0, step 14). */
export function capFeasibility(
  diagnostics: Diagnostics,
  steps: { used: number; limit: number },
  config: BudgetPressure = budgetPressureSchema.parse({}),
): { diagnostics: Diagnostics; decision: Decision | null } {
  const from = Math.floor(config.budgetShare * steps.limit);
  const { feasibility } = diagnostics.verification_health;
  if (steps.used < from || feasibility <= config.feasibilityCap) return { diagnostics, decision: null };
  return {
    diagnostics: {
      ...diagnostics,
      verification_health: { ...diagnostics.verification_health, feasibility: config.feasibilityCap },
    },
    decision: decided({
      rule: 'step budget',
      outcome: `verification feasibility capped at ${config.feasibilityCap}`,
      because: [compared('steps used', steps.used, '>=', from), fact('feasibility before', feasibility)],
    }),
  };
}
