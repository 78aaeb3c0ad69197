import { describe, expect, it } from 'vitest';
import { toErrorRecord } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { ModelCallOptions, ModelReply, ModelRequest } from '@/harness/contract/model';
import type { ToolHost } from '@/harness/contract/tool';
import { modelScriptSchema } from '@/harness/testing/model-script';
import type { TraceDraft, TraceEvent } from '@/harness/trace/events';
import { type Cassette, recordCassette, replayFrom } from './cassette';
import { createModelGateway, type RunModels } from './gateway';
import { createProviderRegistry } from './provider';

const never = new AbortController().signal;
const ask = (content: string): ModelRequest => ({ role: 'primary', messages: [{ role: 'user', content }] });
const at = (nodeId: string, visit = 1, call = 1): ModelCallOptions => ({
  caller: { runId: 'new', flowId: 'flow', nodeId, nodeType: 'llm-call', visit, call },
  signal: never,
  onDelta: () => undefined,
});
const reply = (text: string): ModelReply => ({
  text,
  toolCalls: [],
  finish: 'stop',
  usage: { inputTokens: 3, outputTokens: 4, cost: 0.5 },
  provider: 'openai',
  model: 'gpt-5',
});

const log = (...drafts: TraceDraft[]): TraceEvent[] =>
  // Spreading a union loses which member it is; the drafts are whole events but for the envelope.
  drafts.map((draft, index) => ({ runId: 'old', seq: index + 1, at: 0, ...draft }) as TraceEvent);
const visit = (nodeId: string, id: string, number = 1): TraceDraft => ({
  kind: 'visit-start',
  nodeId,
  visit: id,
  type: 'llm-call',
  label: nodeId,
  number,
  attempt: 1,
  via: null,
  token: 't',
});
const asked = (nodeId: string, id: string, key: string, content: string): TraceDraft => ({
  kind: 'model-start',
  nodeId,
  visit: id,
  key,
  role: 'primary',
  provider: 'openai',
  model: 'm',
  request: { role: 'primary', messages: [{ role: 'user', content }] },
});
const rehearsed = (visit: string, key: string, content: string): TraceDraft => {
  const draft = asked('a', visit, key, content);
  return draft.kind === 'model-start' ? { ...draft, provider: 'rehearsal' } : draft;
};
const answered = (nodeId: string, id: string, key: string, text: string): TraceDraft => ({
  kind: 'model-end',
  nodeId,
  visit: id,
  key,
  reply: reply(text) as unknown as Json,
  inputTokens: 3,
  outputTokens: 4,
  cost: 0.5,
  durationMs: 1, // plain JSON
});
const tool = (key: string, name: string, input: Json, outcome: Json): TraceDraft[] => [
  { kind: 'tool-start', nodeId: 'a', visit: 'v1', key, tool: name, effect: 'write', input },
  { kind: 'tool-end', nodeId: 'a', visit: 'v1', key, tool: name, outcome, durationMs: 1 },
];

const live: RunModels = {
  describe: () => ({ provider: 'live', model: 'live', rehearsal: false }),
  unusedReplies: () => 0,
  generate: async () => reply('live'),
};
const touched: string[] = [];
const tools: ToolHost = {
  list: () => [],
  call: async (name) => {
    touched.push(name);
    return 'live';
  },
};
const replay = (cassette: Cassette, onMiss?: 'fail' | 'live') => replayFrom(cassette, live, tools, onMiss);
const failure = async (work: Promise<unknown>) =>
  toErrorRecord(
    await work.then(
      () => null,
      (error: unknown) => error,
    ),
  );

describe('replaying models', () => {
  const events = log(
    visit('a', 'v1'),
    asked('a', 'v1', 'model:1', 'first'),
    answered('a', 'v1', 'model:1', 'one'),
    asked('a', 'v1', 'model:2', 'second'),
    answered('a', 'v1', 'model:2', 'two'),
    visit('a', 'v2', 2),
    asked('a', 'v2', 'model:1', 'third'),
    answered('a', 'v2', 'model:1', 'three'),
  );

  it('answers each place with its own answer, marked, for nothing', async () => {
    const { models } = replay(recordCassette(events));
    expect(await models.generate(ask('second'), at('a', 1, 2))).toMatchObject({ text: 'two', replayed: true, usage: { cost: 0 } });
    expect((await models.generate(ask('third'), at('a', 2, 1))).text).toBe('three');
    expect((await models.generate(ask('first'), at('a', 1, 1))).text).toBe('one');
  });

  it('answers an edited prompt by its place, and a moved call by its question', async () => {
    const edited = replay(recordCassette(events)).models;
    expect((await edited.generate(ask('first, reworded'), at('a', 1, 1))).text).toBe('one');
    const moved = replay(recordCassette(events)).models;
    expect((await moved.generate(ask('third'), at('a', 1, 1))).text).toBe('three');
    const renamed = replay(recordCassette(events)).models;
    expect((await renamed.generate(ask('second'), at('b', 1, 1))).text).toBe('two');
  });

  it('gives every answer once, then fails loudly, or goes live when that was asked for', async () => {
    const { models } = replay(recordCassette(events));
    for (const content of ['first', 'second', 'third']) await models.generate(ask(content), at('a'));
    expect(await failure(models.generate(ask('first'), at('a')))).toMatchObject({
      code: 'CASSETTE_MISSING',
      details: { retryable: false },
    });
    const open = replay({ models: [], tools: [] }, 'live').models;
    const own = await open.generate(ask('new'), at('a'));
    expect(own.text).toBe('live');
    expect(own.replayed).toBeUndefined();
  });

  it('fails again where the recorded call failed, and has no answer for one that never ended', async () => {
    const cut = log(
      visit('a', 'v1'),
      asked('a', 'v1', 'model:1', 'x'),
      {
        kind: 'model-end',
        nodeId: 'a',
        visit: 'v1',
        key: 'model:1',
        error: { code: 'MODEL_AUTH', kind: 'user', message: 'no key' },
        inputTokens: null,
        outputTokens: null,
        cost: null,
        durationMs: 1,
      },
      asked('a', 'v1', 'model:2', 'y'),
    );
    const { models } = replay(recordCassette(cut));
    expect(await failure(models.generate(ask('x'), at('a')))).toMatchObject({ code: 'MODEL_AUTH', message: 'no key' });
    expect(await failure(models.generate(ask('y'), at('a', 1, 2)))).toMatchObject({ code: 'CASSETTE_MISSING' });
  });
});

describe('replaying tools', () => {
  const events = log(
    visit('a', 'v1'),
    ...tool('tool:1', 'write', { n: 1 }, { status: 'ok', output: { done: 1 } }),
    ...tool('tool:2', 'write', { n: 2 }, { status: 'failed', code: 'TOOL_FAILED', message: 'disk full' }),
  );
  const context = (call: number, onReplayed: () => void = () => undefined) => ({
    runId: 'new',
    workspace: null,
    now: () => 0,
    signal: never,
    caller: { nodeId: 'a', visit: 1, call },
    onReplayed,
  });

  it('touches nothing, repeats failures, and never answers one tool with another’s result', async () => {
    let told = 0;
    const { tools: replayed } = replay(recordCassette(events));
    expect(
      await replayed.call(
        'write',
        { n: 1 },
        context(1, () => {
          told += 1;
        }),
      ),
    ).toEqual({ done: 1 });
    expect(await failure(replayed.call('write', { n: 2 }, context(2)))).toMatchObject({ code: 'TOOL_FAILED', message: 'disk full' });
    expect(await failure(replay(recordCassette(events)).tools.call('delete', { n: 1 }, context(1)))).toMatchObject({
      code: 'CASSETTE_MISSING',
    });
    expect({ told, touched }).toEqual({ told: 1, touched: [] });
  });
});

describe('a script after a restart', () => {
  const script = modelScriptSchema.parse({ replies: [{ text: 'one' }, { text: 'two' }, { text: 'three' }] });
  const resumed = (events: TraceEvent[]) =>
    createModelGateway({ registry: createProviderRegistry(), models: {}, script, unscripted: 'fail', deltaMs: 0, history: () => events });

  it('goes on after the replies that were given, and gives again the one that was cut off', async () => {
    const events = log(
      visit('a', 'v1'),
      rehearsed('v1', 'model:1', 'x'),
      answered('a', 'v1', 'model:1', 'one'),
      rehearsed('v1', 'model:2', 'y'),
    );
    const models = resumed(events);
    const [first, second] = await Promise.all([models.generate(ask('y'), at('a', 1, 2)), models.generate(ask('z'), at('a', 1, 3))]);
    expect([first.text, second.text]).toEqual(['two', 'three']);
  });

  it('counts a try that failed and was made again', async () => {
    const failed: TraceDraft = {
      kind: 'model-retry',
      nodeId: 'a',
      visit: 'v1',
      key: 'model:1',
      error: { code: 'MODEL_UNAVAILABLE', kind: 'operational', message: 'x' },
      delayMs: 1,
    };
    const events = log(visit('a', 'v1'), rehearsed('v1', 'model:1', 'x'), failed, answered('a', 'v1', 'model:1', 'two'));
    expect((await resumed(events).generate(ask('y'), at('a', 1, 2))).text).toBe('three');
  });
});
