import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import type { VisitResult } from '@/harness/contract/execute';
import { fakeContext, type Scripted } from '../../testing/fake-context';
import type { WorkMessage } from '../channels';
import { channelValues, stateOf } from '../support/state';
import { executeContextCompression } from './execute';
import { contextCompression } from './node';

const talk = (count: number): WorkMessage[] =>
  Array.from({ length: count }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: `message ${index} ${'x'.repeat(20)}` }));
const run = async (given: Record<string, unknown>, config = {}, replies: Scripted[] = []) => {
  const fake = fakeContext(contextCompression, { state: channelValues(given), config, replies });
  return { ...fake, result: await executeContextCompression.execute(fake.context) };
};
const written = (result: VisitResult) => stateOf({ state: result.writes ?? {} });
const kept = (result: VisitResult): WorkMessage[] => written(result).conversation.t ?? [];
const memoryIn = (result: VisitResult) => written(result).memoryState;

test('a long conversation was not folded, a short one was, or the limit of the inspector did not count', async () => {
  expect((await run({ conversation: { t: talk(40) } })).result.output).toMatchObject({ folded: 0 });
  const { result, decisions } = await run({ conversation: { t: talk(41) } });
  expect(result.output).toMatchObject({ folded: 31 });
  expect(kept(result)).toHaveLength(11);
  expect(kept(result)[0]).toMatchObject({ role: 'user', content: expect.stringContaining('message 0') });
  expect(decisions[0]).toMatchObject({
    because: [{ name: 'messages', value: 41, operator: '>', threshold: 40, holds: true }, {}, {}, { name: 'task', value: 't' }],
  });
  expect((await run({ conversation: { t: talk(8) } }, { maxMessages: 6, keep: 2 })).result.output).toMatchObject({ folded: 6 });
});

test('a result of a tool was left without the call that it answers', async () => {
  const messages: WorkMessage[] = [
    ...talk(4),
    { role: 'assistant', content: '', tool_calls: [{ id: 'c1', name: 'read_file', arguments: { path: 'a' } }] },
    { role: 'tool', content: 'text', tool_call_id: 'c1' },
    { role: 'assistant', content: 'done' },
  ];
  const { result } = await run({ conversation: { t: messages } }, { maxMessages: 5, keep: 2 });
  expect(kept(result).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});

test('a summary was not used, or a failed one lost the messages', async () => {
  const config = { semantic: true, maxMessages: 4, keep: 2 };
  const good = await run({ conversation: { t: talk(6) } }, config, [{ object: { summary: 'They agreed on 42.' } }]);
  expect(kept(good.result)[0]?.content).toContain('They agreed on 42.');
  const bad = await run({ conversation: { t: talk(6) } }, config, [operationalError('MODEL_UNAVAILABLE', 'down')]);
  expect(kept(bad.result)[0]?.content).toContain('message 0');
  expect(bad.decisions[0]).toMatchObject({ rule: 'model check failed' });
});

test('conversations of finished tasks were folded, which nobody reads any more', async () => {
  const taskGraph = { tasks: [{ id: 't', description: 'd', status: 'COMPLETE' }] };
  expect((await run({ conversation: { t: talk(60) }, taskGraph })).result.output).toMatchObject({ folded: 0 });
});

const passing = (step: number) => ({ step, action_class: 'a', outcome: 'o', verbatim: 'words', success: true });

test('the journal kept every word, or forgot a failure', async () => {
  const journal = [{ ...passing(1), success: false }, passing(2), passing(3)];
  const { result } = await run({ memoryState: { journal } }, { journal: { max_passing_verbatim: 1 } });
  expect(result.writes).toMatchObject({
    memoryState: { journal: [{ step: 1, verbatim: 'words' }, { step: 2 }, { step: 3, verbatim: 'words' }] },
  });
  expect(memoryIn(result).journal[1]).not.toHaveProperty('verbatim');
});

test('a used-up token budget dropped nothing, or an ample one did', async () => {
  const memoryState = { token_budget: { total: 100 }, compressed_structures: Array.from({ length: 12 }, (_, index) => ({ index })) };
  const structures = async (total: number) => {
    const { result } = await run({ memoryState: { ...memoryState, token_budget: { total } }, conversation: { t: talk(12) } });
    return memoryIn(result).compressed_structures.length;
  };
  expect(await structures(90)).toBe(10);
  expect(await structures(9000)).toBe(12);
});
