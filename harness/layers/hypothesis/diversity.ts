import { normalisedEntropy } from '../shared/numbers';
import type { Hypothesis } from './state';

/** How evenly the live hypotheses come from different sources, in [0, 1]; 0 for one source or none (layers.md R3). */
export function sourceDiversity(active: readonly Hypothesis[]): number {
  const counts = new Map<string, number>();
  for (const hypothesis of active) {
    for (const source of new Set(hypothesis.generation_sources)) counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  return normalisedEntropy([...counts.values()]);
}
