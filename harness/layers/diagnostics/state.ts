import { z } from 'zod';

const unit = (initial: number) => z.number().min(0).max(1).default(initial);

/** Ten health dimensions, each in [0, 1] (layers.md R5, INV-02). The last two are 0 when healthy. */
export const diagnosticsSchema = z.object({
  belief_health: z.object({ freshness: unit(1), consistency: unit(1), support: unit(1) }).prefault({}),
  coverage_health: z.object({ symptom_coverage: unit(0.5), explanation_coverage: unit(0.5) }).prefault({}),
  verification_health: z.object({ strength: unit(1), feasibility: unit(1) }).prefault({}),
  execution_health: z.object({ progress_rate: unit(1), failure_recurrence: unit(0), oscillation_score: unit(0) }).prefault({}),
  /** Advice only; no rule reads it as a number (INV-07). */
  dep_class_gap_annotation: z.string().default(''),
});
export type Diagnostics = z.output<typeof diagnosticsSchema>;
export const initialDiagnostics = (): Diagnostics => diagnosticsSchema.parse({});

/** The dimensions in the order in which every rule walks them. */
export const dimensionNames = [
  'belief_freshness',
  'belief_consistency',
  'belief_support',
  'symptom_coverage',
  'explanation_coverage',
  'verification_strength',
  'verification_feasibility',
  'progress_rate',
  'failure_recurrence',
  'oscillation_score',
] as const;
export type DimensionName = (typeof dimensionNames)[number];

/** Stored with 0 as healthy and turned round before any threshold is applied. */
export const invertedDimensions: readonly DimensionName[] = ['failure_recurrence', 'oscillation_score'];

/** Every dimension as health: 1 is well, 0 is worst. */
export function healthOf({
  belief_health,
  coverage_health,
  verification_health,
  execution_health,
}: Diagnostics): Record<DimensionName, number> {
  return {
    belief_freshness: belief_health.freshness,
    belief_consistency: belief_health.consistency,
    belief_support: belief_health.support,
    symptom_coverage: coverage_health.symptom_coverage,
    explanation_coverage: coverage_health.explanation_coverage,
    verification_strength: verification_health.strength,
    verification_feasibility: verification_health.feasibility,
    progress_rate: execution_health.progress_rate,
    failure_recurrence: 1 - execution_health.failure_recurrence,
    oscillation_score: 1 - execution_health.oscillation_score,
  };
}
