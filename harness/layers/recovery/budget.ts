import { z } from 'zod';

/** What recovery may spend in a run (layers.md R10). */
export const recoveryBudgetSchema = z.object({
  toolCalls: z.number().int().min(0).default(20).meta({ title: 'Tool calls' }),
  cost: z.number().min(0).default(2).meta({ title: 'Cost in US dollars' }),
  seconds: z.number().min(0).default(300).meta({ title: 'Seconds' }),
  planRevisions: z.number().int().min(0).default(3).meta({ title: 'Plan revisions' }),
});
