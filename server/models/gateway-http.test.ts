import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toErrorRecord } from '@/harness/contract/errors';
import type { JsonSchema } from '@/harness/contract/json';
import { isRetryable, type ModelRequest } from '@/harness/contract/model';
import { createModelGateway, type GatewayOptions } from './gateway';
import { discoverOllama, listModels } from './model-list';
import { createProviderRegistry, type ProviderConfig, type ProviderKind } from './provider';
import { type OpenAiServer, startOpenAiServer } from './testing/openai-server';

const canary = 'sk-CANARY-7f3a';
let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(() => server.close());

const config = (kind: ProviderKind = 'openai-compatible'): ProviderConfig => ({
  id: 'local',
  kind,
  title: 'Local server',
  baseUrl: server.url,
  apiKey: canary,
  source: 'settings',
});

function gateway(options: Partial<GatewayOptions> = {}, kind?: ProviderKind) {
  return createModelGateway({
    registry: createProviderRegistry(() => [config(kind)]),
    models: { primary: { provider: 'local', model: 'test-model' } },
    ...options,
  });
}

const caller = { runId: 'run', flowId: 'flow', nodeId: 'node', nodeType: 'llm-call', visit: 1, call: 1 };
const ask = (content = 'Hello'): ModelRequest => ({ role: 'primary', messages: [{ role: 'user', content }] });

function options(signal = new AbortController().signal) {
  const deltas: string[] = [];
  return { deltas, call: { caller, signal, onDelta: (text: string) => void deltas.push(text) } };
}

const failure = async (work: Promise<unknown>) =>
  toErrorRecord(
    await work.then(
      () => null,
      (error: unknown) => error,
    ),
  );

describe.each(['openai-compatible', 'openai', 'ollama'] as const)('%s', (kind) => {
  it('streams text piece by piece and reports usage', async () => {
    server.answer({ kind: 'text', pieces: ['Hel', 'lo ', 'wörld'] });
    const { deltas, call } = options();
    const reply = await gateway({}, kind).generate(ask(), call);
    expect(reply).toMatchObject({ text: 'Hello wörld', finish: 'stop', provider: 'local', model: 'test-model', toolCalls: [] });
    expect(reply.usage).toEqual({ inputTokens: 11, outputTokens: 7, cost: null });
    expect(deltas).toEqual(['Hel', 'lo ', 'wörld']);
    expect(server.seen[0]?.path).toBe('/v1/chat/completions');
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${canary}`);
  });

  it('gives tool calls back uncalled, with parsed arguments', async () => {
    server.answer({ kind: 'tools', calls: [{ name: 'look', arguments: '{"at":"the sea","deep":[1,2]}' }] });
    const request = {
      ...ask(),
      tools: [{ name: 'look', description: 'Looks', inputSchema: { type: 'object', properties: { at: { type: 'string' } } } }],
    };
    const reply = await gateway({}, kind).generate(request, options().call);
    expect(reply.finish).toBe('tool-calls');
    expect(reply.toolCalls).toEqual([{ id: 'call_0', name: 'look', arguments: { at: 'the sea', deep: [1, 2] } }]);
    expect(server.seen[0]?.body.tools[0].function).toMatchObject({ name: 'look', description: 'Looks' });
  });

  it.each(['destroyed', 'ended'] as const)('makes a stream that is cut (%s) an error, never a short reply', async (how) => {
    server.answer({ kind: 'cut', pieces: ['only half of'], how });
    const error = await failure(gateway({}, kind).generate(ask(), options().call));
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', kind: 'operational', details: { retryable: true } });
  });
});

describe('tool calls of unruly servers', () => {
  const tools = [{ name: 'look', description: '', inputSchema: { type: 'object' } }];

  it('tells calls apart that carry one id', async () => {
    server.answer({
      kind: 'tools',
      calls: [
        { id: 'x', name: 'look', arguments: '{"n":1}' },
        { id: 'x', name: 'look', arguments: '{"n":2}' },
      ],
    });
    const reply = await gateway().generate({ ...ask(), tools }, options().call);
    expect(new Set(reply.toolCalls.map((call) => call.id)).size).toBe(2);
  });

  it('passes on arguments that are no JSON as text, so that the model can be told', async () => {
    server.answer({ kind: 'tools', calls: [{ name: 'look', arguments: '{"n": oops' }] });
    const reply = await gateway().generate({ ...ask(), tools }, options().call);
    expect(reply.toolCalls[0]?.arguments).toBe('{"n": oops');
  });

  it('passes on a call of a tool that was not offered', async () => {
    server.answer({ kind: 'tools', calls: [{ name: 'invented', arguments: '{}' }] });
    const reply = await gateway().generate({ ...ask(), tools }, options().call);
    expect(reply.toolCalls[0]).toMatchObject({ name: 'invented', arguments: {} });
  });

  it('sends results back in the shape of the protocol, neighbours included', async () => {
    server.answer({ kind: 'text', pieces: ['done'] });
    await gateway().generate(
      {
        role: 'primary',
        tools,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Look twice' },
          {
            role: 'assistant',
            content: '',
            toolCalls: [
              { id: 'a', name: 'look', arguments: { n: 1 } },
              { id: 'b', name: 'look', arguments: { n: 2 } },
            ],
          },
          { role: 'tool', toolCallId: 'a', toolName: 'look', content: '{"seen":1}' },
          { role: 'tool', toolCallId: 'b', toolName: 'look', content: 'no such place', isError: true },
        ],
      },
      options().call,
    );
    const messages = server.seen[0]?.body.messages;
    expect(messages.map((message: { role: string }) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
    expect(messages[3]).toMatchObject({ tool_call_id: 'a', content: '{"seen":1}' });
    expect(messages[4]).toMatchObject({ tool_call_id: 'b', content: 'no such place' });
  });
});

describe('structured replies', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { answer: { type: 'string' }, score: { type: 'integer', minimum: 1 } },
    required: ['answer', 'score'],
    additionalProperties: false,
  };
  const structured = { ...ask(), schema, schemaName: 'verdict' };

  it.each([
    ['plain', '{"answer":"yes","score":3}'],
    ['fenced', 'Here it is:\n```json\n{"answer":"yes","score":3}\n```\nHope it helps.'],
    ['in prose, after another object', 'I thought {"of": 1} first, but {"answer": "yes", "score": 3,} it is.'],
    ['after thinking aloud', '<think>maybe {"answer":"no","score":9}</think>{"answer":"yes","score":3}'],
  ])('reads JSON that comes %s', async (_name, text) => {
    server.answer({ kind: 'text', pieces: [text] });
    const reply = await gateway().generate(structured, options().call);
    expect(reply.object).toEqual({ answer: 'yes', score: 3 });
    expect(server.seen).toHaveLength(1);
  });

  it('asks for the schema in the request and in words', async () => {
    server.answer({ kind: 'text', pieces: ['{"answer":"yes","score":3}'] });
    await gateway().generate(structured, options().call);
    expect(server.seen[0]?.body.response_format).toMatchObject({ type: 'json_schema', json_schema: { name: 'verdict' } });
    expect(server.seen[0]?.body.messages[0].content).toContain('"minimum":1');
  });

  it('corrects once, says what was wrong, and counts both calls', async () => {
    server.answer({ kind: 'text', pieces: ['{"answer":"yes","score":0}'] }, { kind: 'text', pieces: ['{"answer":"yes","score":2}'] });
    const reply = await gateway({ prices: { 'test-model': { input: 1000, output: 2000 } } }).generate(structured, options().call);
    expect(reply.object).toEqual({ answer: 'yes', score: 2 });
    expect(reply.usage).toMatchObject({ inputTokens: 22, outputTokens: 14 });
    expect(reply.usage.cost).toBeCloseTo(0.05, 10);
    const again = server.seen[1]?.body.messages;
    expect(again.at(-2)).toMatchObject({ role: 'assistant', content: '{"answer":"yes","score":0}' });
    expect(again.at(-1).content).toContain('score');
  });

  it('gives up after one correction, with what both calls used', async () => {
    server.answer({ kind: 'text', pieces: ['no'] }, { kind: 'text', pieces: ['still no'] });
    const error = await failure(gateway().generate(structured, options().call));
    expect(server.seen).toHaveLength(2);
    expect(error).toMatchObject({
      code: 'MODEL_BAD_REPLY',
      details: { retryable: false, reply: 'still no', usage: { inputTokens: 22, outputTokens: 14 } },
    });
  });

  it('asks in words when a server refuses a schema, and remembers that', async () => {
    const refusal = {
      kind: 'status',
      status: 400,
      body: { error: { message: "'response_format.type' must be 'text'", type: 'invalid_request_error' } },
    } as const;
    const good = { kind: 'text', pieces: ['{"answer":"yes","score":3}'] } as const;
    server.answer(refusal, { ...good, pieces: [...good.pieces] }, { ...good, pieces: [...good.pieces] });
    const own = gateway();
    expect((await own.generate(structured, options().call)).object).toEqual({ answer: 'yes', score: 3 });
    await own.generate(structured, options().call);
    expect(server.seen.map((request) => request.body.response_format !== undefined)).toEqual([true, false, false]);
  });

  it('does not take a tool call for a broken reply', async () => {
    server.answer({ kind: 'tools', calls: [{ name: 'look', arguments: '{}' }] });
    const reply = await gateway().generate(
      { ...structured, tools: [{ name: 'look', description: '', inputSchema: { type: 'object' } }] },
      options().call,
    );
    expect(reply.toolCalls).toHaveLength(1);
    expect(reply.object).toBeUndefined();
  });
});

describe('failures', () => {
  it.each([
    [401, 'MODEL_AUTH', false],
    [403, 'MODEL_AUTH', false],
    [404, 'MODEL_REFUSED', false],
    [400, 'MODEL_REFUSED', false],
    [408, 'MODEL_TIMEOUT', true],
    [500, 'MODEL_UNAVAILABLE', true],
    [503, 'MODEL_UNAVAILABLE', true],
    [302, 'MODEL_REFUSED', false],
  ])('maps status %i to %s', async (status, code, retryable) => {
    server.answer({ kind: 'status', status, headers: status === 302 ? { location: 'http://127.0.0.1:1/' } : {} });
    const error = await failure(gateway().generate(ask(), options().call));
    expect(error).toMatchObject({ code, details: { retryable, status } });
    // Retries belong to the engine: one call is one request.
    expect(server.seen).toHaveLength(1);
  });

  it('says where the key is set and never shows it, also when the server echoes it', async () => {
    server.answer(
      { kind: 'status', status: 401, body: { error: { message: `Incorrect API key provided: ${canary}` } } },
      { kind: 'status', status: 500, body: { error: { message: `cannot handle ${canary}` } } },
    );
    const refused = await failure(gateway().generate(ask(), options().call));
    const failed = await failure(gateway().generate(ask(), options().call));
    expect(refused.message).toContain('Local server');
    expect(refused.message).toContain('Settings');
    expect(JSON.stringify([refused, failed])).not.toContain('CANARY');
  });

  it.each([
    ['in seconds', { 'retry-after': '7' }, 7000],
    ['in milliseconds', { 'retry-after-ms': '250' }, 250],
  ])('tells how long a rate limit lasts (%s)', async (_name, headers, retryAfterMs) => {
    server.answer({ kind: 'status', status: 429, headers });
    const error = await failure(gateway().generate(ask(), options().call));
    expect(error).toMatchObject({ code: 'MODEL_RATE_LIMIT', details: { retryable: true, status: 429, retryAfterMs } });
    expect(isRetryable(error)).toBe(true);
  });

  it('does not call a used-up quota worth another try', async () => {
    server.answer({
      kind: 'status',
      status: 429,
      body: { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
    });
    expect(isRetryable(await failure(gateway().generate(ask(), options().call)))).toBe(false);
  });

  it('reports a server that is not there', async () => {
    await server.close();
    const error = await failure(gateway().generate(ask(), options().call));
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', details: { retryable: true } });
    expect(error.message).toContain('ECONNREFUSED');
    server = await startOpenAiServer();
  });

  it.each([
    ['broken JSON in the stream', { kind: 'garbage', body: 'data: {"id": "x", "choices": [{]}\n\ndata: [DONE]\n\n' }],
    ['JSON of another kind', { kind: 'garbage', body: 'data: {"hello": "world"}\n\ndata: [DONE]\n\n' }],
  ] as const)('reports %s as a bad reply', async (_name, behaviour) => {
    server.answer(behaviour);
    expect(await failure(gateway().generate(ask(), options().call))).toMatchObject({ code: 'MODEL_BAD_REPLY' });
  });

  it.each([
    ['an empty stream', { kind: 'garbage', body: '' }],
    ['a web page instead of a stream', { kind: 'garbage', body: '<html>login</html>', contentType: 'text/html' }],
  ] as const)('never takes %s for an empty reply', async (_name, behaviour) => {
    server.answer(behaviour);
    expect((await failure(gateway().generate(ask(), options().call))).code).toMatch(/^MODEL_(?:BAD_REPLY|UNAVAILABLE)$/);
  });

  it('reports an error that comes inside the stream', async () => {
    server.answer({ kind: 'stream-error', message: 'The model is overloaded' });
    expect(await failure(gateway().generate(ask(), options().call))).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      details: { retryable: true },
    });
  });

  it('reports a reply the provider stopped for its length as such', async () => {
    server.answer({ kind: 'text', pieces: ['half'], finish: 'length' });
    expect((await gateway().generate(ask(), options().call)).finish).toBe('length');
  });

  it('shows an unreported usage as unknown, not as zero', async () => {
    server.answer({ kind: 'text', pieces: ['hi'], usage: null });
    expect((await gateway().generate(ask(), options().call)).usage).toEqual({ inputTokens: null, outputTokens: null, cost: null });
  });

  it('names what is configured when a flow wants a provider that is not', async () => {
    const error = await failure(gateway({ models: { primary: { provider: 'elsewhere', model: 'm' } } }).generate(ask(), options().call));
    expect(error.code).toBe('MODEL_PROVIDER_UNKNOWN');
    expect(error.message).toContain('local');
  });
});

describe('stopping', () => {
  it('aborts a slow stream: the caller gets CANCELLED and the provider sees the connection close', async () => {
    server.answer({ kind: 'hang', pieces: ['one '] });
    const controller = new AbortController();
    const call = { caller, signal: controller.signal, onDelta: () => controller.abort() };
    expect(await failure(gateway().generate(ask(), call))).toMatchObject({ code: 'CANCELLED' });
    await server.seen[0]?.closedEarly;
  });

  it('aborts before the first piece too', async () => {
    server.answer({ kind: 'hang', pieces: [] });
    const controller = new AbortController();
    const running = failure(gateway().generate(ask(), options(controller.signal).call));
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await running).toMatchObject({ code: 'CANCELLED' });
    await server.seen[0]?.closedEarly;
  });

  it('does not even ask when it is cancelled already', async () => {
    expect(await failure(gateway().generate(ask(), options(AbortSignal.abort()).call))).toMatchObject({ code: 'CANCELLED' });
    expect(server.seen).toHaveLength(0);
  });

  it.each([
    ['before the first piece', []],
    ['in the middle', ['one ']],
  ])('gives up on a provider that falls silent %s', async (_name, pieces) => {
    server.answer({ kind: 'hang', pieces });
    const error = await failure(gateway({ limits: { firstPartMs: 150, idleMs: 150 } }).generate(ask(), options().call));
    expect(error).toMatchObject({ code: 'MODEL_TIMEOUT', details: { retryable: true } });
    await server.seen[0]?.closedEarly;
  });

  it('stops a reply that never ends', async () => {
    server.answer({ kind: 'endless', piece: 'la '.repeat(200) });
    const error = await failure(gateway({ limits: { maxCharacters: 20_000 } }).generate(ask(), options().call));
    expect(error).toMatchObject({ code: 'MODEL_BAD_REPLY', details: { retryable: false } });
    await server.seen[0]?.closedEarly;
  });
});

describe('finding models', () => {
  it('lists what a server has, and finds Ollama by asking it', async () => {
    expect(await listModels(config(), AbortSignal.timeout(5000))).toEqual(['test-model', 'other']);
    expect(await discoverOllama(server.origin, 5000)).toMatchObject({
      id: 'ollama',
      kind: 'ollama',
      baseUrl: server.url,
      models: ['test-model', 'other'],
    });
  });

  it('finds no Ollama where nothing listens', async () => {
    const { origin } = server;
    await server.close();
    expect(await discoverOllama(origin, 500)).toBeNull();
    server = await startOpenAiServer();
  });
});
