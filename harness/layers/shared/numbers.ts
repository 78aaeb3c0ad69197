export const clamp01 = (value: number): number => Math.min(1, Math.max(0, value));

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Shannon entropy (log2) of counts over log2 of their number, in [0, 1]; 0 for fewer than two counts (layers.md R3). */
export function normalisedEntropy(counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (counts.length < 2 || total <= 0) return 0;
  let entropy = 0;
  for (const count of counts) {
    if (count > 0) entropy -= (count / total) * Math.log2(count / total);
  }
  return clamp01(entropy / Math.log2(counts.length));
}

/** Weighted mean clamped to [0, 1]; 0 when the weights add up to nothing. */
export function weightedMean(components: readonly number[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return 0;
  return clamp01(components.reduce((sum, component, index) => sum + component * (weights[index] ?? 0), 0) / total);
}

/** Rounds for people: at most four decimals, no trailing zeros. */
export const shown = (value: number): number => Math.round(value * 10_000) / 10_000;
