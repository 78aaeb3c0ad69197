import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { matches } from './compare';
import { adapters } from './registry';
import { runConformanceFile } from './run';

const folder = fileURLToPath(new URL('./cases/', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('conformance cases', () => {
  test('every suite has cases and every case file has an adapter', () => {
    expect(files.map((name) => name.replace('.json', '')).sort()).toEqual([...adapters.keys()].sort());
  });

  test.each(files)('%s: our functions give the numbers of the reference', (name) => {
    const report = runConformanceFile(readFileSync(folder + name, 'utf8'));
    expect(report.failures.slice(0, 3)).toEqual([]);
    expect(report.passed).toBeGreaterThan(0);
  });
});

describe('the runner itself', () => {
  test('a wrong expectation is reported as a failure with both values (canary: a runner that passes everything)', () => {
    const text = JSON.stringify({ suite: 'elevation_factor', cases: [{ id: 'wrong', input: { values: [0] }, expected: 0.5 }] });
    expect(runConformanceFile(text)).toEqual({
      suite: 'elevation_factor',
      passed: 0,
      failed: 1,
      failures: [{ id: 'wrong', expected: 0.5, actual: 1 }],
    });
  });

  test('a case that throws is a failed case, not a crashed run', () => {
    const text = JSON.stringify({ suite: 'verify', cases: [{ id: 'odd', input: { evidence: 'x' }, expected: {} }] });
    expect(runConformanceFile(text).failed).toBe(1);
  });

  test('an unknown suite and a broken file are told apart by code', () => {
    expect(() => runConformanceFile('{"suite":"nope","cases":[]}')).toThrow(/no suite "nope"/);
    expect(() => runConformanceFile('{')).toThrow(/not JSON/);
  });

  test('numbers compare within the tolerance and extra fields do not slip through', () => {
    expect(matches(1 + 1e-10, 1, 1e-9)).toBe(true);
    expect(matches(1 + 1e-6, 1, 1e-9)).toBe(false);
    expect(matches({ a: 1, b: 2 }, { a: 1 }, 1e-9)).toBe(false);
    expect(matches([1, 2], [2, 1], 1e-9)).toBe(false);
  });
});
