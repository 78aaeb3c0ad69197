import { z } from 'zod';
import { riskLevelSchema } from '../shared/levels';

export const planningConfigSchema = z.object({
  riskOrder: z
    .array(riskLevelSchema)
    .length(3)
    .default(['HIGH', 'MEDIUM', 'LOW'])
    .meta({ title: 'Risk order', description: 'Which task goes first.' }),
  maxConflict: z.number().min(0).max(1).default(0.5).meta({ title: 'Conflict probability above which two tasks do not run at once' }),
  parallel: z.boolean().default(true).meta({ title: 'Run two tasks at once' }),
  serialRisks: z.array(riskLevelSchema).default(['HIGH']).meta({ title: 'Risks that always run alone' }),
  mergeDecay: z.number().min(0).max(1).default(0.9).meta({ title: 'Factor on a conflict probability after a clean merge' }),
  blockDependents: z
    .boolean()
    .default(true)
    .meta({ title: 'Block what depends on a failed task', description: 'Off in the reference, where such tasks wait silently for ever.' }),
});
export type PlanningConfig = z.output<typeof planningConfigSchema>;
export const defaultPlanningConfig: PlanningConfig = planningConfigSchema.parse({});
export const referencePlanningConfig: PlanningConfig = { ...defaultPlanningConfig, blockDependents: false };
