import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { beliefGraphConfigSchema } from '@/harness/layers/belief-graph/propagate';
import { budgetPressureSchema } from '@/harness/layers/diagnostics/budget';
import { diagnosticsConfigSchema } from '@/harness/layers/diagnostics/config';
import { stalenessConfigSchema } from '@/harness/layers/world-model/staleness';

const dimension = (title: string, description: string) => z.number().min(0).max(1).meta({ title, description });

export const diagnostics = defineNode({
  id: 'diagnostics',
  version: 1,
  category: 'control',
  layer: 'diagnostics',
  authority: 'deterministic',
  role: 'step',
  title: 'Diagnostics',
  icon: 'activity',
  summary: 'Measures the health of the run in ten dimensions from 0 to 1.',
  keywords: ['health', 'dimensions', 'gauges', 'coverage', 'freshness', 'progress', 'staleness'],
  config: z.object({
    ...diagnosticsConfigSchema.shape,
    ...stalenessConfigSchema.shape,
    ...beliefGraphConfigSchema.shape,
    decayHere: z.boolean().default(true).meta({
      title: 'Derivations fade at this node',
      description: 'Once per pass of the loop. Switch it off at every diagnostics node but one.',
    }),
    ...budgetPressureSchema.shape,
  }),
  ports: ['next'],
  outputs: z.object({
    belief_freshness: dimension('Belief freshness', '1 when no belief is stale.'),
    belief_consistency: dimension('Belief consistency', '1 when no beliefs contradict each other.'),
    belief_support: dimension('Belief support', '1 when all beliefs have HIGH evidence.'),
    symptom_coverage: dimension('Symptom coverage', '1 when everything observed is explained.'),
    explanation_coverage: dimension('Explanation coverage', '1 when the hypotheses come from many sources.'),
    verification_strength: dimension('Verification strength', '1 when all derivations are verified.'),
    verification_feasibility: dimension('Verification feasibility', 'How far results can be verified at all.'),
    progress_rate: dimension('Progress rate', '1 when no task failed.'),
    failure_recurrence: dimension('Failure recurrence', 'As health: 1 when nothing failed.'),
    oscillation_score: dimension('Oscillation', 'As health: 1 when no task is failed.'),
  }),
  reads: ['worldModel', 'hypothesisSet', 'taskGraph', 'failureDiagnostics', 'beliefDepGraph', 'goal', 'progress'],
  writes: ['diagnostics', 'worldModel', 'beliefDepGraph', 'failureDiagnostics'],
  fields: {
    counting: { section: 'Coverage' },
    minimumAttempts: { section: 'Progress' },
    failuresForWorst: { section: 'Progress' },
    minimumEdges: { section: 'Derivations' },
    decay: { section: 'Derivations', step: 0.01 },
    decayVerified: { section: 'Derivations' },
    decayHere: { section: 'Derivations' },
    toolAdequacyKnown: { section: 'Feasibility', widget: 'slider', step: 0.05 },
    toolAdequacyUnknown: { section: 'Feasibility', widget: 'slider', step: 0.05 },
    evidenceAdequacyKnown: { section: 'Feasibility', widget: 'slider', step: 0.05 },
    evidenceAdequacyUnknown: { section: 'Feasibility', widget: 'slider', step: 0.05 },
    fitWeight: { section: 'Feasibility', step: 0.1 },
    granularityShare: { section: 'Feasibility', widget: 'slider', step: 0.05 },
    budgetShare: { section: 'Feasibility', widget: 'slider', step: 0.05 },
    feasibilityCap: { section: 'Feasibility', widget: 'slider', step: 0.05 },
    supportHigh: { section: 'Beliefs', widget: 'slider', step: 0.05 },
    supportMedium: { section: 'Beliefs', widget: 'slider', step: 0.05 },
    supportLow: { section: 'Beliefs', widget: 'slider', step: 0.05 },
    ttlMinutes: { section: 'Beliefs' },
    lexicalMatching: { section: 'Failure patterns' },
    lexicon: { section: 'Words' },
  },
  preview: (config) => (config.counting === 'all' ? 'counts all observations' : 'counts what is unexplained'),
});
