import { unexpectedError } from '../../contract/errors';
import { clamp01, normalisedEntropy, weightedMean } from '../shared/numbers';

export type RawDimension =
  | { type: 'ratio'; raw: number }
  | { type: 'match_confidence'; raw: number }
  | { type: 'composite'; raw: { components: number[]; weights: number[] } }
  | { type: 'entropy'; raw: number[] };

/** Every dimension reaches a rule through this function and lies in [0, 1] (layers.md INV-02). */
export function normalise(dimension: RawDimension): number {
  switch (dimension.type) {
    case 'ratio':
    case 'match_confidence':
      return clamp01(dimension.raw);
    case 'composite':
      return weightedMean(dimension.raw.components, dimension.raw.weights);
    case 'entropy':
      return normalisedEntropy(dimension.raw);
  }
}

/** Throws `INV_02` for a value outside [0, 1] or not a number. */
export function assertUnit(value: number, name: string): number {
  if (value >= 0 && value <= 1) return value;
  throw unexpectedError('INV_02', `INV-02: dimension ${name} is ${value}, outside 0 to 1`);
}
