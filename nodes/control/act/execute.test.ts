import { expect, test } from 'vitest';
import { operationalError, unexpectedError, userError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { ToolCall } from '@/harness/contract/model';
import { codeOf, type FakeOptions, type FakeTool, fakeContext, type Scripted } from '../../testing/fake-context';
import type { Proposal, TaskResult, ToolResult, WorkMessage } from '../channels';
import { type ControlChannelId, channelValues } from '../support/state';
import { toolProposal } from '../support/work';
import { executeAct } from './execute';
import { act } from './node';

const read: FakeTool = {
  name: 'read_file',
  run: (input) => ({ status: 'ok', output: { path: 'a.js', content: `1: ${JSON.stringify(input)}` } }),
};
const edit: FakeTool = { name: 'edit_file', effect: 'write', run: () => ({ status: 'ok', output: { path: 'src/a.js', replaced: 1 } }) };
const call = (name: string, args: Json = {}, id = 'c1'): ToolCall => ({ id, name, arguments: args });
const calling = (...toolCalls: ToolCall[]): Scripted => ({ toolCalls });
const editing = (id = 'w1', find = 'x') => call('edit_file', { path: 'src/a.js', find, replace: 'y' }, id);

const passed = { steps_used: 3, gates: [{ task_id: 't1', result: 'PASS' }] };
type State = { [K in ControlChannelId]?: unknown };
const stateWith = (state: State = {}): State => ({
  taskGraph: { tasks: [{ id: 't1', description: 'Fix a', status: 'RUNNING' }] },
  currentTask: 't1',
  progress: passed,
  ...state,
});
const acting = ({ state, ...options }: Omit<FakeOptions, 'state'> & { state?: State } = {}) =>
  fakeContext(act, { tools: [read, edit], input: { message: 'Please' }, ...options, state: channelValues(stateWith(state)) });

interface Result {
  port: string;
  output: { status: string; text: string; error: string | null; turns: number; calls: { status: string }[]; waiting: string | null };
  writes: {
    conversation: Record<string, WorkMessage[]>;
    taskResults?: Record<string, TaskResult>;
    proposal?: Proposal | null;
    toolResults?: ToolResult[];
    worldModel?: { environment_change_log: { affected_paths: string[]; id: string }[] };
  };
}
const visit = async (fake: ReturnType<typeof acting>): Promise<Result> => {
  const result: Result = JSON.parse(JSON.stringify(await executeAct.execute(fake.context)));
  return result;
};
/** The state in which the next visit finds what this one wrote, with the gate's answer to the proposal. */
const after = (result: Result, gate: 'PASS' | null = 'PASS'): State => ({
  conversation: result.writes.conversation,
  ...(result.writes.taskResults ? { taskResults: result.writes.taskResults } : {}),
  ...(result.writes.proposal ? { proposal: { ...result.writes.proposal, gate } } : {}),
});
const told = (result: Result): string[] =>
  (result.writes.conversation.t1 ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content);

test('INV-15: a task was worked on without a gate that let it pass', async () => {
  for (const gates of [[], [{ task_id: 't1', result: 'BLOCK' }], [{ task_id: 'other', result: 'PASS' }]]) {
    const fake = acting({ state: { progress: { gates } }, replies: [{ text: 'done' }] });
    expect(await codeOf(() => executeAct.execute(fake.context))).toBe('INV_15');
    expect(fake.requests).toHaveLength(0);
  }
});

test('an answer did not end the task, or its result was lost', async () => {
  const result = await visit(acting({ replies: [{ text: 'Fixed it.' }] }));
  expect(result.port).toBe('done');
  expect(result.output).toMatchObject({ status: 'done', text: 'Fixed it.', turns: 1, waiting: null });
  expect(result.writes.taskResults?.t1).toMatchObject({
    status: 'done',
    output: 'Fixed it.',
    turns: 1,
    step: 3,
    recorded: false,
    error: null,
  });
});

test('a read waited for the gates, or its result did not reach the model and the evidence', async () => {
  const fake = acting({ replies: [calling(call('read_file', { path: 'a.js' }))] });
  const result = await visit(fake);
  expect(result.port).toBe('continue');
  expect(fake.calls).toHaveLength(1);
  expect(result.writes.toolResults).toMatchObject([{ tool: 'read_file', status: 'ok', effect: 'read', paths: [], task_id: 't1' }]);
  const next = acting({ state: after(result), replies: [{ text: 'ok' }] });
  expect((await visit(next)).output).toMatchObject({ status: 'done', turns: 2 });
  expect(next.requests[0]?.messages.slice(-2)).toMatchObject([
    { role: 'assistant', toolCalls: [{ id: 'c1' }] },
    { role: 'tool', toolCallId: 'c1', toolName: 'read_file' },
  ]);
});

test('a write was carried out before the gates saw it', async () => {
  const fake = acting({ replies: [calling(editing())] });
  const result = await visit(fake);
  expect(fake.calls).toEqual([]);
  expect(result.port).toBe('continue');
  expect(result.writes.proposal).toMatchObject({ kind: 'tool', tool: 'edit_file', call_id: 'w1', gate: null, diff: '-x\n+y' });
  expect(result.output.waiting).toBe('edit_file src/a.js\n-x\n+y');
  expect(result.writes.worldModel).toBeUndefined();
});

test('the write that the gate passed was not carried out, or carried out twice', async () => {
  const first = await visit(acting({ replies: [calling(editing())] }));
  const fake = acting({ state: after(first), replies: [{ text: 'Edited.' }], now: 1_700_000_000_000 });
  const result = await visit(fake);
  expect(fake.calls).toEqual([{ tool: 'edit_file', input: { path: 'src/a.js', find: 'x', replace: 'y' } }]);
  expect(result.writes.proposal).toBeNull();
  expect(result.writes.worldModel?.environment_change_log).toMatchObject([
    { affected_paths: ['src/a.js'], description: 'edit_file src/a.js', timestamp: '2023-11-14T22:13:20.000Z' },
  ]);
  expect(result.writes.taskResults?.t1).toMatchObject({ status: 'done', changed_paths: ['src/a.js'] });
});

test('INV-15: a write whose own gate is missing was carried out on the pass of another', async () => {
  const first = await visit(acting({ replies: [calling(editing())] }));
  const undecided = acting({ state: after(first, null), replies: [] });
  expect(await codeOf(() => executeAct.execute(undecided.context))).toBe('INV_15');
  const other = { ...toolProposal('t1', editing('w9')), gate: 'PASS' };
  const swapped = acting({ state: { ...after(first), proposal: other }, replies: [] });
  expect(await codeOf(() => executeAct.execute(swapped.context))).toBe('INV_15');
  expect([undecided.calls, swapped.calls]).toEqual([[], []]);
});

test('several writes of one reply went through on one pass, or all but the first were lost', async () => {
  const replies = [calling(editing('w1', 'a'), call('read_file', {}, 'r1'), editing('w2', 'b'), editing('w3', 'c'))];
  let result = await visit(acting({ replies }));
  let state = after(result);
  const made: string[] = [];
  for (const waiting of ['w1', 'w2', 'w3']) {
    expect(result.writes.proposal?.call_id).toBe(waiting);
    const fake = acting({ state, replies: waiting === 'w3' ? [{ text: 'all done' }] : [] });
    result = await visit(fake);
    // what did not change is not written again
    state = { ...state, ...after(result) };
    made.push(...fake.calls.map(({ tool }) => tool));
  }
  expect(made).toEqual(['edit_file', 'read_file', 'edit_file', 'edit_file']);
  expect(result.output).toMatchObject({ status: 'done', turns: 2 });
});

test('writes are not gated: they waited all the same', async () => {
  const fake = acting({ config: { gateWrites: false }, replies: [calling(editing())] });
  const result = await visit(fake);
  expect(fake.calls).toHaveLength(1);
  expect(result.output.waiting).toBeNull();
});

test('an unknown tool, broken arguments or ones that do not fit threw, or cost a round through the gates', async () => {
  const strict = { ...edit, name: 'strict' };
  const fake = acting({
    replies: [
      calling(call('fly', {}, 'a'), call('read_file', 'not json', 'b'), call('read_file', '{"path":"x"}', 'c'), call('strict', 7, 'd')),
    ],
    tools: [read, strict],
  });
  const result = await visit(fake);
  expect(result.output.calls.map(({ status }) => status)).toEqual(['unknown', 'invalid', 'ok', 'invalid']);
  expect(told(result)[0]).toContain('Tools: read_file, strict');
  expect(fake.calls).toEqual([{ tool: 'read_file', input: { path: 'x' } }]);
  // only the call that was made says anything about the world
  expect(result.writes.toolResults).toHaveLength(1);
  const tools = fake.context.tools().map((tool) => ({ ...tool, inputSchema: { type: 'object', required: ['path'] } }));
  const checked = acting({ replies: [calling(call('edit_file', {}, 'w'))] });
  checked.context.tools = () => tools.map((tool) => ({ ...tool, name: tool.name === 'strict' ? 'edit_file' : tool.name }));
  const refused = await visit(checked);
  expect(refused.output.calls).toMatchObject([{ status: 'invalid' }]);
  expect(refused.writes.proposal ?? null).toBeNull();
});

test('a refused or failed call ended the task', async () => {
  const tools: FakeTool[] = [
    { name: 'a', run: () => ({ status: 'denied', message: 'read only here' }) },
    { name: 'b', run: () => ({ status: 'failed', code: 'TOOL_FAILED', message: 'ENOENT: no such file' }) },
    { name: 'c', run: () => ({ status: 'failed', code: 'TOOL_INPUT', message: 'offset is beyond its end' }) },
  ];
  const result = await visit(acting({ tools, replies: [calling(call('a', {}, '1'), call('b', {}, '2'), call('c', {}, '3'))] }));
  expect(result.port).toBe('continue');
  expect(result.output.calls.map(({ status }) => status)).toEqual(['denied', 'failed', 'invalid']);
  expect(told(result)).toEqual(['Error: Refused: read only here', 'Error: ENOENT: no such file', 'Error: offset is beyond its end']);
  expect(result.writes.toolResults?.map(({ status }) => status)).toEqual(['denied', 'failed']);
});

test('an empty reply counted as done, or was asked again for ever', async () => {
  const first = await visit(acting({ replies: [{ text: '  ' }] }));
  expect(first.port).toBe('continue');
  const second = acting({ state: after(first), replies: [{ text: '' }] });
  const result = await visit(second);
  expect(second.requests[0]?.messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining('was empty') });
  expect(result.port).toBe('failed');
  expect(result.writes.taskResults?.t1).toMatchObject({ status: 'failed', failure: 'not_accomplished' });
  const patient = acting({ state: after(first), config: { emptyLimit: 3 }, replies: [{ text: '' }] });
  expect((await visit(patient)).port).toBe('continue');
  expect(patient.decisions[0]).toMatchObject({ rule: 'empty reply', because: [{ value: 2, threshold: 3, distance: 1, holds: false }] });
});

test('a reply that was cut off lost its first half', async () => {
  const first = await visit(acting({ replies: [{ text: 'The answer is for', finish: 'length' }] }));
  expect(first.output).toMatchObject({ status: 'continue' });
  const second = await visit(acting({ state: after(first), replies: [{ text: 'ty-', finish: 'length' }] }));
  const third = await visit(acting({ state: after(second), replies: [{ text: 'two.' }] }));
  expect(third.output).toMatchObject({ status: 'done', text: 'The answer is forty-two.', turns: 3 });
});

test('endless text grew without bound', async () => {
  const config = { maxReplyChars: 200 };
  const result = await visit(acting({ config, replies: [{ text: 'a'.repeat(5000) }] }));
  expect(result.output.text).toMatch(/^a{200}\n\[cut: 4800 more characters\]$/);
  const endless = await visit(acting({ config, replies: [{ text: 'b'.repeat(5000), finish: 'length' }] }));
  expect(endless.port).toBe('done');
  expect((endless.writes.conversation.t1?.at(-1)?.content.length ?? 0) < 300).toBe(true);
});

test('the same call was made again and again, or not even after a change in between', async () => {
  const config = { repeatLimit: 2, gateWrites: false };
  const same = calling(call('read_file', { a: 1, b: 2 }));
  const first = await visit(acting({ config, replies: [same] }));
  const fake = acting({ config, state: after(first), replies: [calling(call('read_file', { b: 2, a: 1 }))] });
  const second = await visit(fake);
  expect(second.output.calls).toMatchObject([{ status: 'repeated' }]);
  expect(fake.calls).toEqual([]);
  expect(fake.decisions[0]).toMatchObject({ rule: 'same call again', because: [{ value: 2, threshold: 2 }] });
  const changed = await visit(acting({ config, state: after(second), replies: [calling(editing())] }));
  const again = acting({ config, state: after(changed), replies: [same] });
  expect((await visit(again)).output.calls).toMatchObject([{ status: 'ok' }]);
  const free = acting({ config: { ...config, repeatLimit: 0 }, state: after(first), replies: [same] });
  expect((await visit(free)).output.calls).toMatchObject([{ status: 'ok' }]);
});

test('a failing model ended the run instead of the attempt, or its symptom was not named', async () => {
  const fake = acting({ replies: [operationalError('MODEL_UNAVAILABLE', 'connect ECONNREFUSED')] });
  const result = await visit(fake);
  expect(result.port).toBe('failed');
  expect(result.writes.taskResults?.t1).toMatchObject({ failure: 'system_error', error: 'MODEL_UNAVAILABLE: connect ECONNREFUSED' });
  expect(fake.decisions.at(-1)?.because).toContainEqual({ name: 'symptom', value: 'connection refused' });
  const thrown = acting({ config: { onModelError: 'error' }, replies: [operationalError('MODEL_UNAVAILABLE', 'x')] });
  expect(await codeOf(() => executeAct.execute(thrown.context))).toBe('MODEL_UNAVAILABLE');
});

test('a used-up budget or a fault of ours was taken for a failing model', async () => {
  for (const error of [userError('BUDGET_REACHED', 'no more'), unexpectedError('BROKEN', 'x')]) {
    expect(await codeOf(() => executeAct.execute(acting({ replies: [error] }).context))).toBe(error.code);
  }
});

test('an agent that never answers went on past its turns', async () => {
  const config = { maxTurns: 1 };
  const first = await visit(acting({ config, replies: [calling(call('read_file'))] }));
  const fake = acting({ config, state: after(first), replies: [] });
  const over = await visit(fake);
  expect(over.writes.taskResults?.t1).toMatchObject({ status: 'failed', failure: 'exhausted' });
  expect(fake.decisions.at(-1)?.because[0]).toMatchObject({ value: 1, threshold: 1 });
  const asked = acting({ config: { ...config, onTurnLimit: 'answer' }, state: after(first), replies: [{ text: 'best so far' }] });
  expect((await visit(asked)).output).toMatchObject({ status: 'done', text: 'best so far' });
  expect(asked.requests[0]?.tools).toBeUndefined();
});

test('a second attempt was charged with the turns of the first', async () => {
  const result = await visit(
    acting({
      config: { maxTurns: 2 },
      state: { taskResults: { t1: { status: 'failed', turns: 2, changed_paths: ['old'] } } },
      replies: [{ text: 'ok' }],
    }),
  );
  expect(result.writes.taskResults?.t1).toMatchObject({ status: 'done', turns: 1, changed_paths: [] });
});

test('more calls than one reply may hold were all made', async () => {
  const calls = ['1', '2', '3'].map((id) => call('read_file', { id }, id));
  const fake = acting({ config: { maxCalls: 2 }, replies: [calling(...calls)] });
  expect((await visit(fake)).output.calls.map(({ status }) => status)).toEqual(['ok', 'ok', 'skipped']);
  expect(fake.calls).toHaveLength(2);
});

test('calls that share an id answered for one another', async () => {
  const first = await visit(
    acting({ replies: [calling(call('read_file', { n: 1 }, 'c'), call('read_file', { n: 2 }, 'c'), call('read_file', { n: 3 }, ''))] }),
  );
  expect(first.writes.conversation.t1?.[0]?.tool_calls?.map(({ id }) => id)).toEqual(['c', 'c-2', 'call-2']);
  expect(new Set(first.writes.toolResults?.map(({ id }) => id)).size).toBe(3);
  const second = await visit(acting({ state: after(first), replies: [calling(call('read_file', { n: 4 }, 'c'))] }));
  expect(told(second)).toHaveLength(4);
});

test('a tool result was told whole, however long', async () => {
  const long: FakeTool = { name: 'read_file', run: () => ({ status: 'ok', output: 'z'.repeat(900) }) };
  const result = await visit(acting({ tools: [long], config: { maxToolResultChars: 300 }, replies: [calling(call('read_file'))] }));
  expect(told(result)[0]).toMatch(/^z{300}\n\[cut: 600 more/);
  expect(result.writes.toolResults?.[0]?.output).toHaveLength(900);
});

test('the content filter counted as an answer', async () => {
  const result = await visit(acting({ replies: [{ text: 'I ', finish: 'content-filter' }] }));
  expect(result.writes.taskResults?.t1).toMatchObject({ status: 'failed', failure: 'not_accomplished' });
});

test('strategy, constraints, evidence and earlier results did not reach the agent', async () => {
  const fake = acting({
    state: {
      taskGraph: {
        tasks: [
          { id: 't0', description: 'Look', status: 'COMPLETE' },
          { id: 't1', description: 'Fix a', status: 'RUNNING', depends_on: ['t0'] },
        ],
      },
      goal: { objective: 'All tests pass' },
      taskResults: { t0: { status: 'done', output: 'the cause is in b.js' } },
      strategyState: { current_strategy: 'TRACE_EXEC' },
      callerState: { current_constraints: ['touch only src'], success_criteria: ['npm test passes'] },
      evidenceStore: {
        observations: [{ id: 'e', obs: 'b.js throws', reliability: 'LOW', source: 'grep', evidence_type: 'OBSERVATION', freshness: '' }],
      },
      controlState: { execution_mode: 'CAUTIOUS', notes: ['Coverage gap'] },
    },
    config: { strategies: { TRACE_EXEC: 'Run it first.' } },
    replies: [{ text: 'ok' }],
  });
  await visit(fake);
  const [system, known, task] = fake.requests[0]?.messages ?? [];
  for (const part of ['TRACE_EXEC: Run it first.', 'touch only src', 'npm test passes', 'Be cautious', 'Coverage gap'])
    expect(system?.content).toContain(part);
  for (const part of ['Look: the cause is in b.js', '[LOW] b.js throws']) expect(known?.content).toContain(part);
  expect(task?.content).toBe('The whole of which this is a part: All tests pass\n\nTask: Fix a');
});

test('braces in a task were evaluated as a template', async () => {
  const fake = acting({
    state: { taskGraph: { tasks: [{ id: 't1', description: 'print {{nothing.here}}' }] } },
    replies: [{ text: 'ok' }],
  });
  await visit(fake);
  expect(fake.requests[0]?.messages.at(-1)?.content).toBe('Task: print {{nothing.here}}');
});

test('without any task the objective was not worked on', async () => {
  const fake = acting({
    state: { currentTask: null, progress: { gates: [{ task_id: 'objective', result: 'PASS' }] } },
    replies: [{ text: 'ok' }],
  });
  const result = await visit(fake);
  expect(fake.requests[0]?.messages.at(-1)?.content).toBe('Task: Please');
  expect(result.writes.taskResults?.objective).toMatchObject({ status: 'done' });
});

test('an answer that did not do the task counted as done', async () => {
  const config = { checkCompletion: true };
  const not = await visit(
    acting({ config, replies: [{ text: 'I will do it.' }, { object: { done: false, missing: 'nothing was edited' } }] }),
  );
  expect(not.writes.taskResults?.t1).toMatchObject({
    status: 'failed',
    failure: 'not_accomplished',
    error: 'The task was not done: nothing was edited',
  });
  const open = acting({ config, replies: [{ text: 'Did it.' }, operationalError('MODEL_UNAVAILABLE', 'down')] });
  expect((await visit(open)).port).toBe('done');
  expect(open.decisions[0]).toMatchObject({ rule: 'model check failed', outcome: 'the task counts as done' });
});

test('a note that came while a call waited stood between the call and its answer', async () => {
  const first = await visit(acting({ replies: [calling(editing())] }));
  const conversation = { t1: [...(first.writes.conversation.t1 ?? []), { role: 'user', content: 'A reviewer notes: careful' }] };
  const fake = acting({ state: { ...after(first), conversation }, replies: [{ text: 'ok' }] });
  await visit(fake);
  expect(fake.requests[0]?.messages.slice(-3).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
});

test('a reminder to use tools came more than once, or although one was used', async () => {
  const config = { textOnly: 'nudge' };
  const first = await visit(acting({ config, replies: [{ text: 'from memory' }] }));
  expect(first.port).toBe('continue');
  expect((await visit(acting({ config, state: after(first), replies: [{ text: 'from memory' }] }))).port).toBe('done');
});

test('a long conversation was sent whole, or the newest result was the one that gave way', async () => {
  const results = ['1', '2', '3'].flatMap((id): WorkMessage[] => [
    { role: 'assistant', content: '', tool_calls: [call('read_file', { id }, id)] },
    { role: 'tool', content: id.repeat(1500), tool_call_id: id, tool: 'read_file' },
  ]);
  const fake = acting({ config: { maxConversationChars: 3500 }, state: { conversation: { t1: results } }, replies: [{ text: 'ok' }] });
  const result = await visit(fake);
  const sent = fake.requests[0]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content.length) ?? [];
  expect(sent.map((length) => length === 1500)).toEqual([false, true, true]);
  expect(told(result)[0]).toHaveLength(1500);
  expect(fake.decisions[0]).toMatchObject({ rule: 'longest conversation', because: [{ value: 4500, threshold: 3500, holds: true }] });
});
