import { z } from 'zod';
import { contradictionSchema } from '../contradiction/state';

export const observationSchema = z.object({
  id: z.string(),
  content: z.string(),
  source: z.string(),
  recorded_at: z.string(),
  /** The task whose execution produced it; lets coverage tell explained observations from unexplained ones. */
  task_id: z.string().optional(),
});
export type Observation = z.output<typeof observationSchema>;

export const beliefSchema = z.object({
  id: z.string(),
  statement: z.string(),
  confidence: z.number().min(0).max(1),
  derived_from: z.array(z.string()),
  supporting_evidence: z.array(z.string()).default([]),
  /** '' until evidence has been weighed for it. */
  reliability: z.string().default(''),
  recorded_at: z.string(),
  applied_contradiction_ids: z.array(z.string()).optional(),
  pending_sweep: z.boolean().optional(),
  /** True once the contradiction layer has compared it with every belief before it. */
  compared: z.boolean().optional(),
});
export type Belief = z.output<typeof beliefSchema>;

export const environmentChangeSchema = z.object({
  id: z.string(),
  description: z.string(),
  affected_paths: z.array(z.string()),
  timestamp: z.string(),
});
export type EnvironmentChange = z.output<typeof environmentChangeSchema>;

/**
 * What the run holds to be so. Observations and beliefs never mix, and `generation_id` never decreases
 * (layers.md R1, INV-01, INV-03).
 */
export const worldModelSchema = z.object({
  generation_id: z.number().int().min(0).default(0),
  observations: z.array(observationSchema).default([]),
  beliefs: z.array(beliefSchema).default([]),
  assumptions: z.array(z.string()).default([]),
  contradictions: z.array(contradictionSchema).default([]),
  environment_change_log: z.array(environmentChangeSchema).default([]),
  completeness_flags: z.record(z.string(), z.boolean()).default({}),
  stale_flags: z.record(z.string(), z.boolean()).default({}),
});
export type WorldModel = z.output<typeof worldModelSchema>;
export const emptyWorldModel = (): WorldModel => worldModelSchema.parse({});
