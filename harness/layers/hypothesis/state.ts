import { z } from 'zod';

export const hypothesisSchema = z.object({
  id: z.string(),
  explanation: z.string(),
  confidence: z.number().min(0).max(1),
  predicted_observations: z.array(z.string()).default([]),
  discriminating_evidence: z.array(z.string()).default([]),
  generation_sources: z.array(z.string()).default([]),
  diversity_score: z.number().min(0).max(1).default(0),
  /** Proposed hypotheses only: the check that would tell it apart from its rivals. */
  separating_check: z.string().optional(),
});
export type Hypothesis = z.output<typeof hypothesisSchema>;

export const eliminationPolicySchema = z.object({
  conditions: z.array(z.string()).default(['contradicting_evidence', 'prediction_failure_count']),
  retention_k: z.number().int().min(0).default(10),
  floor: z.number().min(0).max(1).default(0.05),
});

/** Rival explanations, live and eliminated (layers.md R3). */
export const hypothesisSetSchema = z.object({
  active: z.array(hypothesisSchema).default([]),
  eliminated: z.array(hypothesisSchema).default([]),
  elimination_policy: eliminationPolicySchema.prefault({}),
});
export type HypothesisSet = z.output<typeof hypothesisSetSchema>;
export const emptyHypothesisSet = (): HypothesisSet => hypothesisSetSchema.parse({});
