import { z } from 'zod';

/** What recovery may spend in a run (layers.md R10). */
export const recoveryBudgetSchema = z.object({
  toolCalls: z.number().int().min(0).default(20).meta({ title: 'Tool calls' }),
  cost: z.number().min(0).default(2).meta({ title: 'Cost in US dollars' }),
  seconds: z.number().min(0).default(300).meta({ title: 'Seconds' }),
  planRevisions: z.number().int().min(0).default(3).meta({ title: 'Plan revisions' }),
});
export type RecoveryBudget = z.output<typeof recoveryBudgetSchema>;
export const defaultRecoveryBudget: RecoveryBudget = recoveryBudgetSchema.parse({});

/** The first resource that is used up, or `null`. */
export function exhaustedResource(used: RecoveryBudget, budget: RecoveryBudget = defaultRecoveryBudget): keyof RecoveryBudget | null {
  const names = ['toolCalls', 'cost', 'seconds', 'planRevisions'] as const;
  return names.find((name) => used[name] >= budget[name]) ?? null;
}
