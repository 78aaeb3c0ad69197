import { expect, test } from 'vitest';
import type { ModelReply } from '@/harness/contract/model';
import { fakeContext } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executeClarify } from './execute';
import { clarify } from './node';

const ask = (question: string): Partial<ModelReply> => ({
  toolCalls: [{ id: 'q', name: 'request_clarification', arguments: { question } }],
});
const run = (fake: ReturnType<typeof fakeContext<typeof clarify>>) => executeClarify.execute(fake.context);
const state = planningValues({ planTask: { task: 'Add links', context: 'A shop in TypeScript.' } });

test('L14: a clear task cost tool calls or a second model call', async () => {
  const fake = fakeContext(clarify, { state, replies: [{ text: 'The task is clear.' }] });
  const result = await run(fake);
  expect(result.output).toMatchObject({ prose: 'The task is clear.', tool_calls: [], clarifications: [], exit: 'text_only', turns: 1 });
  expect(result.writes).toMatchObject({ phase1Summary: { prose: 'The task is clear.' } });
  expect(fake.calls).toEqual([]);
});

test.each([
  ['answered', { choice: 'answered', values: { answer: 'One hour' } }, 'User answered: One hour'],
  ['empty', { choice: 'answered', values: { answer: '  ' } }, 'ASSUMPTION'],
  ['cancelled', { choice: 'cancelled' }, 'ERROR: the user declined'],
  ['disconnected', { choice: 'timeout' }, 'ERROR: nobody answered'],
] as const)('L15: a question that ended as %s was told otherwise', async (outcome, answer, said) => {
  const fake = fakeContext(clarify, { state, replies: [ask('How long?'), { text: 'Understood.' }], answers: [answer] });
  const result = await run(fake);
  expect(result.output).toMatchObject({ prose: 'Understood.', clarifications: [{ question: 'How long?', outcome }] });
  expect(fake.requests[1]?.messages.at(-1)?.content).toContain(said);
  expect(fake.decisions.map(({ rule }) => rule)).toContain('clarification_needed');
});

test('an empty question was put to a person', async () => {
  const fake = fakeContext(clarify, { state, replies: [ask('  '), { text: 'Understood.' }] });
  expect((await run(fake)).output).toMatchObject({ clarifications: [{ outcome: 'error' }] });
  expect(fake.asks).toEqual([]);
});

test('no turns: tools were offered, or more than one call was made', async () => {
  const fake = fakeContext(clarify, {
    state,
    config: { maxTurns: 0 },
    tools: [{ name: 'read_file', run: () => ({ status: 'ok', output: '' }) }],
    replies: [{ text: '', toolCalls: [{ id: 'a', name: 'read_file', arguments: { path: 'a' } }] }],
  });
  await run(fake);
  expect(fake.requests).toHaveLength(1);
  expect(fake.requests[0]?.tools).toBeUndefined();
  expect(fake.calls).toEqual([]);
});

test('L28: a memory that nobody confirmed was shown', async () => {
  const row = (id: string, curation_status: string) => ({ id, content: `Links ${id} expire.`, category: 'gotcha', curation_status });
  const fake = fakeContext(clarify, {
    state: { ...state, ...planningValues({ workspaceMemories: [row('sure', 'user_confirmed'), row('unsure', 'auto')] }) },
    replies: [{ text: 'Clear.' }],
  });
  await run(fake);
  const shown = JSON.stringify(fake.requests[0]?.messages);
  expect(shown).toContain('Links sure expire');
  expect(shown).not.toContain('Links unsure expire');
});
