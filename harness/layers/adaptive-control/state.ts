import { z } from 'zod';

export const confidenceSchema = z.enum(['high', 'medium', 'low']);

/** How a turn is to be handled, judged once before the loop (layers.md R14). */
export const turnPolicySchema = z.object({
  /** UNKNOWN is treated as HIGH and needs approval. */
  riskLevel: z.enum(['LOW', 'MEDIUM', 'HIGH', 'UNKNOWN']),
  riskReason: z.string().default(''),
  /** Counts only when the risk is LOW. */
  isTrivial: z.boolean().default(false),
  decomposedTasks: z.array(z.string().min(1)).nullable().default(null),
  isAbandonRequest: z.boolean().default(false),
  matchedPlanTemplate: z.string().nullable().default(null),
  needsMultiStepPlan: z.boolean().default(false),
  isReminderRequest: z.boolean().default(false),
  isBulkReminderRequest: z.boolean().default(false),
  isPlanQuestion: z.boolean().default(false),
  continuesPlan: z.boolean().nullable().default(null),
  statesDurableFacts: z
    .array(z.object({ fact: z.string(), confidence: confidenceSchema.default('high'), durable: z.boolean().default(true) }))
    .default([]),
  statedConstraints: z.array(z.string()).default([]),
  lastingConstraints: z.array(z.string()).default([]),
  liftedConstraints: z.array(z.string()).default([]),
  isUnderdetermined: z.boolean().default(false),
  needsGrounding: z.boolean().default(false),
  ambiguity: z.enum(['none', 'some', 'high']).default('none'),
  userPosture: z.string().default('neutral'),
  pushbackOnPriorTurn: z.boolean().default(false),
  statesConstraint: z.boolean().default(false),
});
export type TurnPolicy = z.output<typeof turnPolicySchema>;
export type TurnPolicyInput = z.input<typeof turnPolicySchema>;
