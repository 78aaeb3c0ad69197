import { expect, test } from 'vitest';
import { type FakeOptions, fakeContext } from '../../testing/fake-context';
import { type ControlChannelId, channelValues } from '../support/state';
import { executePlanning } from './execute';
import { planning } from './node';

type State = { [K in ControlChannelId]?: unknown };
const planningWith = (state: State, options: Omit<FakeOptions, 'state'> = {}) =>
  fakeContext(planning, { ...options, state: channelValues(state) });
const tasks = (...list: object[]) => ({ taskGraph: { tasks: list } });
const a = { id: 'a', description: 'do a' };
const b = { id: 'b', description: 'do b' };

test('the chosen task was not RUNNING, not current, or the step was not counted', async () => {
  const fake = planningWith(tasks({ ...a, risk_level: 'HIGH' }, b));
  expect(await executePlanning.execute(fake.context)).toMatchObject({
    port: 'task',
    output: { task_id: 'a', task: 'do a', reason: 'task' },
    writes: {
      currentTask: 'a',
      taskGraph: { tasks: [{ status: 'RUNNING' }, { status: 'PENDING' }] },
      progress: { steps_used: 1 },
      taskResults: { a: { status: 'continue', turns: 0 } },
    },
  });
});

test('two tasks walked with one current task between them', async () => {
  const result = await executePlanning.execute(planningWith(tasks(a, b)).context);
  expect(result).toMatchObject({
    dispatch: [
      { port: 'task', output: { task_id: 'a' }, writes: { currentTask: 'a' } },
      { port: 'task', output: { task_id: 'b' }, writes: { currentTask: 'b' } },
    ],
    writes: { taskGraph: { tasks: [{ status: 'RUNNING' }, { status: 'RUNNING' }] }, progress: { steps_used: 1 } },
  });
  expect(result.writes).not.toHaveProperty('currentTask');
});

test('the setting for one at a time, or for the order of risks, changed nothing', async () => {
  const alone = await executePlanning.execute(planningWith(tasks(a, b), { config: { parallel: false } }).context);
  expect(alone.dispatch).toBeUndefined();
  const low = { config: { riskOrder: ['LOW', 'MEDIUM', 'HIGH'] } };
  const graph = tasks({ ...a, risk_level: 'HIGH' }, { ...b, risk_level: 'LOW' });
  expect((await executePlanning.execute(planningWith(graph, low).context)).output).toMatchObject({ task_id: 'b' });
  expect((await executePlanning.execute(planningWith(graph).context)).output).toMatchObject({ task_id: 'a' });
});

test('after a merge one branch lost the write that waits for it', async () => {
  const waiting = (id: string) => [
    { role: 'assistant', tool_calls: [{ id, name: 'edit_file', arguments: { path: id, find: 'x', replace: 'y' } }] },
  ];
  const fake = planningWith({
    ...tasks({ ...a, status: 'RUNNING' }, { ...b, status: 'RUNNING' }),
    conversation: { a: waiting('wa'), b: waiting('wb') },
    // the channel could keep only one of the two
    proposal: { task_id: 'b', kind: 'tool', text: 'x', tool: 'edit_file', call_id: 'wb', gate: 'PASS' },
    taskResults: { a: { status: 'continue', turns: 2 }, b: { status: 'continue', turns: 1 } },
  });
  const result = await executePlanning.execute(fake.context);
  expect(result.dispatch?.map(({ writes }) => writes?.proposal)).toMatchObject([
    { task_id: 'a', call_id: 'wa', gate: null },
    { task_id: 'b', call_id: 'wb', gate: null },
  ]);
  expect(result.writes).not.toHaveProperty('taskResults');
});

test('a task that is tried again kept its old result, or was not told why it is open', async () => {
  const conversation = { a: [{ role: 'assistant', content: '', tool_calls: [{ id: 'w', name: 'edit_file', arguments: {} }] }] };
  const fake = planningWith({
    ...tasks(a),
    conversation,
    taskResults: { a: { status: 'failed', error: 'ENOENT: x', turns: 9, recorded: true } },
    strategyState: { current_strategy: 'TRACE_EXEC' },
  });
  const { writes } = await executePlanning.execute(fake.context);
  expect(writes).toMatchObject({ taskResults: { a: { status: 'continue', turns: 0, error: null } } });
  expect(writes).toMatchObject({
    conversation: {
      a: [{}, { role: 'tool', tool_call_id: 'w' }, { role: 'user', content: expect.stringMatching(/ENOENT: x[\s\S]*TRACE_EXEC/) }],
    },
  });
});

test('the failed check that sent a task back was not told', async () => {
  const fake = planningWith({
    ...tasks(a),
    conversation: { a: [{ role: 'assistant', content: 'done' }] },
    taskResults: { a: { status: 'done', output: 'done' } },
    verification: { task_id: 'a', checks: [{ check: 'unit', tier: 'mechanical', status: 'FAIL', detail: '3 of 41 failed' }] },
  });
  const { writes } = await executePlanning.execute(fake.context);
  expect(JSON.stringify(writes)).toContain('unit: 3 of 41 failed');
});

test('a task sent back by a gate got all its turns again', async () => {
  const fake = planningWith({ ...tasks(a), taskResults: { a: { status: 'continue', turns: 5 } } });
  expect((await executePlanning.execute(fake.context)).writes).not.toHaveProperty('taskResults');
});

test('all complete, nothing to run and a needed person left by the wrong port', async () => {
  const done = await executePlanning.execute(planningWith(tasks({ ...a, status: 'COMPLETE' })).context);
  expect(done).toMatchObject({ port: 'complete', output: { reason: 'complete', open: [] } });
  const person = await executePlanning.execute(
    planningWith({ ...tasks(a), controlState: { escalation_reason: 'HUMAN_REQUIRED' } }).context,
  );
  expect(person).toMatchObject({ port: 'nothing-eligible', writes: { progress: { blocker: { reason: 'cannot_make_progress' } } } });
  expect(await executePlanning.execute(planningWith({}).context)).toMatchObject({ port: 'nothing-eligible', output: { reason: 'empty' } });
});

test('D6: a failed task kept others from running and the reply did not say so', async () => {
  const stuck = planningWith({
    ...tasks(
      { ...a, status: 'FAILED' },
      { ...b, status: 'BLOCKED', depends_on: ['a'], block_reason: 'dependency_failed', blocked_by: 'a' },
    ),
    taskResults: { a: { status: 'failed', error: 'no access', recorded: true } },
  });
  const result = await executePlanning.execute(stuck.context);
  expect(result).toMatchObject({
    output: { reason: 'stuck', message: 'Could not complete: "do a" (no access)\n"do a" failed, so these did not run: "do b"' },
    writes: { progress: { final_result: 'Could not complete: "do a" (no access)' } },
  });
});

test('a run that was stuck without any failure ended with an empty reply', async () => {
  const waits = { ...tasks({ ...a, status: 'RUNNING' }), taskResults: { a: { status: 'done', output: 'x', recorded: true } } };
  expect(await executePlanning.execute(planningWith(waits).context)).toMatchObject({
    output: { reason: 'stuck' },
    writes: {
      progress: {
        blocker: {
          reason: 'cannot_make_progress',
          current_task_summary: 'No task can run; 1 task is open.',
          missing_info: ['a: its result (done) was not settled'],
        },
      },
    },
  });
});

test('what an earlier task had produced was overwritten by “could not complete”', async () => {
  const fake = planningWith({ ...tasks({ ...a, status: 'FAILED' }), progress: { final_result: 'half of it' } });
  expect((await executePlanning.execute(fake.context)).writes).not.toHaveProperty('progress');
});

test('the step limit did not stop the run, or did not name itself', async () => {
  const state = { ...tasks(a), goal: { max_steps: 2 }, progress: { steps_used: 2 } };
  const fake = planningWith(state);
  expect(await executePlanning.execute(fake.context)).toMatchObject({
    port: 'nothing-eligible',
    output: { reason: 'budget_exhausted' },
    writes: { progress: { blocker: { reason: 'budget_exhausted' } } },
  });
  expect(fake.decisions.at(-1)).toMatchObject({ rule: 'step budget', because: [{ value: 3, threshold: 2, distance: 1, holds: true }] });
  const more = { ...state, progress: { steps_used: 2, extra_steps: 1 } };
  expect(await executePlanning.execute(planningWith(more).context)).toMatchObject({ port: 'task' });
});

test('a person who let the run go on, stopped it or said more was not heard', async () => {
  const state = { ...tasks(a), goal: { max_steps: 2 }, progress: { steps_used: 2 } };
  const config = { onExhausted: 'ask', extension: 7 };
  const asked = (choice: string, comment?: string) =>
    planningWith(state, { config, answers: [{ choice, ...(comment ? { comment } : {}) }] });
  const on = asked('continue');
  expect(await executePlanning.execute(on.context)).toMatchObject({
    port: 'task',
    writes: { progress: { steps_used: 3, extra_steps: 7 } },
  });
  expect(on.asks[0]?.ask.choices[0]?.label).toBe('Continue for 7 more steps');
  expect(await executePlanning.execute(asked('stop').context)).toMatchObject({
    port: 'nothing-eligible',
    writes: { taskGraph: { tasks: [{ status: 'BLOCKED', block_reason: 'goal_cancelled' }] } },
  });
  expect((await executePlanning.execute(asked('clarify', 'only the tests').context)).writes).toMatchObject({
    conversation: { a: [{ role: 'user', content: 'A person says: only the tests' }] },
  });
});
