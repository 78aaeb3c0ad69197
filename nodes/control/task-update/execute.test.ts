import { expect, test } from 'vitest';
import { fakeContext } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeTaskUpdate } from './execute';
import { taskUpdate } from './node';

const failing = {
  checks: [{ check: 'unit', tier: 'mechanical', status: 'FAIL', detail: 'exit 1' }],
  has_critical_failure: true,
  task_id: 't1',
};
const state = (parts: Record<string, unknown> = {}) =>
  channelValues({
    taskGraph: {
      tasks: [
        { id: 't1', description: 'first', status: 'RUNNING' },
        { id: 't2', description: 'second', status: 'BLOCKED', depends_on: ['t1'], blocked_by: 't1', block_reason: 'dependency_failed' },
      ],
    },
    currentTask: 't1',
    taskResults: { t1: { status: 'done', output: 'the answer' } },
    failureDiagnostics: {
      failure_history: [{ id: 'f', timestamp: '', failure_class: 'unknown', description: '', context: { task_id: 't1' } }],
    },
    ...parts,
  });
const statuses = (writes: Record<string, unknown> | undefined) =>
  JSON.stringify(writes?.taskGraph)
    .match(/"status":"\w+"/g)
    ?.map((text) => text.slice(10, -1));

test('a finished task left what waited for it blocked, or was not in journal, history and result', async () => {
  const fake = fakeContext(taskUpdate, { state: state() });
  const { output, writes } = await executeTaskUpdate.execute(fake.context);
  expect(output).toMatchObject({ task_id: 't1', completed: true, finished: 1, tasks: 2 });
  expect(statuses(writes)).toEqual(['COMPLETE', 'PENDING']);
  expect(writes?.memoryState).toMatchObject({ journal: [{ success: true, outcome: 'Done: first', verbatim: 'the answer' }] });
  expect(writes?.strategyState).toMatchObject({ completion_history: [1], risk_state_history: ['NORMAL'] });
  expect(writes?.progress).toEqual({ final_result: 'the answer' });
  expect(writes?.failureDiagnostics).toMatchObject({ failure_history: [{ handled: true }] });
});

test('a task whose own verification failed became COMPLETE (D4), and could not be let through either', async () => {
  const refused = fakeContext(taskUpdate, { state: state({ verification: failing }) });
  expect(statuses((await executeTaskUpdate.execute(refused.context)).writes)?.[0]).toBe('PENDING');
  expect(refused.decisions[0]).toMatchObject({ rule: 'verification failed', outcome: 't1 waits again' });
  const trusted = fakeContext(taskUpdate, { state: state({ verification: failing }), config: { requireVerified: false } });
  expect(statuses((await executeTaskUpdate.execute(trusted.context)).writes)?.[0]).toBe('COMPLETE');
  const other = fakeContext(taskUpdate, { state: state({ verification: { ...failing, task_id: 't9' } }) });
  expect(statuses((await executeTaskUpdate.execute(other.context)).writes)?.[0]).toBe('COMPLETE');
});

test('work that is not done was finished by a wrong edge', async () => {
  for (const status of ['continue', 'failed']) {
    const fake = fakeContext(taskUpdate, { state: state({ taskResults: { t1: { status } } }) });
    expect(statuses((await executeTaskUpdate.execute(fake.context)).writes)?.[0]).toBe('PENDING');
  }
});

test('a visit without a task, or of a finished one, changed something', async () => {
  const none = fakeContext(taskUpdate, { state: {} });
  expect(await executeTaskUpdate.execute(none.context)).toMatchObject({ output: { completed: false }, writes: {} });
  const again = fakeContext(taskUpdate, { state: state({ taskGraph: { tasks: [{ id: 't1', description: '', status: 'COMPLETE' }] } }) });
  expect(await executeTaskUpdate.execute(again.context)).toMatchObject({ output: { completed: false, finished: 1 }, writes: {} });
});

test('the journal kept more of a result than the inspector says', async () => {
  const fake = fakeContext(taskUpdate, { state: state(), config: { excerpt: 3 } });
  expect((await executeTaskUpdate.execute(fake.context)).writes?.memoryState).toMatchObject({ journal: [{ verbatim: 'the…' }] });
});
