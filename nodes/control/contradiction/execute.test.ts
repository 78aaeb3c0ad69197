import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import { fakeContext, type Scripted } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeContradiction } from './execute';
import { contradiction } from './node';

const belief = (id: string, statement: string, confidence = 0.6) => ({
  id,
  statement,
  confidence,
  derived_from: ['o'],
  recorded_at: '2026-01-01T00:00:00.000Z',
});
const opposed = [belief('b1', 'the cache is enabled'), belief('b2', 'the cache is disabled')];
const subtle = [belief('b1', 'the release is on Monday'), belief('b2', 'the release happens at the weekend')];

const run = async (beliefs: unknown[], options: { config?: object; replies?: Scripted[]; more?: Record<string, unknown> } = {}) => {
  const fake = fakeContext(contradiction, {
    state: channelValues({ worldModel: { beliefs, generation_id: 4 }, ...options.more }),
    config: { ...options.config },
    replies: options.replies ?? [],
  });
  return { ...fake, result: await executeContradiction.execute(fake.context) };
};
const conflicts = (...found: { beliefs: string[]; severity?: string }[]) => [
  { object: { conflicts: found.map((entry) => ({ reason: 'they exclude each other', severity: 'HIGH', ...entry })) } },
];

test('opposite words did not lower confidence, or nothing said what happened to it', async () => {
  const { result, decisions } = await run(opposed, { config: { semantic: false } });
  expect(result.output).toMatchObject({ total: 1, found: [{ severity: 'MEDIUM', beliefs: ['b1', 'b2'] }] });
  expect(result.writes).toMatchObject({
    worldModel: { generation_id: 5, beliefs: [{ confidence: 0.6 * 0.75 }, { confidence: 0.6 * 0.75 }] },
  });
  expect(decisions[0]).toMatchObject({ rule: 'pairwise contradiction', because: [{ name: 'b1', value: '0.6 → 0.45' }, { name: 'b2' }] });
  const milder = await run(opposed, { config: { semantic: false, mediumFactor: 1 } });
  expect(milder.result.writes).toMatchObject({ worldModel: { beliefs: [{ confidence: 0.6 }, { confidence: 0.6 }] } });
});

test('the same conflict was recorded again at every visit (D2)', async () => {
  const first = await run(opposed, { config: { semantic: false } });
  const written = first.result.writes?.worldModel as Record<string, unknown>;
  const again = (config: object) =>
    fakeContext(contradiction, { state: { worldModel: written as never }, config: { semantic: false, ...config } }).context;
  const second = await executeContradiction.execute(again({}));
  expect(second).toMatchObject({ output: { found: [], total: 1 } });
  expect(second.writes).toEqual({});
  expect(await executeContradiction.execute(again({ recordOnce: false, skipBelow: 0 }))).toMatchObject({ output: { total: 2 } });
});

test('a conflict of meaning was missed, or graded although grading is off', async () => {
  const { result, requests } = await run(subtle, { replies: conflicts({ beliefs: ['b2', 'b1'] }) });
  expect(result.output).toMatchObject({ found: [{ severity: 'MEDIUM', beliefs: ['b2', 'b1'] }] });
  expect(result.writes).toMatchObject({ progress: { checked_belief_ids: ['b1', 'b2'] } });
  expect(requests[0]).toMatchObject({ role: 'worker' });
  const graded = await run(subtle, { config: { grading: true }, replies: conflicts({ beliefs: ['b1', 'b2'] }) });
  expect(graded.result.output).toMatchObject({ found: [{ severity: 'HIGH' }] });
});

test('beliefs that the model made up, or only old ones, counted as a conflict', async () => {
  const { result } = await run([...subtle, belief('b3', 'new')], {
    more: { progress: { checked_belief_ids: ['b1', 'b2'] } },
    replies: conflicts({ beliefs: ['b1', 'b2'] }, { beliefs: ['b3', 'ghost'] }, { beliefs: ['b3', 'b3'] }),
  });
  expect(result.output).toMatchObject({ found: [] });
});

test('a failed check ended the run, or the words did not stand in for it', async () => {
  const down = [operationalError('MODEL_UNAVAILABLE', 'down')];
  const { result, decisions } = await run(opposed, { replies: down });
  expect(result.output).toMatchObject({ total: 1 });
  expect(decisions[0]).toMatchObject({ rule: 'model check failed', outcome: 'the comparison by words stands' });
  // the words do not speak where the check by meaning did
  expect((await run(opposed, { replies: conflicts() })).result.output).toMatchObject({ total: 0 });
  expect((await run(opposed, { replies: conflicts(), config: { lexical: 'on' } })).result.output).toMatchObject({ total: 1 });
});

test('a model was asked although nothing is new, a single belief has nothing to conflict with, or the trail was checked', async () => {
  const trail = [belief('c1', 'Completed: a'), belief('c2', 'Completed: b')];
  for (const [beliefs, checked] of [
    [subtle, ['b1', 'b2']],
    [[belief('b1', 'alone')], []],
    [trail, []],
  ] as const)
    expect((await run([...beliefs], { more: { progress: { checked_belief_ids: checked } } })).requests).toHaveLength(0);
  const skipped = await run(subtle, { more: { progress: { skipped_layers: ['semantic_contradiction'] } } });
  expect(skipped.requests).toHaveLength(0);
  expect(skipped.decisions[0]).toMatchObject({ rule: 'layer policy' });
});

test('a predicted conflict did not break the system, or an unpredicted one did', async () => {
  const high = opposed.map((entry) => ({ ...entry, confidence: 0.9 }));
  const predicted = { hypothesisSet: { active: [{ id: 'h', explanation: 'e', confidence: 1, discriminating_evidence: ['b1', 'b2'] }] } };
  const severity = async (more: Record<string, unknown>) => {
    const { result } = await run(high, { config: { semantic: false }, more });
    return result.output;
  };
  expect(await severity(predicted)).toMatchObject({ found: [{ severity: 'SYSTEM_BREAKING' }] });
  expect(await severity({})).toMatchObject({ found: [{ severity: 'HIGH' }] });
});

test('a belief about an edited file was set against the edit that it describes, or a later edit went unseen', async () => {
  const change = (timestamp: string) => ({ id: 'edit', description: '', affected_paths: ['a.ts'], timestamp });
  const found = async (timestamp: string, config = {}) => {
    const fake = fakeContext(contradiction, {
      config: { semantic: false, ...config },
      state: channelValues({
        worldModel: { beliefs: [{ ...belief('b1', 's'), derived_from: ['a.ts'] }], environment_change_log: [change(timestamp)] },
      }),
    });
    return (await executeContradiction.execute(fake.context)).output;
  };
  expect(await found('2025-12-31T00:00:00.000Z')).toMatchObject({ found: [] });
  expect(await found('2025-12-31T00:00:00.000Z', { earlierChanges: true })).toMatchObject({ found: [{ severity: 'HIGH' }] });
  expect(await found('2026-01-02T00:00:00.000Z')).toMatchObject({ found: [{ severity: 'MEDIUM' }] });
});
