import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import type { InboxMessage } from '@/harness/contract/execute';
import { fakeContext, type Scripted } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeCallerUpdates } from './execute';
import { callerUpdates } from './node';

const running = { taskGraph: { tasks: [{ id: 't1', description: 'sort the report', status: 'RUNNING' }] }, currentTask: 't1' };
const sent = (...texts: string[]): InboxMessage[] => texts.map((text, index) => ({ id: `m${index + 1}`, text, at: index }));

const run = async (inbox: InboxMessage[], options: { given?: Record<string, unknown>; config?: object; replies?: Scripted[] } = {}) => {
  const fake = fakeContext(callerUpdates, {
    inbox,
    state: channelValues(options.given ?? running),
    config: { ...options.config },
    replies: options.replies ?? [],
  });
  return { ...fake, result: await executeCallerUpdates.execute(fake.context) };
};
const classed = (scope: string, more = {}): Scripted => ({ object: { scope, urgency: 'deferred', ...more } });
const rules = { classify: false };

test('an empty inbox asked a model or changed something', async () => {
  const { result, requests } = await run([]);
  expect(result).toEqual({ port: 'next', output: { messages: [], constraints: [] } });
  expect(requests).toHaveLength(0);
});

test('a note did not reach the task at hand, or split a call from its result', async () => {
  const { result } = await run(sent('Use the short form'), { replies: [classed('SAME_TASK')] });
  expect(result).toMatchObject({
    port: 'next',
    output: { messages: [{ id: 'm1', destination: 'note' }] },
    writes: { conversation: { t1: [{ role: 'user', content: 'Use the short form' }] } },
  });
  const conversation = { t1: [{ role: 'assistant', content: '', tool_calls: [{ id: 'c', name: 'edit_file', arguments: {} }] }] };
  const waiting = await run(sent('Wait'), { given: { ...running, conversation }, replies: [classed('SAME_TASK')] });
  expect(waiting.result.writes).toMatchObject({ conversation: { t1: [{ role: 'user', content: 'Wait' }, { role: 'assistant' }] } });
});

test('a message was dropped: nothing can read the note, it is for later, or its class is unknown', async () => {
  const done = { taskGraph: { tasks: [{ id: 't1', description: 'd', status: 'COMPLETE' }] }, currentTask: 't1' };
  const handed_back = [{ id: 'm1', text: 'Look at B' }];
  for (const [given, reply] of [
    [done, classed('SAME_TASK')],
    [running, classed('SAME_GOAL_NEW_TASK')],
    [running, classed('NEW_GOAL', { urgency: 'immediate' })],
    [running, operationalError('MODEL_UNAVAILABLE', 'down')],
  ] as const) {
    const { result } = await run(sent('Look at B'), { given, replies: [reply] });
    expect(result).toMatchObject({
      port: 'next',
      output: { messages: [{ destination: 'next-turn' }] },
      writes: { progress: { handed_back } },
      handBack: ['m1'],
    });
  }
});

test('a call that failed was not named, or where the message went was no decision', async () => {
  const { decisions } = await run(sent('Look at B'), { replies: [operationalError('MODEL_UNAVAILABLE', 'down')] });
  expect(decisions).toMatchObject([
    { rule: 'model check failed', outcome: 'it counts as new work for later' },
    {
      rule: 'steering: SAME_GOAL_NEW_TASK, deferred',
      outcome: 'runs as a turn of its own',
      because: [{ name: 'message', value: 'Look at B' }, {}, {}],
    },
  ]);
});

test('work for later did not become a task although it should', async () => {
  const { result } = await run(sent('Look at B'), { config: { deferred: 'task' }, replies: [classed('SAME_GOAL_NEW_TASK')] });
  expect(result).toMatchObject({
    port: 'changed',
    writes: { taskGraph: { tasks: [{ id: 't1' }, { id: 'task-1', description: 'Look at B', status: 'PENDING' }] } },
  });
});

test('a constraint did not reach contract and control state, or lifting one had no effect', async () => {
  const { result } = await run(sent('Must not use tabs'), {
    config: rules,
    given: { ...running, callerState: { current_constraints: ['be brief'] } },
  });
  expect(result).toMatchObject({
    port: 'changed',
    writes: {
      callerState: { current_constraints: ['be brief', 'Must not use tabs'] },
      outputContract: { caller_specific_constraints: ['be brief', 'Must not use tabs'] },
      worldModel: { generation_id: 1 },
    },
  });
  const lifted = await run(sent('You may be long'), {
    given: { ...running, callerState: { current_constraints: ['be brief'] } },
    replies: [classed('SAME_TASK', { liftedConstraints: ['be brief'] })],
  });
  expect(lifted.result).toMatchObject({ port: 'changed', output: { constraints: [] } });
});

test('a cancellation left open tasks running, or what was asked instead got lost', async () => {
  const { result } = await run(sent('Also x', 'Stop, and write a summary'), { config: rules });
  expect(result).toMatchObject({
    port: 'cancelled',
    output: { messages: [{ destination: 'note' }, { destination: 'cancel' }] },
    writes: {
      taskGraph: { tasks: [{ status: 'BLOCKED', block_reason: 'goal_cancelled' }] },
      progress: { handed_back: [{ id: 'm2', text: 'write a summary' }] },
    },
  });
});

test('without tasks a note for the objective had nowhere to go', async () => {
  const { result } = await run(sent('Also x'), { config: rules, given: { goal: { objective: 'sort' } } });
  expect(result.writes).toMatchObject({ conversation: { objective: [{ content: 'Also x' }] } });
});
