import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatCost, formatDuration, formatRelative, formatRunCost, formatTokens } from './format';

describe('numbers as people read them', () => {
  it('never writes a duration below zero (BR-51)', () => {
    expect(formatDuration(-3)).toBe('0 ms');
    fc.assert(fc.property(fc.double(), (ms) => !formatDuration(ms).includes('-')));
  });

  it('does not write "60 s" or "1000 ms" at a unit boundary', () => {
    expect(formatDuration(999.7)).toBe('1 s');
    expect(formatDuration(59_700)).toBe('1 min 0 s');
    expect(formatDuration(3_599_800)).toBe('1 h 0 min');
  });

  it('keeps an unknown price apart from a free call', () => {
    expect(formatCost(null)).toBe('unknown');
    expect(formatCost(0)).toBe('$0');
    expect(formatCost(0.00001)).toBe('<$0.0001');
    expect(formatTokens(null)).toBe('unknown');
  });

  it('does not present a partly priced run as its full cost', () => {
    expect(formatRunCost({ cost: 0.5, unpricedCalls: 1, modelCalls: 3 })).toBe('≥ $0.50');
    expect(formatRunCost({ cost: 0, unpricedCalls: 2, modelCalls: 2 })).toBe('unknown');
    expect(formatRunCost({ cost: 0, unpricedCalls: 0, modelCalls: 0 })).toBe('$0');
  });

  it('reads a time ahead of our clock as now, not as a negative age', () => {
    expect(formatRelative(2_000_000, 1_000_000)).toBe('just now');
    expect(formatRelative(0, 90 * 60_000)).toBe('2 h ago');
  });

  it('does not strip zeros that carry value', () => {
    expect(formatBytes(500)).toBe('500 B');
    expect(formatTokens(100_000)).toBe('100k');
    expect(formatTokens(1_000_000)).toBe('1M');
  });
});
