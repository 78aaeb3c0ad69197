import { z } from 'zod';

const unit = (title: string, initial: number) => z.number().min(0).max(1).default(initial).meta({ title });

/** Dimension → recovery class → dimensions the class needs (layers.md R6). */
export const defaultRecoveryClasses: Record<string, { action: string; needs: string[] }> = {
  belief_freshness: { action: 'belief_refresh', needs: ['verification_feasibility'] },
  belief_consistency: { action: 'consistency_repair', needs: ['verification_strength'] },
  belief_support: { action: 'support_augment', needs: ['belief_freshness'] },
  symptom_coverage: { action: 'coverage_expand', needs: ['verification_strength'] },
  explanation_coverage: { action: 'explanation_expand', needs: ['belief_freshness'] },
  verification_strength: { action: 'verification_pass', needs: ['dep_graph_quality'] },
  verification_feasibility: { action: 'feasibility_check', needs: ['dep_graph_quality'] },
  progress_rate: { action: 'execution_retry', needs: ['dep_graph_quality'] },
  failure_recurrence: { action: 'failure_recovery', needs: ['dep_graph_quality'] },
  oscillation_score: { action: 'oscillation_stabilise', needs: ['belief_freshness'] },
  dep_graph_quality: { action: 'dep_graph_refresh', needs: ['verification_strength'] },
  world_model_integrity: { action: 'consistency_repair', needs: [] },
};

export const controlStateConfigSchema = z.object({
  critical: unit('Critical threshold', 0.2),
  caution: unit('Caution threshold', 0.4),
  elevation: unit('Elevation above which the run is cautious', 0.05),
  patternWeight: unit('Weight of a matched failure pattern', 0.2),
  blockFrom: z.enum(['SYSTEM_BREAKING', 'HIGH']).default('SYSTEM_BREAKING').meta({
    title: 'Severity from which a conflict blocks',
    description:
      'An unsettled HIGH conflict fails the consistency check of every later result. HIGH has it settled first; the reference blocks only for a conflict that a hypothesis predicted.',
  }),
  recoveryClasses: z
    .record(z.string(), z.object({ action: z.string(), needs: z.array(z.string()) }))
    .default(defaultRecoveryClasses)
    .meta({
      title: 'Recovery class by dimension',
      description: 'A cycle between blocked dimensions through what they need calls a person.',
    }),
});
export type ControlStateConfig = z.output<typeof controlStateConfigSchema>;
export const defaultControlStateConfig: ControlStateConfig = controlStateConfigSchema.parse({});
