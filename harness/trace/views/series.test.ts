import { describe, expect, it } from 'vitest';
import { channelSeries, numberSeries, pointAt, thresholdsFor } from './series';
import { TestLog } from './test-log';
import { indexTrace } from './trace-index';

const log = new TestLog().start({ channels: { diagnostics: { health: { coverage: 1 } } } });
for (const [i, value] of [0.5, 0.3, 0.1].entries()) {
  const number = i + 1;
  log.visitStart('d', { number }).patch('d', 'diagnostics', [{ op: 'replace', path: ['health', 'coverage'], value }], number);
  if (i === 1) log.patch('d', 'diagnostics', [{ op: 'add', path: ['health', 'support'], value: 0.9 }], number);
  log.decision(
    'd',
    { rule: 'r', outcome: 'x', because: [{ name: 'health_coverage', value, operator: '<', threshold: 0.2 + i / 10 }] },
    { number },
  );
  log.visitEnd('d', { number });
}
const index = indexTrace(log.events);
const points = channelSeries(index, 'diagnostics');

describe('a channel over time', () => {
  it('has one point per writing visit, with what earlier visits left in it', () => {
    expect(points.map((point) => point.value)).toEqual([
      { health: { coverage: 0.5 } },
      { health: { coverage: 0.3, support: 0.9 } },
      { health: { coverage: 0.1, support: 0.9 } },
    ]);
    expect(channelSeries(index, 'controlState')).toEqual([]);
  });

  it('gives every number inside it a line of its own', () => {
    const series = numberSeries(points);
    expect(series.map((line) => [line.path, line.points.map((point) => point.value)])).toEqual([
      ['health.coverage', [0.5, 0.3, 0.1]],
      ['health.support', [0.9, 0.9]],
    ]);
  });

  it('shows the thresholds that rules had used by then, and no later ones', () => {
    const line = { path: 'health.coverage', name: 'coverage' };
    expect(thresholdsFor(index, line, index.last)).toEqual([0.2, 0.30000000000000004, 0.4]);
    expect(thresholdsFor(index, line, points[0]?.seq ?? 0)).toEqual([]);
    expect(thresholdsFor(index, { path: 'health.support', name: 'support' }, index.last)).toEqual([]);
  });

  it('holds a value until the next one', () => {
    expect(pointAt(points, (points[1]?.seq ?? 0) - 1)).toBe(points[0]);
    expect(pointAt(points, 1)).toBeUndefined();
  });
});
