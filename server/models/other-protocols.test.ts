import { afterEach, describe, expect, it } from 'vitest';
import { createModelGateway } from './gateway';
import { createProviderRegistry, type ProviderKind } from './provider';
import { type RecordedServer, startRecordedServer } from './testing/recorded-server';

let server: RecordedServer | undefined;
afterEach(() => server?.close());

async function gateway(kind: ProviderKind, model: string, answers: { status?: number; body: string }[]) {
  const started = await startRecordedServer(answers);
  server = started;
  const baseUrl = kind === 'anthropic' ? `${started.origin}/v1` : `${started.origin}/v1beta`;
  const registry = createProviderRegistry(() => [{ id: kind, kind, baseUrl, apiKey: 'CANARY-7f3a', source: 'settings' }]);
  return { started, models: createModelGateway({ registry, models: { primary: { provider: kind, model } } }) };
}

const caller = { runId: 'run', flowId: 'flow', nodeId: 'node', nodeType: 'agent', visit: 1, call: 1 };
const quiet = { caller, signal: new AbortController().signal, onDelta: () => undefined };
const sse = (...events: [string, object][]): string =>
  events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');
const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object', properties: { at: { type: 'string' } } } }];

const start: [string, object] = [
  'message_start',
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 1 },
    },
  },
];
const words: [string, object][] = [
  ['content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }],
  ['content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me ' } }],
  ['content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'look.' } }],
  ['content_block_stop', { type: 'content_block_stop', index: 0 }],
];
const end = (reason: string): [string, object][] => [
  ['message_delta', { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 50 } }],
  ['message_stop', { type: 'message_stop' }],
];

describe('Anthropic', () => {
  it('streams text and a tool call, and prices the call from the table', async () => {
    const call: [string, object][] = [
      [
        'content_block_start',
        { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} } },
      ],
      ['content_block_delta', { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"at":' } }],
      ['content_block_delta', { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"sea"}' } }],
      ['content_block_stop', { type: 'content_block_stop', index: 1 }],
    ];
    const { started, models } = await gateway('anthropic', 'claude-sonnet-4-5', [
      { body: sse(start, ...words, ...call, ...end('tool_use')) },
    ]);
    const reply = await models.generate(
      {
        role: 'primary',
        tools,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Look' },
        ],
      },
      quiet,
    );
    expect(reply).toMatchObject({
      text: 'Let me look.',
      finish: 'tool-calls',
      toolCalls: [{ id: 'toolu_1', name: 'look', arguments: { at: 'sea' } }],
    });
    expect(reply.usage).toMatchObject({ inputTokens: 100, outputTokens: 50 });
    expect(reply.usage.cost).toBeCloseTo((100 * 3 + 50 * 15) / 1_000_000, 12);
    expect(started.seen[0]?.path).toBe('/v1/messages');
    expect(started.seen[0]?.headers['x-api-key']).toBe('CANARY-7f3a');
    expect(JSON.parse(started.seen[0]?.body ?? '')).toMatchObject({ system: [{ type: 'text', text: 'Be brief.' }] });
  });

  it('makes a stream that stops before its end an error', async () => {
    const { models } = await gateway('anthropic', 'claude-sonnet-4-5', [{ body: sse(start, ...words) }]);
    await expect(models.generate({ role: 'primary', messages: [{ role: 'user', content: 'Hi' }] }, quiet)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
  });

  it.each([
    [401, 'authentication_error', 'MODEL_AUTH'],
    [429, 'rate_limit_error', 'MODEL_RATE_LIMIT'],
    [529, 'overloaded_error', 'MODEL_UNAVAILABLE'],
  ])('maps %i %s to %s', async (status, type, code) => {
    const body = JSON.stringify({ type: 'error', error: { type, message: 'no CANARY-7f3a' } });
    const { models } = await gateway('anthropic', 'claude-sonnet-4-5', [{ status, body }]);
    const error = await models
      .generate({ role: 'primary', messages: [{ role: 'user', content: 'Hi' }] }, quiet)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, details: { status } });
    expect(String(error)).not.toContain('CANARY');
  });
});

describe('Google', () => {
  const part = (parts: object[], more: object = {}): string =>
    `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 } })}\n\n`;

  it('streams text and a tool call', async () => {
    const body =
      part([{ text: 'Look' }]) +
      part([{ text: 'ing.' }]) +
      part([{ functionCall: { name: 'look', args: { at: 'sea' } } }], { finishReason: 'STOP' });
    const { models } = await gateway('google', 'gemini-2.5-flash', [{ body }]);
    const reply = await models.generate({ role: 'primary', tools, messages: [{ role: 'user', content: 'Look' }] }, quiet);
    expect(reply).toMatchObject({ text: 'Looking.', finish: 'tool-calls', usage: { inputTokens: 9, outputTokens: 4 } });
    expect(reply.toolCalls).toMatchObject([{ name: 'look', arguments: { at: 'sea' } }]);
    expect(reply.toolCalls[0]?.id).not.toBe('');
  });

  it('makes a stream without a finish an error', async () => {
    const { models } = await gateway('google', 'gemini-2.5-flash', [{ body: part([{ text: 'half' }]) }]);
    await expect(models.generate({ role: 'primary', messages: [{ role: 'user', content: 'Hi' }] }, quiet)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
  });
});
