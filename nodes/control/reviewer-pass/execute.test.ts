import { expect, test } from 'vitest';
import type { FakeOptions } from '../../testing/fake-context';
import { fakeContext } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeReviewerPass } from './execute';
import { reviewerPass } from './node';

const belief = (id: string, statement: string, from: string, confidence = 1) => ({
  id,
  statement,
  confidence,
  derived_from: [from],
  recorded_at: '',
});
const conflict = {
  id: 'c1',
  type: 'pairwise',
  severity: 'HIGH',
  scope: 'local',
  description: 'b1 against b2',
  involved_belief_ids: ['b1', 'b2'],
};
const observed = (id: string, task_id: string) => ({ id, content: '', source: 's', recorded_at: '', task_id });
const state = (parts: Record<string, unknown> = {}) =>
  channelValues({
    taskGraph: {
      tasks: [
        { id: 't1', description: 'first', status: 'COMPLETE' },
        { id: 't10', description: 'tenth', status: 'COMPLETE' },
      ],
    },
    goal: { risk: 'LOW' },
    worldModel: {
      observations: [observed('o1', 't1')],
      beliefs: [belief('b1', 'the sum is right', 'o1'), belief('b2', 'the sum is not right', 'o1')],
      contradictions: [conflict],
    },
    taskResults: { t1: { status: 'done', output: 'x' } },
    progress: { final_result: 'x' },
    ...parts,
  });
const review = async (options: FakeOptions) => {
  const fake = fakeContext(reviewerPass, options);
  return { ...(await executeReviewerPass.execute(fake.context)), fake };
};

test('a finding reopened a task whose id merely occurs in its text (D5), or did not say why', async () => {
  const result = await review({ state: state() });
  expect(result).toMatchObject({ port: 'reopen', output: { reopened: ['t1'], verdict: { severity: 'HIGH' } } });
  expect(result.writes?.taskGraph).toMatchObject({
    tasks: [
      { id: 't1', status: 'PENDING' },
      { id: 't10', status: 'COMPLETE' },
    ],
  });
  expect(JSON.stringify(result.writes?.conversation)).toContain('Unresolved HIGH contradiction');
  expect(result.writes?.verdict).toMatchObject({ lens: 'reviewer' });
  const byText = state({ worldModel: { contradictions: [{ ...conflict, description: 'about t10' }] } });
  expect((await review({ state: byText })).output).toMatchObject({ reopened: [] });
  expect((await review({ state: byText, config: { reopenBy: 'text' } })).output).toMatchObject({ reopened: ['t1', 't10'] });
});

test('the review went round for ever', async () => {
  const spent = await review({ state: state({ progress: { reviewer_passes: 2 } }) });
  expect(spent).toMatchObject({ port: 'release', output: { reopened: [] } });
  expect(spent.output).toMatchObject({ summary: expect.stringContaining('Unresolved HIGH') });
  expect(spent.fake.decisions.at(-1)).toMatchObject({ rule: 'reviewer passes used up' });
  expect((await review({ state: state({ progress: { reviewer_passes: 2 } }), config: { maxPasses: 3 } })).port).toBe('reopen');
});

test('a failed adversarial result was computed and thrown away (D10)', async () => {
  const failed = state({ worldModel: {}, goal: { risk: 'HIGH' }, progress: { adversarial_failures: ['t10'] } });
  const result = await review({ state: failed });
  expect(result).toMatchObject({ port: 'reopen', output: { reopened: ['t10'] } });
  expect(result.writes?.progress).toMatchObject({ adversarial_failures: [], reviewer_passes: 1 });
  expect((await review({ state: failed, config: { adversarial: false } })).port).toBe('release');
});

test('a criterion that a model finds met was still reported, or a claim without evidence was believed', async () => {
  const open = {
    worldModel: { beliefs: [belief('b1', 'totals add up', 'o1')] },
    callerState: { success_criteria: ['the sum is correct'] },
  };
  const answer = (ids: string[]) => ({ object: { criteria: [{ number: 1, covered: true, evidence_ids: ids }] } });
  const findings = async (ids: string[]) =>
    (await review({ state: state(open), config: { coverByModel: true }, replies: [answer(ids)] })).output;
  expect(await findings(['b1'])).toMatchObject({ findings: [] });
  expect(await findings(['nothing'])).toMatchObject({ findings: [{ lens: 'implementer' }] });
  expect((await review({ state: state(open) })).output).toMatchObject({ findings: [{ lens: 'implementer' }] });
});

test('beliefs stayed more certain than what they rest on', async () => {
  const graph = {
    belief_nodes: [
      { belief_id: 'o1', confidence: 0.4 },
      { belief_id: 'b1', confidence: 1 },
    ],
    derived_from_edges: [{ from: 'o1', to: 'b1', confidence: 0.5, verified: false }],
  };
  const { writes } = await review({ state: state({ worldModel: { beliefs: [belief('b1', 's', 'o1')] }, beliefDepGraph: graph }) });
  expect(writes?.worldModel).toMatchObject({ beliefs: [{ confidence: 0.2 }] });
});

test('the reply could not name what a failed task kept from running (D6)', async () => {
  const tasks = [
    { id: 'a', description: 'build', status: 'FAILED' },
    { id: 'b', description: 'ship', status: 'BLOCKED', blocked_by: 'a', block_reason: 'dependency_failed' },
  ];
  const { output } = await review({ state: state({ worldModel: {}, taskGraph: { tasks } }) });
  expect(output).toMatchObject({ unfinished: ['"build" is failed.', '"ship" is blocked ("build" failed).'] });
});

test('a run learned without being told to, or learned nothing when it was', async () => {
  const journal = [
    { step: 1, action_class: 'DIRECT_EDIT', outcome: '', success: false, failure_class: 'SCOPE_CREEP' },
    { step: 2, action_class: 'MINIMAL_FIX', outcome: '', success: true },
  ];
  const parts = state({ worldModel: {}, memoryState: { journal } });
  expect((await review({ state: parts })).writes).not.toHaveProperty('experienceStore');
  const { writes } = await review({ state: parts, config: { learn: true } });
  expect(writes?.experienceStore).toMatchObject({ available: true, strategy_weights: { 'MINIMAL_FIX:SCOPE_CREEP': expect.closeTo(0.65) } });
});

test('a run without any layer did not get through', async () => {
  expect((await review({ state: {} })).port).toBe('release');
});

test('the conflict that reopened a task stayed on record, so no second attempt could pass its consistency check', async () => {
  const result = await review({ state: state() });
  expect(result.writes).toMatchObject({
    worldModel: { beliefs: [], contradictions: [], generation_id: 1 },
    progress: { retired_belief_ids: ['b1', 'b2'] },
  });
  const kept = await review({ state: state(), config: { withdraw: false } });
  expect(JSON.stringify(kept.writes?.worldModel ?? state().worldModel)).toContain('b1 against b2');
  const released = await review({ state: state({ progress: { reviewer_passes: 2 } }) });
  expect(released.port).toBe('release');
  expect(released.writes?.progress).not.toHaveProperty('retired_belief_ids');
});
