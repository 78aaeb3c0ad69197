import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toErrorRecord } from '@/harness/contract/errors';
import type { Json, JsonSchema } from '@/harness/contract/json';
import type { ChatMessage, ModelRequest } from '@/harness/contract/model';
import { type ModelScriptInput, modelScriptSchema } from '@/harness/testing/model-script';
import { createOutboundClient } from '../../outbound/client';
import { builtInTools } from '../../tools/built-in';
import { createToolHost } from '../../tools/tool-host';
import { createModelGateway, type GatewayOptions } from '../gateway';
import { createProviderRegistry } from '../provider';
import { schemaCheck } from '../structured';
import { rehearsalLabel } from './extractive';

const never = new AbortController().signal;
const call = (nodeId = 'node', visit = 1, number = 1) => ({ runId: 'run', flowId: 'flow', nodeId, nodeType: 'agent', visit, call: number });
const quiet = { caller: call(), signal: never, onDelta: () => undefined };
const rehearsal = (options: Partial<GatewayOptions> = {}) =>
  createModelGateway({ registry: createProviderRegistry(), models: {}, deltaMs: 0, ...options });
const scripted = (replies: ModelScriptInput['replies'], more: Partial<GatewayOptions> = {}) =>
  rehearsal({ script: modelScriptSchema.parse({ replies }), unscripted: 'fail', ...more });
const ask = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  role: 'primary',
  messages: [{ role: 'user', content }],
  ...more,
});
const failure = async (work: Promise<unknown>) =>
  toErrorRecord(
    await work.then(
      () => null,
      (error: unknown) => error,
    ),
  );

describe('a script', () => {
  it('answers in order, by node, role and words, each reply as often as it says', async () => {
    const models = scripted([
      { node: 'b', text: 'for b' },
      { role: 'expert', text: 'expert' },
      { when: { contains: 'WEATHER' }, text: 'sunny' },
      { text: 'twice', times: 2 },
      { text: 'for ever', times: 0 },
    ]);
    const say = async (content: string, nodeId = 'a', role: ModelRequest['role'] = 'primary') =>
      (await models.generate({ ...ask(content), role }, { ...quiet, caller: call(nodeId) })).text;
    expect(await say('how is the weather')).toBe('sunny');
    expect(await say('hi')).toBe('twice');
    expect(await say('hi', 'b')).toBe('for b');
    expect(await say('hi', 'a', 'expert')).toBe('expert');
    expect(await say('the weather again')).toBe('twice');
    expect([await say('x'), await say('y')]).toEqual(['for ever', 'for ever']);
    expect(models.unusedReplies()).toBe(0);
  });

  it('fails loudly when it is asked something it does not answer', async () => {
    const error = await failure(scripted([{ node: 'other', text: 'x' }]).generate(ask('anyone there?'), quiet));
    expect(error.code).toBe('MODEL_UNSCRIPTED');
    expect(error.message).toContain('"node"');
    expect(error.message).toContain('anyone there?');
  });

  it('gives tool calls, objects, usage and finish as written', async () => {
    const models = scripted([
      {
        toolCalls: [
          { name: 'look', arguments: { at: 'sea' } },
          { name: 'look', arguments: {} },
        ],
      },
      { object: { ok: true }, usage: { inputTokens: 5, outputTokens: 6, cost: 0.5 }, finish: 'length' },
    ]);
    expect(await models.generate(ask('a'), quiet)).toMatchObject({
      finish: 'tool-calls',
      toolCalls: [{ id: 'call_1_1_1', name: 'look', arguments: { at: 'sea' } }, { id: 'call_1_1_2' }],
    });
    expect(await models.generate(ask('b', { schema: { type: 'object' } }), quiet)).toMatchObject({
      object: { ok: true },
      finish: 'length',
      usage: { inputTokens: 5, outputTokens: 6, cost: 0.5 },
      rehearsal: true,
    });
  });

  it('is corrected once like any model, and spends two replies on it', async () => {
    const schema: JsonSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const models = scripted([{ text: 'no json' }, { object: { n: 1 } }, { text: 'left' }]);
    expect((await models.generate(ask('a', { schema }), quiet)).object).toEqual({ n: 1 });
    expect(models.unusedReplies()).toBe(1);
  });

  it.each([
    [{ status: 429, message: 'slow down', retryAfterMs: 5 }, 'MODEL_RATE_LIMIT', { retryable: true, status: 429, retryAfterMs: 5 }],
    [{ status: 401, message: 'no' }, 'MODEL_AUTH', { retryable: false }],
    [{ message: 'gone' }, 'MODEL_UNAVAILABLE', { retryable: true }],
  ])('fails as a provider would: %j', async (error, code, details) => {
    expect(await failure(scripted([{ error }]).generate(ask('a'), quiet))).toMatchObject({ code, details });
  });

  it('is cancelled while it waits and while it speaks', async () => {
    const waiting = new AbortController();
    const slow = failure(scripted([{ text: 'late', delayMs: 60_000 }]).generate(ask('a'), { ...quiet, signal: waiting.signal }));
    waiting.abort();
    expect(await slow).toMatchObject({ code: 'CANCELLED' });
    const speaking = new AbortController();
    const heard: string[] = [];
    const onDelta = (text: string): void => {
      heard.push(text);
      speaking.abort();
    };
    const talk = scripted([{ text: 'word '.repeat(100) }], { deltaMs: 5 }).generate(ask('a'), {
      ...quiet,
      signal: speaking.signal,
      onDelta,
    });
    expect(await failure(talk)).toMatchObject({ code: 'CANCELLED' });
    expect(heard).toHaveLength(1);
  });

  it('streams in pieces that add up to the text, whatever characters it has', async () => {
    const text = 'añ👩‍👩‍👧‍👦字 '.repeat(40);
    const heard: string[] = [];
    await scripted([{ text }]).generate(ask('a'), { ...quiet, onDelta: (piece) => void heard.push(piece) });
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.join('')).toBe(text);
    expect(heard.some((piece) => /\p{Surrogate}/u.test(piece))).toBe(false);
  });
});

describe('values for schemas', () => {
  const valueFor = async (schema: JsonSchema, content = 'Is the retry limit 5?', system = '') => {
    const messages: ChatMessage[] = [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), { role: 'user', content }];
    return (await rehearsal().generate({ role: 'primary', messages, schema }, quiet)).object;
  };

  it.each<[string, JsonSchema]>([
    [
      'nested objects',
      {
        type: 'object',
        properties: { a: { type: 'object', properties: { b: { type: 'string', minLength: 3, maxLength: 5 } }, required: ['b'] } },
        required: ['a'],
        additionalProperties: false,
      },
    ],
    ['lists with bounds', { type: 'array', minItems: 3, maxItems: 4, uniqueItems: true, items: { type: 'string' } }],
    [
      'numbers with bounds',
      {
        type: 'object',
        properties: {
          a: { type: 'integer', minimum: 7, maximum: 9, multipleOf: 4 },
          b: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
        },
        required: ['a', 'b'],
      },
    ],
    [
      'patterns',
      {
        type: 'object',
        properties: { a: { type: 'string', pattern: '^[A-Z]{2}-\\d{3,}$' }, b: { type: 'string', pattern: '^(yes|no)$' } },
        required: ['a', 'b'],
      },
    ],
    [
      'formats',
      {
        type: 'object',
        properties: { a: { type: 'string', format: 'date' }, b: { type: 'string', format: 'uri' }, c: { type: 'string', format: 'uuid' } },
        required: ['a', 'b', 'c'],
      },
    ],
    ['choices', { anyOf: [{ type: 'null' }, { type: 'object', properties: { kind: { const: 'x' } }, required: ['kind'] }] }],
    [
      'references that recur',
      {
        $ref: '#/$defs/node',
        $defs: {
          node: {
            type: 'object',
            properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
            required: ['name', 'children'],
          },
        },
      },
    ],
    [
      'parts that are joined',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'boolean' } }, required: ['b'] },
        ],
      },
    ],
    ['fields nobody described', { type: 'object', required: ['a'] }],
    ['a hostile field name', { type: 'object', properties: JSON.parse('{"__proto__":{"type":"string"}}'), required: ['__proto__'] }],
    ['anything at all', {}],
  ])('fit: %s', async (_name, schema) => {
    const value = await valueFor(schema);
    expect(value).toBeDefined();
    expect(schemaCheck(schema)(value ?? null)).toBeNull();
    expect(await valueFor(schema)).toEqual(value);
  });

  it('fit, for random schemas', async () => {
    const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.record({ type: fc.constant('string'), minLength: fc.integer({ min: 0, max: 8 }), maxLength: fc.integer({ min: 8, max: 20 }) }),
        fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -9, max: 0 }), maximum: fc.integer({ min: 1, max: 9 }) }),
        fc.constant<JsonSchema>({ type: 'boolean' }),
        fc.uniqueArray(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
        fc.record({ type: fc.constant('array'), minItems: fc.integer({ min: 0, max: 2 }), items: tie('schema') }),
        fc
          .dictionary(fc.string({ minLength: 1, maxLength: 5 }), tie('schema'), { maxKeys: 4 })
          .map((properties) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })),
      ) as fc.Arbitrary<JsonSchema>, // the parts differ in their keys only
    }));
    await fc.assert(
      fc.asyncProperty(schema, async (generated) => {
        const value: Json | undefined = await valueFor(generated);
        expect(schemaCheck(generated)(value ?? null)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it('choose the option whose description fits the question', async () => {
    const system = 'Pick a route:\n- quick: greetings and small talk\n- research: questions about limits, retries and how the code works';
    const schema = { type: 'object', properties: { route: { enum: ['quick', 'research'] } }, required: ['route'] };
    expect(await valueFor(schema, 'Where are the retries limited?', system)).toEqual({ route: 'research' });
    expect(await valueFor(schema, 'Just some small talk and greetings', system)).toEqual({ route: 'quick' });
  });

  it('say so when a schema is beyond them', async () => {
    const error = await failure(valueFor({ type: 'string', pattern: '^(?=.*a)(?=.*b)(?!.*c).{9}$' }));
    expect(error.code).toBe('MODEL_BAD_REPLY');
    expect(error.message).toContain('rehearsal');
  });
});

describe('the researcher', () => {
  const host = createToolHost(builtInTools(createOutboundClient()));
  const workspace = 'public/samples/webhook-relay';

  async function research(question: string, tools = host.list()): Promise<{ text: string; used: string[] }> {
    const models = rehearsal();
    const messages: ChatMessage[] = [{ role: 'user', content: question }];
    const used: string[] = [];
    for (let number = 1; number <= 10; number += 1) {
      const reply = await models.generate({ role: 'primary', messages, tools }, { ...quiet, caller: call('agent', 1, number) });
      if (reply.toolCalls.length === 0) return { text: reply.text, used };
      messages.push({ role: 'assistant', content: reply.text, toolCalls: reply.toolCalls });
      for (const { id, name, arguments: input } of reply.toolCalls) {
        used.push(name);
        const output = await host.call(name, input, { runId: 'run', workspace, now: () => 0, signal: never });
        messages.push({ role: 'tool', toolCallId: id, toolName: name, content: JSON.stringify(output) });
      }
    }
    throw new Error('the researcher does not come to an end');
  }

  it('searches, reads, and quotes lines that are really there, labelled as what it is', async () => {
    const { text, used } = await research('How often is a failed delivery tried again?');
    expect(used.slice(0, 2)).toEqual(['grep_files', 'read_file']);
    expect(text.startsWith(rehearsalLabel)).toBe(true);
    const cited = [...text.matchAll(/- `(.+?):(\d+)` (.+)/g)];
    expect(cited.length).toBeGreaterThan(0);
    for (const [, path = '', line = '', quote = ''] of cited) {
      const shown = await host.call(
        'read_file',
        { path, offset: Number(line), limit: 1 },
        { runId: 'run', workspace, now: () => 0, signal: never },
      );
      expect(JSON.stringify(shown)).toContain(JSON.stringify(quote.replace(/…$/, '')).slice(1, -1));
    }
  });

  it('gives the same answer to the same question', async () => {
    expect(await research('Where is the timeout of a delivery set?')).toEqual(await research('Where is the timeout of a delivery set?'));
  });

  it('says when nothing was found instead of making something up', async () => {
    const { text, used } = await research('xylophone quagmire?');
    expect(used).toContain('grep_files');
    expect(text).toContain('Nothing was found');
  });

  it('uses the calculator for a sum', async () => {
    expect(
      (
        await research(
          'What is 12 * (3 + 4)?',
          host.list().filter((tool) => tool.name === 'calculator'),
        )
      ).text,
    ).toContain('84');
  });

  it('keeps to the question when the harness reminds it of its tools or tells it to finish', async () => {
    const models = rehearsal();
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Where are retries limited?' },
      { role: 'assistant', content: 'hm' },
      {
        role: 'user',
        content: 'You have not used a tool yet. Use grep_files to check before you answer; if none helps, say so and answer.',
      },
    ];
    const reply = await models.generate({ role: 'primary', messages, tools: host.list() }, quiet);
    expect(JSON.stringify(reply.toolCalls[0]?.arguments)).toMatch(/retr/);
  });

  it('answers from what was gathered where it has no tools', async () => {
    const content = 'Question: What limits retries?\n\nNotes:\nThe sky is blue.\nRetries are limited by maxAttempts in relay.ts.';
    const { text } = await rehearsal().generate(ask(content), quiet);
    expect(text).toContain('limited by maxAttempts');
    expect(text).not.toContain('sky');
  });
});
