import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findCycle } from '../control-state/cycles';
import { formatInstant, parseInstant } from './instant';
import { normalisedEntropy, weightedMean } from './numbers';
import { tokenise } from './text';

const seed = 20_260_101;
// biome-ignore lint/style/noRestrictedGlobals: the platform's calendar is the oracle that ours is held against
const calendar = Date;

describe('instants without a clock', () => {
  test('formatting and parsing agree with Date for any instant (bug: leap years and month ends off by a day)', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000_000_000_000, max: 6_000_000_000_000 }), (at) => {
        expect(formatInstant(at)).toBe(new calendar(at).toISOString());
        expect(parseInstant(new calendar(at).toISOString())).toBe(at);
      }),
      { seed },
    );
  });

  test('offsets are taken off and nonsense is NaN (bug: "nope" compared as 0 makes every belief stale)', () => {
    expect(parseInstant('2026-01-01T14:00:00+02:00')).toBe(calendar.parse('2026-01-01T12:00:00Z'));
    expect(parseInstant('2026-01-01')).toBe(calendar.parse('2026-01-01'));
    expect(parseInstant('nope')).toBeNaN();
    expect(parseInstant('2026-13-01T00:00:00Z')).toBeNaN();
  });
});

describe('numbers', () => {
  test('entropy and weighted means stay in [0, 1] (bug: a rounding error of 1e-16 above 1 breaks INV-02)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 8 }), (counts) => {
        const value = normalisedEntropy(counts);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }),
      { seed },
    );
    expect(weightedMean([1], [0])).toBe(0);
  });
});

test('scripts without spaces give a token per character (bug: a whole Chinese sentence was one word and never shared a subject)', () => {
  expect(tokenise('hello 你好 world')).toEqual(['hello', '你', '好', 'world']);
  expect(tokenise('  the   tests ')).toEqual(['the', 'tests']);
});

test('a cycle is found in a chain of 20,000 without exhausting the stack (bug: recursive depth-first search)', () => {
  const chain = new Map(Array.from({ length: 20_000 }, (_, index) => [`t${index}`, index === 0 ? [] : [`t${index - 1}`]]));
  expect(findCycle(chain)).toBeNull();
  chain.set('t0', ['t19999']);
  expect(findCycle(chain)).not.toBeNull();
});
