import { expect, test } from 'vitest';
import { codeOf, type FakeOptions, fakeContext } from '../../testing/fake-context';
import { type ControlChannelId, channelValues } from '../support/state';
import { toolProposal } from '../support/work';
import { executeActionGate } from './execute';
import { actionGate } from './node';

type State = { [K in ControlChannelId]?: unknown };
const call = { id: 'w', name: 'edit_file', arguments: { path: 'a.js', find: 'x', replace: 'y' } };
const write: State = { proposal: toolProposal('t', call), conversation: { t: [{ role: 'assistant', tool_calls: [call] }] } };
const gating = (state: State = {}, options: Omit<FakeOptions, 'state'> = {}) =>
  fakeContext(actionGate, {
    ...options,
    state: channelValues({
      taskGraph: { tasks: [{ id: 't', description: 'Mend', status: 'RUNNING' }] },
      currentTask: 't',
      controlState: { generation_id: 1 },
      worldModel: { generation_id: 1 },
      ...state,
    }),
  });
const run = (state?: State, options?: Omit<FakeOptions, 'state'>) => executeActionGate.execute(gating(state, options).context);
const denied = {
  generation_id: 1,
  permission: 'DENY',
  block_mask: [{ dimension: 'symptom_coverage', value: 0.1, recovery_action_class: 'coverage_expand' }],
};

test('a pass was not on record, so nothing could be executed', async () => {
  expect(await run(write)).toMatchObject({
    port: 'pass',
    output: { result: 'PASS', kind: 'tool', proposal: 'edit_file a.js\n-x\n+y' },
    writes: { proposal: { gate: 'PASS', call_id: 'w' }, progress: { gates: [{ task_id: 't', result: 'PASS' }] } },
  });
});

test('a denied state let the write through, or the task stayed RUNNING and was never chosen again', async () => {
  const fake = gating({ ...write, controlState: denied });
  expect(await executeActionGate.execute(fake.context)).toMatchObject({
    port: 'block',
    writes: { proposal: { gate: 'BLOCK' }, taskGraph: { tasks: [{ status: 'PENDING' }] }, progress: { gates: [{ result: 'BLOCK' }] } },
  });
  expect(fake.decisions[0]).toMatchObject({
    outcome: 'BLOCK',
    because: expect.arrayContaining([{ name: 'symptom_coverage', value: '0.1, recover by coverage_expand' }]),
  });
});

test('a required person was not called', async () => {
  const human = { generation_id: 1, permission: 'DENY', escalation_reason: 'HUMAN_REQUIRED' };
  expect((await run({ controlState: human })).port).toBe('escalate');
});

test('a required dimension in the block mask passed although the rest is allowed', async () => {
  const mask = { ...denied, permission: 'ALLOW' };
  expect((await run({ controlState: mask })).port).toBe('pass');
  expect((await run({ controlState: mask }, { config: { requiredResources: ['symptom_coverage'] } })).port).toBe('block');
});

test('a control state behind the world model was acted on', async () => {
  const behind = { controlState: { generation_id: 1 }, worldModel: { generation_id: 2 } };
  const fake = gating(behind);
  expect(await codeOf(() => executeActionGate.execute(fake.context))).toBe('STALENESS');
  expect(fake.decisions[0]).toMatchObject({ rule: 'staleness gate', because: [{ value: 1, threshold: 2, distance: 1, holds: false }] });
  expect((await run(behind, { config: { whenStale: 'block' } })).port).toBe('block');
});

test('a flow without a control state layer could never act', async () => {
  const fake = gating({ controlState: {}, worldModel: { generation_id: 4 } });
  expect((await executeActionGate.execute(fake.context)).port).toBe('pass');
  expect(fake.decisions[0]?.note).toContain('No control state was resolved');
});

test('the record of gates grew with every visit', async () => {
  const gates = [
    { task_id: 't', result: 'BLOCK' },
    { task_id: 'done', result: 'PASS' },
    { task_id: 'u', result: 'PASS' },
  ];
  const tasks = ['t', 'done', 'u'].map((id) => ({ id, description: id, status: id === 'done' ? 'COMPLETE' : 'RUNNING' }));
  expect((await run({ progress: { gates }, taskGraph: { tasks } })).writes?.progress).toEqual({
    gates: [
      { task_id: 'u', result: 'PASS' },
      { task_id: 't', result: 'PASS' },
    ],
  });
});

test('D10: risk never reached the approval policy, or a task as such was put to a person', async () => {
  const config = { approvalFrom: 'HIGH' };
  const high = { taskGraph: { tasks: [{ id: 't', description: 'Mend', status: 'RUNNING', risk_level: 'HIGH' }] } };
  const yes = gating({ ...write, ...high }, { config, answers: [{ choice: 'approve' }] });
  expect((await executeActionGate.execute(yes.context)).port).toBe('pass');
  expect(yes.asks[0]?.ask).toMatchObject({ shown: { tool: 'edit_file', risk: 'HIGH' }, body: expect.stringContaining('+y') });
  const no = gating({ ...write, ...high }, { config, answers: [{ choice: 'reject', comment: 'not on Friday' }] });
  expect(await executeActionGate.execute(no.context)).toMatchObject({
    port: 'block',
    writes: { conversation: { t: [{}, { role: 'tool', tool_call_id: 'w', content: expect.stringContaining('not on Friday') }] } },
  });
  expect((await run(high, { config })).port).toBe('pass');
  expect((await run(write, { config })).port).toBe('pass');
});

test('a person was asked about something that is blocked anyway', async () => {
  const fake = gating({ ...write, controlState: denied }, { config: { approvalFrom: 'LOW' } });
  expect((await executeActionGate.execute(fake.context)).port).toBe('block');
  expect(fake.asks).toEqual([]);
});
