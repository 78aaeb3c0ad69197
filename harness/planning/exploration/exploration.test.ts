import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gateTaskComplete, takeTurn } from './completion-gate';
import { recordObservation } from './observations';
import { candidatePaths, chunkPaths, defaultParallelExplorationConfig, gatherDives, planDives } from './parallel';
import { renderRecorded, summaryFromObservations } from './summary';

const seed = 20_260_303;
const observation = (file_path: string, role = 'modify') => ({ file_path, role, reason: `${file_path} matters` });
const record = (id: string, path: string) => ({ id, name: 'record_file_observation', arguments: observation(path) });
const complete = { id: 'done', name: 'task_complete', arguments: { summary: 's' } };

describe('L16 task_complete in exploration', () => {
  test('is refused while nothing is recorded, with the numbers', () => {
    const turn = takeTurn([], [complete]);
    expect(turn.complete).toBe(false);
    expect(turn.replies.done).toMatch(/^ERROR: /);
    expect(turn.decisions).toMatchObject([
      { rule: 'complete_rejected', because: [{ value: 0, operator: '>=', threshold: 1, holds: false }] },
    ]);
  });

  test('passes beside a record of the same turn, in either order (bug: judged before its siblings ran)', () => {
    expect(takeTurn([], [record('r', 'a.ts'), complete]).complete).toBe(true);
    expect(takeTurn([], [complete, record('r', 'a.ts')]).complete).toBe(true);
  });

  test('is not helped by a record that was refused', () => {
    const turn = takeTurn(
      [],
      [{ id: 'r', name: 'record_file_observation', arguments: { file_path: ' ', role: 'modify', reason: '' } }, complete],
    );
    expect(turn.complete).toBe(false);
    expect(turn.replies.r).toContain('file_path');
    expect(gateTaskComplete(turn.observations, { minObservations: 0 }).accepted).toBe(true);
  });
});

describe('observations', () => {
  test('a later record replaces the earlier one in its place, also under another spelling', () => {
    const first = recordObservation([], observation('src/a.ts')).observations;
    const second = recordObservation(first, observation('src/b.ts')).observations;
    const third = recordObservation(second, { ...observation('./src/a.ts', 'reference'), key_snippets: ['x'] });
    expect(third.observations.map(({ file_path, role }) => [file_path, role])).toEqual([
      ['src/a.ts', 'reference'],
      ['src/b.ts', 'modify'],
    ]);
    expect(third.decision.outcome).toBe('replaced src/a.ts');
    expect(first).toHaveLength(1);
  });

  test('the summary holds each file in the list of its role and nothing else', () => {
    const all = ['modify', 'create', 'reference', 'missing'].reduce(
      (known, role) => recordObservation(known, observation(`${role}.ts`, role)).observations,
      summaryFromObservations([]).files_to_modify,
    );
    const summary = summaryFromObservations(all, 'prose');
    expect(summary.files_to_modify.map(({ file_path }) => file_path)).toEqual(['modify.ts']);
    expect(summary.files_to_create.map(({ file_path }) => file_path)).toEqual(['create.ts']);
    expect(summary.files_read_for_context.map(({ file_path }) => file_path)).toEqual(['reference.ts']);
    expect(summary.missing_infrastructure).toEqual([{ name: 'missing.ts', reason: 'missing.ts matters', blocking: false }]);
    expect(summary).toMatchObject({ testing_inventory: null, notes: 'prose' });
    expect(renderRecorded(all)).toContain('Do not record them again');
    expect(renderRecorded([])).toBe('');
  });
});

describe('parallel exploration', () => {
  test('paths come out of prose without its punctuation, addresses and line numbers', () => {
    const scan =
      'See `src/app.ts:12`, (lib/util/x.py), [docs](docs/guide.md). Also app/(shop)/[id]/page.tsx and ./src/app.ts; https://a.b/c/d.html, /etc/passwd, ../out/x.ts, README.md.';
    expect(candidatePaths(scan)).toEqual(['src/app.ts', 'lib/util/x.py', 'docs/guide.md', 'app/(shop)/[id]/page.tsx']);
  });

  test('endless text without a path does not hang the scan (bug: nested repetition backtracks)', () => {
    expect(candidatePaths(`${'a'.repeat(200_000)} ${'(b)'.repeat(20_000)} src/a.ts`)).toEqual(['src/a.ts']);
  });

  test('every path goes to exactly one explorer and the shares are even', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.integer({ min: 1, max: 9 }), (paths, count) => {
        const chunks = chunkPaths(paths, count);
        expect(chunks.flat()).toEqual(paths);
        expect(chunks.length).toBeLessThanOrEqual(count);
        const sizes = chunks.map((chunk) => chunk.length);
        if (sizes.length > 0) expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(sizes).not.toContain(0);
      }),
      { seed },
    );
  });

  test('turns are max(10, 30 // n); a path that the workspace lacks is nobody’s', () => {
    const dives = (parallel: number) =>
      planDives('a/1 a/2 a/3 a/4 and/or', (path) => path !== 'and/or', { ...defaultParallelExplorationConfig, parallel });
    expect([dives(1).turns, dives(2).turns, dives(4).turns]).toEqual([30, 15, 10]);
    expect(dives(2).chunks).toEqual([
      ['a/1', 'a/2'],
      ['a/3', 'a/4'],
    ]);
  });

  test('L11 a failed dive costs its own part only, and there is no structured summary', () => {
    const gathered = gatherDives('scan', [
      { ok: true, prose: 'one' },
      { ok: false, error: 'timeout' },
    ]);
    expect(gathered.prose).toBe('scan\n\none\n\n(deep dive 2 failed: timeout)');
    expect(gathered.summary).toBeNull();
    expect(gathered.decision.outcome).toBe('1 of 2 deep dives failed');
  });
});
