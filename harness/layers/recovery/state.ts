import { z } from 'zod';

/** The ladder of layers.md R10, in its fixed order; ESCALATE stays at the end. */
export const strategies = ['DIRECT_EDIT', 'TRACE_EXEC', 'BROADER_SEARCH', 'REIMPLEMENT', 'MINIMAL_FIX', 'ESCALATE'] as const;
export const strategySchema = z.enum(strategies);
export type Strategy = z.output<typeof strategySchema>;

export const strategyStateSchema = z.object({
  current_strategy: strategySchema.default('DIRECT_EDIT'),
  switch_count: z.number().int().min(0).default(0),
  switch_triggers: z.array(z.string()).default([]),
  /** Completed tasks after each iteration. */
  completion_history: z.array(z.number()).default([]),
  /** Risk summary after each iteration. */
  risk_state_history: z.array(z.string()).default([]),
  stall_reason: z.string().default(''),
  /** The order learned from experience; empty = the fixed ladder. */
  order: z.array(strategySchema).default([]),
  /** Strategies already tried in this run, in order. */
  tried: z.array(strategySchema).default([]),
});
export type StrategyState = z.output<typeof strategyStateSchema>;
export const initialStrategyState = (): StrategyState => strategyStateSchema.parse({});

export const failureRecordSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  failure_class: z.string(),
  description: z.string(),
  context: z.record(z.string(), z.json()).default({}),
  /** Set once recovery has dealt with it; handled failures no longer weigh on the diagnostics. */
  handled: z.boolean().optional(),
});
export type FailureRecord = z.output<typeof failureRecordSchema>;

export const failurePatternSchema = z.object({
  id: z.string().meta({ title: 'Id' }),
  failure_class: z.string().meta({ title: 'Failure class' }),
  symptoms: z.array(z.string().min(1)).meta({ title: 'Symptoms' }),
  pattern_description: z.string().default('').meta({ title: 'What happens' }),
  strategy_affinity: strategySchema.optional().meta({ title: 'Strategy that suits it' }),
});
export type FailurePattern = z.output<typeof failurePatternSchema>;

export const patternMatchSchema = z.object({
  failure_class: z.string(),
  confidence: z.number(),
  matched_pattern: z.string(),
  strategy_affinity: strategySchema.optional(),
});
export type PatternMatch = z.output<typeof patternMatchSchema>;

export const failureDiagnosticsSchema = z.object({
  failure_history: z.array(failureRecordSchema).default([]),
  failure_mode_library: z
    .object({ entries: z.array(failurePatternSchema).default([]), class_priors: z.record(z.string(), z.number()).default({}) })
    .prefault({}),
  matched_pattern: patternMatchSchema.nullable().default(null),
});
export type FailureDiagnostics = z.output<typeof failureDiagnosticsSchema>;
export const emptyFailureDiagnostics = (): FailureDiagnostics => failureDiagnosticsSchema.parse({});

/** What earlier runs taught. Everything works the same without it (INV-10). */
export const experienceStoreSchema = z.object({
  available: z.boolean().default(false),
  /** `<strategy>:<failure class>` → weight. */
  strategy_weights: z.record(z.string(), z.number()).default({}),
  class_priors: z.record(z.string(), z.number()).default({}),
});
export type ExperienceStore = z.output<typeof experienceStoreSchema>;
export const unavailableExperience = (): ExperienceStore => experienceStoreSchema.parse({});

/** How often each recovery class in a row found nothing to change; two in a row call a person (D3). */
export const recoveryLogSchema = z.object({
  unchanged: z.record(z.string(), z.number().int().min(0)).default({}),
  escalated_dimension: z.string().nullable().default(null),
});
export type RecoveryLog = z.output<typeof recoveryLogSchema>;
export const emptyRecoveryLog = (): RecoveryLog => recoveryLogSchema.parse({});
