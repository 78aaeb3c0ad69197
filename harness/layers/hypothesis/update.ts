import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import type { Contradiction } from '../contradiction/state';
import { compared, decided, fact } from '../shared/explain';
import { shown } from '../shared/numbers';
import { sourceDiversity } from './diversity';
import { type SeedInput, seedConfigSchema, seedHypotheses } from './seeds';
import type { Hypothesis, HypothesisSet } from './state';

export const hypothesisConfigSchema = z.object({
  diversity: z.number().min(0).max(1).default(0.7).meta({ title: 'Diversity to reach' }),
  maxPasses: z.number().int().min(1).max(50).default(10).meta({ title: 'Most passes' }),
  maxActive: z.number().int().min(1).default(10).meta({ title: 'Most live hypotheses' }),
  keepActive: z.number().int().min(1).default(5).meta({ title: 'Live hypotheses kept after pruning' }),
  seeds: seedConfigSchema.prefault({}).meta({ title: 'Confidence of seeds' }),
});
export type HypothesisConfig = z.output<typeof hypothesisConfigSchema>;
export const defaultHypothesisConfig: HypothesisConfig = hypothesisConfigSchema.parse({});

export interface HypothesisInput extends Omit<SeedInput, 'eliminated'> {
  contradictions: readonly Contradiction[];
}

export interface HypothesisResult {
  set: HypothesisSet;
  /** What pruning dropped, as regions for the memory state: `hypothesis_<id>`. */
  prunedRegions: { id: string; description: string }[];
  eliminatedNow: string[];
  decision: Decision;
}

/** Seeds until the sources are diverse, eliminates what is weak or contradicted, prunes an oversized set (layers.md R3). */
export function updateHypotheses(
  set: HypothesisSet,
  input: HypothesisInput,
  config: HypothesisConfig = defaultHypothesisConfig,
): HypothesisResult {
  const active = [...set.active];
  const ids = new Set(active.map(({ id }) => id));
  let passes = 0;
  let diversity = 0;
  do {
    for (const hypothesis of seedHypotheses({ ...input, eliminated: set.eliminated }, passes, config.seeds)) {
      if (ids.has(hypothesis.id)) continue;
      ids.add(hypothesis.id);
      active.push(hypothesis);
    }
    diversity = sourceDiversity(active);
    passes += 1;
  } while (diversity < config.diversity && passes < config.maxPasses);

  const { floor, retention_k } = set.elimination_policy;
  const falls = (hypothesis: Hypothesis) =>
    hypothesis.confidence < floor || input.contradictions.some(({ description }) => description.includes(hypothesis.id));
  const scored = active.map((hypothesis) => ({ ...hypothesis, diversity_score: diversity }));
  const gone = scored.filter(falls);
  let kept = scored.filter((hypothesis) => !falls(hypothesis));
  let pruned: Hypothesis[] = [];
  if (kept.length > config.maxActive) {
    const sorted = [...kept].sort((left, right) => right.confidence - left.confidence);
    pruned = sorted.slice(config.keepActive);
    kept = sorted.slice(0, config.keepActive);
  }
  const eliminated = [...set.eliminated, ...gone];
  return {
    set: { ...set, active: kept, eliminated: eliminated.slice(Math.max(0, eliminated.length - retention_k)) },
    prunedRegions: pruned.map(({ id, explanation }) => ({ id: `hypothesis_${id}`, description: explanation })),
    eliminatedNow: gone.map(({ id }) => id),
    decision: decided({
      rule: 'hypothesis update',
      outcome: `${kept.length} live, ${gone.length} eliminated, ${pruned.length} pruned`,
      because: [
        compared('diversity', shown(diversity), '>=', config.diversity),
        compared('passes', passes, '<', config.maxPasses),
        ...gone
          .slice(0, 10)
          .map((hypothesis) =>
            hypothesis.confidence < floor
              ? compared(hypothesis.id, hypothesis.confidence, '<', floor)
              : fact(hypothesis.id, 'named in a contradiction'),
          ),
        compared('live hypotheses', kept.length + pruned.length, '>', config.maxActive),
      ],
    }),
  };
}
