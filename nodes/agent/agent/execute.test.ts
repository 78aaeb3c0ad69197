import { expect, test } from 'vitest';
import type { ToolCall } from '@/harness/contract/model';
import { codeOf, type FakeOptions, type FakeTool, fakeContext, type Scripted } from '../../testing/fake-context';
import { executeAgent } from './execute';
import { agent } from './node';

const grep: FakeTool = { name: 'grep', run: () => ({ status: 'ok', output: { matches: [{ path: 'a.ts', line: 7, text: 'parse()' }] } }) };
const call = (name: string, args: ToolCall['arguments'] = {}, id = 'c1'): ToolCall => ({ id, name, arguments: args });
const calling = (...toolCalls: ToolCall[]): Scripted => ({ toolCalls });
const agentWith = (options: FakeOptions) => fakeContext(agent, { input: { message: 'Where?' }, tools: [grep], ...options });

/** A run that must stop early, as an object whatever the output's type. */
const outputOf = async (fake: ReturnType<typeof agentWith>): Promise<Record<string, unknown>> =>
  JSON.parse(JSON.stringify((await executeAgent.execute(fake.context)).output));

test('the loop lost the tool result, or the citation of what it showed', async () => {
  const fake = agentWith({ replies: [calling(call('grep', { pattern: 'parse' })), { text: 'It is in a.ts:7.' }] });
  expect(await outputOf(fake)).toEqual({
    text: 'It is in a.ts:7.',
    finish: 'stop',
    turns: 2,
    toolCalls: [
      { tool: 'grep', input: { pattern: 'parse' }, status: 'ok', output: { matches: [{ path: 'a.ts', line: 7, text: 'parse()' }] } },
    ],
    citations: [{ file: 'a.ts', line: 7, endLine: 7, seen: true, quote: 'parse()' }],
  });
  expect(fake.requests[1]?.messages.slice(-2)).toEqual([
    { role: 'assistant', content: '', toolCalls: [call('grep', { pattern: 'parse' })] },
    { role: 'tool', toolCallId: 'c1', toolName: 'grep', content: '{"matches":[{"path":"a.ts","line":7,"text":"parse()"}]}' },
  ]);
  expect(fake.decisions).toMatchObject([
    { outcome: 'stop', because: [{ name: 'turns', value: 2, threshold: 12, holds: true }, { value: 1 }, { value: 1 }] },
  ]);
});

test('an unknown tool or arguments that are no object threw instead of being told to the model', async () => {
  const fake = agentWith({
    replies: [calling(call('fly', {}, 'x'), call('grep', 'not json', 'y'), call('grep', '{"pattern":"p"}', 'z')), { text: 'done' }],
  });
  const output = await outputOf(fake);
  expect(output.toolCalls).toMatchObject([{ status: 'unknown' }, { status: 'invalid' }, { status: 'ok', input: { pattern: 'p' } }]);
  const tools = fake.requests[1]?.messages.filter((message) => message.role === 'tool') ?? [];
  expect(tools.map((message) => [message.toolCallId, message.isError])).toEqual([
    ['x', true],
    ['y', true],
    ['z', undefined],
  ]);
  expect(tools[0]?.content).toContain('Tools: grep');
  expect(fake.calls).toHaveLength(1);
});

test('a refused or failed call ended the agent', async () => {
  const tools: FakeTool[] = [
    { name: 'write', run: () => ({ status: 'denied', message: 'read only here' }) },
    { name: 'read', run: () => ({ status: 'failed', code: 'TOOL_FAILED', message: 'no such file' }) },
  ];
  const fake = agentWith({ tools, replies: [calling(call('write', {}, 'a'), call('read', {}, 'b')), { text: 'sorry' }] });
  expect(await outputOf(fake)).toMatchObject({
    finish: 'stop',
    toolCalls: [
      { status: 'denied', output: 'read only here' },
      { status: 'failed', output: 'no such file' },
    ],
  });
});

test('the same call was made again and again', async () => {
  const same = calling(call('grep', { a: 1, b: 2 }));
  const fake = agentWith({ config: { repeatLimit: 2 }, replies: [same, calling(call('grep', { b: 2, a: 1 })), { text: 'ok' }] });
  expect(await outputOf(fake)).toMatchObject({ toolCalls: [{ status: 'ok' }, { status: 'repeated' }] });
  expect(fake.calls).toHaveLength(1);
  expect(fake.decisions[0]).toMatchObject({ rule: 'same call again', because: [{ value: 2, threshold: 2 }] });
  const free = agentWith({ config: { repeatLimit: 0 }, replies: [same, same, same, { text: 'ok' }] });
  expect(await outputOf(free)).toMatchObject({ toolCalls: [{ status: 'ok' }, { status: 'ok' }, { status: 'ok' }] });
});

test('an agent that never answers went on past its turns', async () => {
  const endless = (): Scripted[] => [calling(call('grep', { n: 1 })), calling(call('grep', { n: 2 })), { text: 'Best so far: a.ts:7' }];
  const finish = agentWith({ config: { maxTurns: 2 }, replies: endless() });
  expect(await outputOf(finish)).toMatchObject({ finish: 'turn-limit', turns: 2, text: '' });
  expect(finish.decisions.at(-1)).toMatchObject({ outcome: 'turn-limit', because: [{ value: 2, threshold: 2, holds: false }, {}, {}] });
  const answer = agentWith({ config: { maxTurns: 2, onTurnLimit: 'answer' }, replies: endless() });
  expect(await outputOf(answer)).toMatchObject({ finish: 'turn-limit', turns: 3, text: 'Best so far: a.ts:7' });
  expect(answer.requests[2]?.tools).toBeUndefined();
  const fail = agentWith({ config: { maxTurns: 2, onTurnLimit: 'fail' }, replies: endless() });
  expect(await codeOf(() => executeAgent.execute(fail.context))).toBe('AGENT_TURN_LIMIT');
});

test('an answer without any tool was accepted although the settings say otherwise', async () => {
  const accept = agentWith({ replies: [{ text: 'from memory' }] });
  expect(await outputOf(accept)).toMatchObject({ text: 'from memory', turns: 1 });
  const nudge = agentWith({ config: { textOnly: 'nudge' }, replies: [{ text: 'from memory' }, { text: 'still from memory' }] });
  expect(await outputOf(nudge)).toMatchObject({ text: 'still from memory', turns: 2 });
  expect(nudge.decisions[0]).toMatchObject({ outcome: 'remind once' });
  const fail = agentWith({ config: { textOnly: 'fail' }, replies: [{ text: 'from memory' }] });
  expect(await codeOf(() => executeAgent.execute(fail.context))).toBe('AGENT_NO_TOOLS');
  const none = agentWith({ config: { textOnly: 'fail' }, tools: [], replies: [{ text: 'no tools, fine' }] });
  expect(await outputOf(none)).toMatchObject({ text: 'no tools, fine' });
});

test('a tool outside the list was offered, or a missing one went unmentioned', async () => {
  const other: FakeTool = { name: 'delete', effect: 'write', run: () => ({ status: 'ok', output: null }) };
  const fake = agentWith({ tools: [grep, other], config: { tools: ['grep', 'gone'] }, replies: [calling(call('delete')), { text: 'x' }] });
  expect(await outputOf(fake)).toMatchObject({ toolCalls: [{ status: 'unknown' }] });
  expect(fake.requests[0]?.tools?.map((tool) => tool.name)).toEqual(['grep']);
  expect(fake.logs).toEqual([expect.stringContaining('gone')]);
  expect(fake.calls).toEqual([]);
});

test('several calls ran in one turn although only one may', async () => {
  const fake = agentWith({
    config: { parallelTools: false },
    replies: [calling(call('grep', { n: 1 }, 'a'), call('grep', { n: 2 }, 'b')), { text: 'x' }],
  });
  expect(await outputOf(fake)).toMatchObject({ toolCalls: [{ status: 'ok' }, { status: 'skipped' }] });
  expect(fake.requests[1]?.messages.filter((message) => message.role === 'tool')).toHaveLength(2);
});

test('a tool result longer than allowed filled the context', async () => {
  const long: FakeTool = { name: 'grep', run: () => ({ status: 'ok', output: 'x'.repeat(500) }) };
  const fake = agentWith({ tools: [long], config: { maxToolResultChars: 200 }, replies: [calling(call('grep')), { text: 'x' }] });
  expect(await outputOf(fake)).toMatchObject({ toolCalls: [{ output: 'x'.repeat(500) }] });
  expect(fake.requests[1]?.messages.at(-1)?.content).toBe(`${'x'.repeat(200)}\n[cut: 300 more characters. Ask for less.]`);
});

test('the final object was asked for although the answer already was one, or never checked', async () => {
  const schema = { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] };
  const direct = agentWith({ config: { schema }, replies: [calling(call('grep')), { text: '{"file":"a.ts"}' }] });
  expect(await outputOf(direct)).toMatchObject({ object: { file: 'a.ts' } });
  const asked = agentWith({ config: { schema }, replies: [calling(call('grep')), { text: 'It is a.ts' }, { object: { file: 'a.ts' } }] });
  expect(await outputOf(asked)).toMatchObject({ text: 'It is a.ts', object: { file: 'a.ts' } });
  const bad = agentWith({ config: { schema }, replies: [{ text: 'It is a.ts' }, { text: 'no' }, { text: 'no' }] });
  expect(await codeOf(() => executeAgent.execute(bad.context))).toBe('MODEL_BAD_REPLY');
});
