import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import type { InboxMessage } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import type { ChatMessage, ModelReply } from '@/harness/contract/model';
import { type FakeOptions, fakeContext, type Scripted } from '../../testing/fake-context';
import { explore } from '../explore/node';
import { runToolLoop, type ToolLoop } from './tool-loop';

const calls = (...made: [name: string, input?: Json][]): Partial<ModelReply> => ({
  toolCalls: made.map(([name, input = {}], index) => ({ id: `c${index}`, name, arguments: input })),
});
const done = (summary = 'Done.'): Partial<ModelReply> => calls(['task_complete', { summary }]);
const reader = { name: 'read_file', run: () => ({ status: 'ok' as const, output: 'text' }) };

function run(replies: Scripted[], loop: Partial<ToolLoop> = {}, options: FakeOptions & { looks?: InboxMessage[][] } = {}) {
  const fake = fakeContext(explore, { tools: [reader], replies, ...options });
  if (options.looks) fake.context.inbox = async () => options.looks?.shift() ?? [];
  const result = runToolLoop(fake.context, {
    role: 'primary',
    messages: [{ role: 'user', content: 'Go' }],
    tools: null,
    loop: {},
    settings: fake.context.config,
    executing: false,
    ...loop,
  });
  return { fake, result };
}

const told = (messages: readonly ChatMessage[]): string => messages.map(({ content }) => content).join('\n');

test('calls of one reply that share an id got one answer, or answers of earlier replies were mixed up', async () => {
  const { result } = run([calls(['read_file', { path: 'a' }]), calls(['read_file', { path: 'b' }]), done()]);
  const ids = (await result).messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(3);
});

test('L27: calls behind a message of a person were carried out, or a pending completion ended the loop', async () => {
  const looks = [[], [{ id: 'm', text: 'Use B instead', at: 1 }]];
  const { fake, result } = run(
    [calls(['read_file', { path: 'a' }], ['read_file', { path: 'b' }], ['task_complete', { summary: 'x' }]), done('With B.')],
    { executing: true },
    { looks },
  );
  const ended = await result;
  expect(fake.calls.map(({ input }) => input)).toEqual([{ path: 'a' }]);
  expect(ended).toMatchObject({ summary: 'With B.', turns: 2 });
  expect(fake.requests[1]?.messages.at(-1)?.content).toContain('[USER INTERRUPT] Use B instead');
  // a provider wants an answer to each of the three calls
  expect(fake.requests[1]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
  expect(fake.decisions.map(({ rule }) => rule)).toContain('steering: message routed');
});

test('before execution a message of a person was taken away from the approval', async () => {
  const looks = [[{ id: 'm', text: 'Use B instead', at: 1 }]];
  expect(await run([done()], {}, { looks }).result).toMatchObject({ exit: 'task_complete', turns: 1 });
  expect(looks).toHaveLength(1);
});

test('the attached control loop was not read, or its empty fields went over the node’s own', async () => {
  const attachments = [{ id: 'p', type: 'control-loop', config: { maxTurns: null, textOnlyExit: 1, loopDetection: 0 } }];
  const one = await run([{ text: 'Nothing to do.' }], { loop: { maxTurns: 2 } }, { attachments }).result;
  expect(one).toMatchObject({ exit: 'text_only', turns: 1 });
  const replies = [calls(['read_file']), calls(['read_file'])];
  expect(await run(replies, { loop: { maxTurns: 2 } }, { attachments }).result).toMatchObject({ exit: 'turn_cap', turns: 2 });
});

test('a rebuild that failed ended the loop, or lost the conversation', async () => {
  const full = { ...calls(['read_file', { path: 'a' }]), usage: { inputTokens: 100_000, outputTokens: 1, cost: null } };
  const { fake, result } = run([full, done()], {
    messages: [
      { role: 'system', content: 'You explore.' },
      { role: 'user', content: 'Go' },
    ],
    refresh: () => {
      throw new Error('disk');
    },
  });
  expect(await result).toMatchObject({ exit: 'task_complete', turns: 2 });
  expect(told(fake.requests[1]?.messages ?? [])).toContain('You explore.');
  expect(fake.logs).toEqual(['warning: The context was not rebuilt: disk']);
});

const long = 'x'.repeat(30_000);
const big = { name: 'read_file', run: () => ({ status: 'ok' as const, output: long }) };

test('large output was neither compressed nor cut, or a failing worker failed the phase', async () => {
  const compressed = run([calls(['read_file']), { text: 'short version '.repeat(10) }, done()], {}, { tools: [big] });
  const text = (await compressed.result).calls[0]?.text ?? '';
  expect(text).toContain('[compressed from 30000 characters]');
  expect(compressed.fake.requests[1]).toMatchObject({ role: 'worker', maxOutputTokens: 1024 });
  const failed = run([calls(['read_file']), operationalError('MODEL_UNAVAILABLE', 'busy'), done()], {}, { tools: [big] });
  expect((await failed.result).calls[0]?.text).toContain('[cut after 22400 of 30000 characters]');
});

test('a switched-off worker was asked all the same', async () => {
  const { fake, result } = run([calls(['read_file']), done()], {}, { tools: [big], config: { compressOutput: false } });
  await result;
  expect(fake.requests.map(({ role }) => role)).toEqual(['primary', 'primary']);
});

test('P8: two failing test runs were not seen as such once their text was shortened, so a claim went unquestioned', async () => {
  const tests = {
    name: 'run_tests',
    run: () => ({ status: 'ok' as const, output: { exitCode: 1, output: 'FAILED (exit code 1)\nfine', savedTo: null } }),
  };
  const { fake, result } = run(
    [calls(['run_tests', { a: 1 }]), { ...calls(['run_tests', { a: 2 }]), text: 'This API was deprecated in version 3.' }, done()],
    {},
    { tools: [tests] },
  );
  const ended = await result;
  expect(ended.calls[0]).toMatchObject({ exit_code: 1, text: 'FAILED (exit code 1)\nfine' });
  expect(ended.events.map(({ kind }) => kind)).toContain('claim_unverified');
  expect(told(fake.requests[2]?.messages ?? [])).toContain('Search the current documentation');
});

test('a small window was shown whole files and all hits', async () => {
  const found = { name: 'grep_files', run: () => ({ status: 'ok' as const, output: { hits: [], truncated: false } }) };
  const { fake, result } = run(
    [calls(['read_file', { path: 'a' }], ['read_file', { path: 'a', limit: 900 }], ['grep_files', { pattern: 'x', maxHits: 500 }]), done()],
    {},
    { tools: [reader, found], config: { contextWindow: 32_768 } },
  );
  await result;
  expect(fake.calls.map(({ input }) => input)).toEqual([
    { path: 'a', limit: 200 },
    { path: 'a', limit: 900 },
    { pattern: 'x', maxHits: 30 },
  ]);
});

test('an unknown tool, arguments that are no object, or a refused call threw instead of being told', async () => {
  const refusing = { name: 'create_file', run: () => ({ status: 'denied' as const, message: 'ERROR: the file is locked' }) };
  const { result } = run(
    [calls(['invented'], ['read_file', 'nonsense'], ['create_file', { path: 'a' }]), done()],
    {},
    { tools: [reader, refusing] },
  );
  const ended = await result;
  expect(ended.calls.map(({ status, text }) => `${status} ${text.slice(0, 40)}`)).toEqual([
    'failed ERROR: there is no tool "invented" here.',
    'failed ERROR: the arguments must be one JSON ob',
    'denied ERROR: the file is locked',
    'ok Accepted.',
  ]);
});
