import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import type { ToolOutcome } from '@/harness/contract/execute';
import { codeOf, type FakeOptions, fakeContext } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeRecoveryAction } from './execute';
import { recoveryAction } from './node';

const at = '2026-01-01T00:00:00.000Z';
const belief = (id: string, derived_from: string[], statement = id) => ({ id, statement, confidence: 0.9, derived_from, recorded_at: at });
const evidence = (id: string, reliability = 'HIGH', obs = `says ${id}`) => ({
  id,
  obs,
  reliability,
  source: 'read_file',
  evidence_type: 'OBSERVATION',
  freshness: at,
});
const blocked = (...entries: [dimension: string, action: string][]) => ({
  block_mask: entries.map(([dimension, recovery_action_class]) => ({ dimension, value: 0.1, recovery_action_class })),
});

const run = async (given: Record<string, unknown>, options: Omit<FakeOptions, 'state'> = {}) => {
  const fake = fakeContext(recoveryAction, { ...options, state: channelValues(given) });
  return { ...fake, result: await executeRecoveryAction.execute(fake.context) };
};
const reader = (outcomes: Record<string, ToolOutcome>, effect: 'read' | 'write' = 'read') => [
  {
    name: 'read_file',
    effect,
    run: (input: unknown): ToolOutcome =>
      outcomes[(input as { path: string }).path] ?? { status: 'failed', code: 'TOOL_PATH_MISSING', message: 'missing' },
  },
];
const ok = (content: string): ToolOutcome => ({ status: 'ok', output: { path: 'p', content } });

const stale = {
  controlState: blocked(['belief_freshness', 'belief_refresh']),
  worldModel: { beliefs: [belief('b1', ['a.ts']), belief('b2', ['gone.ts'])], stale_flags: { b1: true, b2: true }, generation_id: 3 },
};

test('stale beliefs kept their flags although their sources were read again (D3)', async () => {
  const { result, calls } = await run(stale, { tools: reader({ 'a.ts': ok('still there') }) });
  expect(calls).toEqual([
    { tool: 'read_file', input: { path: 'a.ts' } },
    { tool: 'read_file', input: { path: 'gone.ts' } },
  ]);
  expect(result).toMatchObject({
    port: 'repaired',
    writes: { worldModel: { beliefs: [{ id: 'b1' }], stale_flags: {}, generation_id: 4 }, progress: { retired_belief_ids: ['b2'] } },
  });
});

test('recovery used a tool that writes, read more than it may, or took a refusal for a missing source', async () => {
  expect((await run(stale, { tools: reader({}, 'write') })).calls).toEqual([]);
  expect((await run(stale, { tools: reader({}), config: { maxRereads: 1 } })).calls).toHaveLength(1);
  expect((await run(stale, { tools: reader({}), config: { fileTool: '' } })).calls).toEqual([]);
  const denied = await run(stale, {
    tools: reader({ 'a.ts': { status: 'denied', message: 'no' }, 'gone.ts': { status: 'failed', code: 'X', message: 'busy' } }),
  });
  expect(denied.result).toMatchObject({ port: 'unchanged', output: { wants: ['a.ts', 'gone.ts'] } });
  expect(denied.result.writes).not.toHaveProperty('worldModel');
});

const conflict = {
  id: 'c1',
  type: 'pairwise',
  severity: 'MEDIUM',
  scope: 'local',
  description: 'on or off',
  involved_belief_ids: ['b1', 'b2'],
};
const disputed = (reliability: string) => ({
  controlState: blocked(['belief_consistency', 'consistency_repair']),
  worldModel: { beliefs: [belief('b1', ['e1'], 'it is on'), belief('b2', ['e2'], 'it is off')], contradictions: [conflict] },
  evidenceStore: { observations: [evidence('e1'), evidence('e2', reliability)] },
});
const judging = { judgeConflicts: true };
const verdict = (fields: object) => [
  { object: { verdicts: [{ contradiction: 'c1', verdict: 'give_up', give_up: ['b2'], reason: 'e1 is newer', ...fields }] } },
];

test('a model or a person was asked although the evidence settles the conflict', async () => {
  const { result, requests, asks } = await run(disputed('LOW'), { config: { ...judging, askPeople: true } });
  expect([requests, asks]).toEqual([[], []]);
  expect(result).toMatchObject({ port: 'repaired', writes: { worldModel: { beliefs: [{ id: 'b1' }], contradictions: [] } } });
});

test('a model’s judgement was not followed, or one that names no loser was', async () => {
  const { result, requests, decisions } = await run(disputed('HIGH'), { config: judging, replies: verdict({}) });
  expect(requests[0]?.messages[1]?.content).toContain('says e1');
  expect(result.writes).toMatchObject({ worldModel: { beliefs: [{ id: 'b1' }] } });
  expect(decisions).toContainEqual(expect.objectContaining({ rule: 'conflict settled by a model', outcome: 'c1: b2 given up' }));
  for (const fields of [{ verdict: 'undecided' }, { give_up: ['ghost'] }, { give_up: ['b1', 'b2'] }, { contradiction: 'c9' }])
    expect((await run(disputed('HIGH'), { config: judging, replies: verdict(fields) })).result.port).toBe('unchanged');
  const both = await run(disputed('HIGH'), { config: judging, replies: verdict({ verdict: 'no_conflict' }) });
  expect(both.result.writes).toMatchObject({ worldModel: { beliefs: [{}, {}], contradictions: [] } });
});

test('a failed judgement ended the run, or nobody was asked although a person should be', async () => {
  const down = [operationalError('MODEL_UNAVAILABLE', 'down')];
  const config = { ...judging, askPeople: true };
  const { result, asks, decisions } = await run(disputed('HIGH'), { config, replies: down, answers: [{ choice: 'keep-2' }] });
  expect(decisions[0]).toMatchObject({ rule: 'model check failed', outcome: 'a person is asked' });
  expect(asks[0]?.ask.choices.map(({ id }) => id)).toEqual(['keep-1', 'keep-2', 'both', 'open']);
  expect(result.writes).toMatchObject({ worldModel: { beliefs: [{ id: 'b2' }] }, progress: { retired_belief_ids: ['b1'] } });
  const open = await run(disputed('HIGH'), { config: { askPeople: true }, answers: [{ choice: 'open' }] });
  expect(open.result.port).toBe('unchanged');
  expect((await run(disputed('HIGH'))).asks).toEqual([]);
});

test('a class that changes nothing twice in a row called nobody, or the number in the inspector did not count (D3, D11)', async () => {
  const given = (count: number) => ({
    ...disputed('HIGH'),
    progress: { recovery_log: { unchanged: { 'belief_consistency:consistency_repair': count } } },
  });
  expect((await run(given(0))).result.output).toMatchObject({ escalated: [] });
  const { result, decisions } = await run(given(1));
  expect(result).toMatchObject({
    port: 'unchanged',
    output: { escalated: ['belief_consistency'] },
    writes: {
      progress: { escalations: [{ dimension: 'belief_consistency', source: 'consistency_repair changed nothing 2 times in a row' }] },
    },
  });
  expect(decisions.at(-1)).toMatchObject({ outcome: 'unchanged, a person is needed for belief_consistency' });
  expect((await run(given(1), { config: { unchangedToEscalate: 3 } })).result.output).toMatchObject({ escalated: [] });
});

test('a tool that is gone still counted as available, or a source that is no tool as gone', async () => {
  const envelope = { tool: 'fetch_url', max_observation_reliability: 'HIGH', max_conclusion_reliability: 'HIGH' };
  const { result } = await run(
    {
      controlState: blocked(['verification_feasibility', 'feasibility_check']),
      evidenceStore: {
        tool_availability_manifest: { fetch_url: { available: true }, crawler: { available: true }, execution_engine: { available: true } },
        tool_reliability_envelopes: { fetch_url: envelope },
      },
    },
    { tools: reader({}) },
  );
  expect(result.writes).toMatchObject({
    evidenceStore: {
      tool_availability_manifest: {
        fetch_url: { available: false },
        crawler: { available: true },
        execution_engine: { available: true },
        read_file: { available: true },
      },
    },
  });
});

test('blocked dimensions were answered by a label: every class must change state', async () => {
  const observation = { id: 'o1', content: 'odd', source: 's', recorded_at: at };
  const coverage = await run({
    controlState: blocked(['symptom_coverage', 'coverage_expand']),
    worldModel: { observations: [observation] },
  });
  expect(coverage.result.writes).toMatchObject({ hypothesisSet: { active: [{ id: 'explains_o1' }] } });
  const failed = { tasks: [{ id: 't', description: 'd', status: 'FAILED' }] };
  const retry = await run({ controlState: blocked(['progress_rate', 'execution_retry']), taskGraph: failed });
  expect(retry.result.writes).toMatchObject({ taskGraph: { tasks: [{ status: 'PENDING', retried: true }] } });
  const steady = await run({ controlState: blocked(['oscillation_score', 'oscillation_stabilise']), taskGraph: failed });
  expect(steady.result.writes).toMatchObject({ taskGraph: { serial: true } });
  const matched_pattern = { failure_class: 'X', confidence: 1, matched_pattern: 'x', strategy_affinity: 'REIMPLEMENT' };
  const affinity = await run({
    controlState: blocked(['failure_recurrence', 'failure_recovery']),
    failureDiagnostics: { matched_pattern },
  });
  expect(affinity.result.writes).toMatchObject({ strategyState: { current_strategy: 'REIMPLEMENT' } });
});

test('a run that is not blocked was changed', async () => {
  expect((await run({})).result).toEqual({ port: 'unchanged', output: { dimensions: [], repaired: false, wants: [], escalated: [] } });
});

test('it wrote control state (INV-06)', async () => {
  expect(await codeOf(() => run(stale, { tools: reader({}) }))).toBeNull();
  expect((await run(stale, { tools: reader({}) })).result.writes).not.toHaveProperty('controlState');
});
