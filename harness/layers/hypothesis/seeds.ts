import { z } from 'zod';
import type { Evidence } from '../evidence/state';
import { matchFailurePattern } from '../recovery/failure-library';
import type { FailurePattern } from '../recovery/state';
import type { Belief } from '../world-model/state';
import type { Hypothesis } from './state';

const confidence = (title: string, initial: number) => z.number().min(0).max(1).default(initial).meta({ title });

export const seedConfigSchema = z.object({
  symptom: confidence('Symptom inference', 0.4),
  symptomDefault: confidence('Symptom inference without evidence', 0.3),
  counterfactual: confidence('Counterfactual', 0.35),
  counterfactualDefault: confidence('Counterfactual without beliefs', 0.3),
  unknownFailure: confidence('Failure library without a match', 0.2),
  analogy: confidence('Analogy', 0.25),
  analogyDefault: confidence('Analogy without eliminated hypotheses', 0.2),
});
export type SeedConfig = z.output<typeof seedConfigSchema>;

export interface SeedInput {
  evidence: readonly Evidence[];
  beliefs: readonly Belief[];
  eliminated: readonly Hypothesis[];
  library: readonly FailurePattern[];
}

const seed = (source: string, id: string, explanation: string, value: number): Hypothesis => ({
  id,
  explanation,
  confidence: value,
  predicted_observations: [],
  discriminating_evidence: [],
  generation_sources: [source],
  diversity_score: 0,
});

/** The four seeds of one pass, in source order (layers.md R3). From the second pass on ids end in `_p<pass>`. */
export function seedHypotheses(input: SeedInput, pass: number, config: SeedConfig): Hypothesis[] {
  const suffix = pass > 0 ? `_p${pass}` : '';
  const [firstEvidence] = input.evidence;
  const [firstBelief] = input.beliefs;
  const [firstEliminated] = input.eliminated;
  const match = matchFailurePattern(
    input.evidence.map(({ obs }) => obs),
    input.library,
  );
  return [
    firstEvidence
      ? seed('symptom_inference', `symp_${firstEvidence.id}${suffix}`, `Symptom inference from: ${firstEvidence.obs}`, config.symptom)
      : seed('symptom_inference', `symp_default${suffix}`, 'No symptoms observed — hypothesis: system nominal', config.symptomDefault),
    firstBelief
      ? seed(
          'counterfactual',
          `counter_${firstBelief.id}${suffix}`,
          `Counterfactual: if "${firstBelief.statement}" were false, goal would be impacted`,
          config.counterfactual,
        )
      : seed(
          'counterfactual',
          `counter_default${suffix}`,
          'Counterfactual: prior state differs from expected',
          config.counterfactualDefault,
        ),
    match
      ? seed(
          'failure_mode_library',
          `fml_${match.matched_pattern}${suffix}`,
          `Failure mode match: ${match.failure_class} (confidence ${match.confidence.toFixed(2)})`,
          match.confidence,
        )
      : seed('failure_mode_library', `fml_unknown${suffix}`, 'Failure mode: unknown pattern — exploratory', config.unknownFailure),
    firstEliminated
      ? seed(
          'analogy',
          `analogy_${firstEliminated.id}${suffix}`,
          `Analogy from eliminated hypothesis: ${firstEliminated.explanation}`,
          config.analogy,
        )
      : seed('analogy', `analogy_default${suffix}`, 'Analogy: no prior eliminations — structural guess', config.analogyDefault),
  ];
}
