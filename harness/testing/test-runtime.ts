import { z } from 'zod';
import type { Catalogue, Runtime } from '../contract/catalogue';
import { operationalError, userError } from '../contract/errors';
import type { NodeImplementation } from '../contract/execute';
import { implementNode } from '../contract/execute';
import type { Json } from '../contract/json';
import { jsonSchema } from '../contract/json';
import type { AnyManifest, NodeRole } from '../contract/node';
import { defineNode } from '../contract/node';
import type { PolicyImplementation } from '../contract/policy';
import { implementPolicy } from '../contract/policy';
import { defineChannel } from '../state/channel';

/** A handful of node types, one for each thing the engine can do; engine tests draw with these and need nothing of `nodes/`. */

const base = (id: string, role: NodeRole) => ({
  id,
  version: 1,
  category: 'flow' as const,
  layer: 'flow' as const,
  authority: 'deterministic' as const,
  role,
  title: id,
  icon: 'circle',
  summary: `Test node ${id}.`,
});

const anything = jsonSchema;
const none = z.object({});

export const testStart = defineNode({ ...base('start', 'start'), config: none, ports: ['next'], outputs: anything });
export const testEnd = defineNode({
  ...base('end', 'end'),
  config: z.object({ value: z.string().default('received'), required: z.boolean().default(false) }),
  ports: [],
  outputs: anything,
  fields: { value: { widget: 'expression' } },
});
export const testStep = defineNode({
  ...base('step', 'step'),
  config: z.object({ value: z.string().default('received'), write: z.string().default('') }),
  ports: ['next'],
  outputs: anything,
  writes: ['log'],
  fields: { value: { widget: 'expression' } },
});
export const testBranch = defineNode({
  ...base('branch', 'step'),
  config: z.object({ when: z.string() }),
  ports: ['yes', 'no'],
  outputs: anything,
  fields: { when: { widget: 'expression' } },
});
export const testFork = defineNode({
  ...base('fork', 'fork'),
  config: z.object({ branches: z.array(z.string()).default(['a', 'b']) }),
  ports: (config) => config.branches,
  outputs: anything,
});
export const testJoin = defineNode({
  ...base('join', 'join'),
  config: z.object({
    mode: z.enum(['all', 'any', 'n']).default('all'),
    count: z.int().min(1).default(1),
    losers: z.enum(['cancel', 'finish']).default('cancel'),
  }),
  ports: ['next'],
  outputs: anything,
});
/** Sends out one token per item, each with a line of its own in the log. */
export const testSend = defineNode({
  ...base('send', 'step'),
  config: z.object({ items: z.array(z.string()).default(['a', 'b']) }),
  ports: ['next'],
  outputs: anything,
  writes: ['log'],
});
/** Puts out what each branch brought and the log it saw; writes the united log when told to. */
export const testMerge = defineNode({
  ...base('merge', 'merge'),
  config: z.object({ write: z.boolean().default(false) }),
  ports: ['next'],
  outputs: anything,
  reads: ['log'],
  writes: ['log'],
});
/** Puts out the messages that came meanwhile. */
export const testInbox = defineNode({ ...base('inbox', 'step'), config: none, ports: ['next'], outputs: anything });
export const testMap = defineNode({
  ...base('map', 'container'),
  config: z.object({ list: z.string(), concurrency: z.int().min(1).default(1), onError: z.enum(['stop', 'collect']).default('stop') }),
  ports: ['next'],
  outputs: anything,
  fields: { list: { widget: 'expression' } },
});
export const testCall = defineNode({
  ...base('call', 'container'),
  config: z.object({ flow: z.string(), input: z.string().default('received') }),
  ports: ['next'],
  outputs: anything,
  fields: { flow: { widget: 'flow' }, input: { widget: 'expression' } },
});
export const testAsk = defineNode({
  ...base('ask', 'step'),
  config: z.object({ title: z.string().default('Go on?'), expiresInMs: z.number().nullable().default(null) }),
  ports: ['yes', 'no', 'timeout'],
  outputs: anything,
});
export const testNap = defineNode({ ...base('nap', 'step'), config: z.object({ ms: z.number() }), ports: ['next'], outputs: anything });
export const testThink = defineNode({
  ...base('think', 'step'),
  config: z.object({ prompt: z.string().default('hello'), calls: z.int().default(1) }),
  ports: ['next'],
  outputs: anything,
});
export const testUse = defineNode({
  ...base('use', 'step'),
  config: z.object({ tool: z.string(), calls: z.int().default(1) }),
  ports: ['next'],
  outputs: anything,
});
/** Fails on its first `times` attempts. */
export const testFail = defineNode({
  ...base('fail', 'step'),
  config: z.object({ times: z.int().default(1_000_000), kind: z.enum(['user', 'operational']).default('operational') }),
  ports: ['next'],
  outputs: anything,
});
/** Never ends by itself and never looks at its signal. */
export const testHang = defineNode({ ...base('hang', 'step'), config: none, ports: ['next'], outputs: anything });
export const testRetry = defineNode({
  ...base('again', 'policy'),
  config: z.object({ attempts: z.int().default(3), delayMs: z.number().default(100), timeoutMs: z.number().nullable().default(null) }),
  ports: [],
  outputs: anything,
  attaches: { to: ['*'] },
});
/** Limits model calls, refuses the tool `forbidden`, asks before the tool `careful`. */
export const testGuard = defineNode({
  ...base('guard', 'policy'),
  config: z.object({ modelCalls: z.int().default(1_000_000) }),
  ports: [],
  outputs: anything,
  attaches: { to: ['*'] },
});

const executors: NodeImplementation[] = [
  implementNode(testStart, ({ input }) => ({ output: input })),
  implementNode(testEnd, ({ config, evaluate }) => ({ output: evaluate(config.value) })),
  implementNode(testStep, ({ config, evaluate, decide, node }) => {
    const output = evaluate(config.value);
    decide({ rule: 'step', outcome: node.id, because: [{ name: 'value', value: output }] });
    return config.write === '' ? { output } : { output, writes: { log: [config.write] } };
  }),
  implementNode(testBranch, ({ config, evaluate, received }) => ({
    port: evaluate(config.when) === true ? 'yes' : 'no',
    output: received,
  })),
  implementNode(testFork, ({ config, received }) => ({ ports: config.branches, output: received })),
  implementNode(testSend, ({ config }) => ({
    dispatch: config.items.map((item) => ({ port: 'next', output: item, writes: { log: [item] } })),
  })),
  implementNode(testMerge, async (context) => {
    const { config, branches, received, state } = context;
    const seen = await context.once('seen', () => branches.map((branch) => ({ received: branch.received, log: branch.state.log ?? null })));
    const output = branches.length === 0 ? { alone: received, log: state.log ?? null } : seen;
    return config.write ? { output, writes: { log: ['merged'] } } : { output };
  }),
  implementNode(testInbox, async (context) => {
    const messages = await context.inbox();
    const later = messages.filter(({ text }) => text.startsWith('later')).map(({ id }) => id);
    return { output: messages.map(({ text }) => text), handBack: later };
  }),
  implementNode(testMap, async (context) => {
    const list = context.evaluate(context.config.list);
    const items: Json[] = Array.isArray(list) ? list : [];
    const results = await context.each('body', items, { concurrency: context.config.concurrency, onError: context.config.onError });
    const failed = results.find((result) => result.outcome === 'failed');
    if (failed && context.config.onError === 'stop') throw userError('BODY_FAILED', failed.error?.message ?? 'a body failed');
    return { output: results.map((result) => result.output) };
  }),
  implementNode(testCall, async (context) => {
    const results = await context.each('flow', [context.evaluate(context.config.input)], { concurrency: 1, onError: 'stop' });
    if (results[0]?.outcome !== 'done') throw userError('BODY_FAILED', results[0]?.error?.message ?? 'the flow failed');
    return { output: results[0].output };
  }),
  implementNode(testAsk, async (context) => {
    const { title, expiresInMs } = context.config;
    const expiry = expiresInMs === null ? {} : { expiresAt: (await context.now()) + expiresInMs };
    const answer = await context.ask('gate', {
      kind: 'approval',
      title,
      choices: [
        { id: 'yes', label: 'Yes', tone: 'accept' },
        { id: 'no', label: 'No', tone: 'reject' },
      ],
      ...expiry,
    });
    return { port: answer.choice, output: answer.choice };
  }),
  implementNode(testNap, async (context) => {
    await context.sleep('nap', context.config.ms);
    return { output: context.received };
  }),
  implementNode(testThink, async (context) => {
    const texts: Json[] = [];
    for (let call = 0; call < context.config.calls; call += 1) {
      const reply = await context.model({ role: 'primary', messages: [{ role: 'user', content: context.text(context.config.prompt) }] });
      texts.push(reply.text);
    }
    return { output: texts.length === 1 ? (texts[0] ?? null) : texts };
  }),
  implementNode(testUse, async (context) => {
    const outcomes: Json[] = [];
    for (let call = 1; call <= context.config.calls; call += 1) outcomes.push({ ...(await context.tool(context.config.tool, { call })) });
    return { output: outcomes.length === 1 ? (outcomes[0] ?? null) : outcomes };
  }),
  implementNode(testFail, ({ config, visit }) => {
    if (visit.attempt <= config.times) {
      throw (config.kind === 'user' ? userError : operationalError)('TEST_FAILURE', `attempt ${visit.attempt} failed`);
    }
    return { output: `attempt ${visit.attempt}` };
  }),
  implementNode(testHang, () => new Promise(() => {})),
];

const policies: PolicyImplementation[] = [
  implementPolicy(testRetry, {
    onError: ({ config, attempt }) => {
      const decision = {
        rule: 'retry',
        outcome: attempt < config.attempts ? 'again' : 'give up',
        because: [{ name: 'attempt', value: attempt, operator: '<' as const, threshold: config.attempts }],
      };
      return attempt < config.attempts ? { verdict: 'retry', delayMs: config.delayMs, decision } : { verdict: 'give-up', decision };
    },
    timeoutMs: (config) => config.timeoutMs,
  }),
  implementPolicy(testGuard, {
    beforeModel: ({ config, usage }) => {
      const because = [{ name: 'model calls', value: usage.modelCalls, operator: '<' as const, threshold: config.modelCalls }];
      if (usage.modelCalls < config.modelCalls) return { verdict: 'allow' };
      return {
        verdict: 'limit',
        cap: 'model calls',
        message: 'No more model calls.',
        decision: { rule: 'calls', outcome: 'limit', because },
      };
    },
    beforeTool: (_context, { tool }) => {
      const decision = { rule: 'tool', outcome: tool.name, because: [] };
      if (tool.name === 'forbidden') return { verdict: 'deny', message: 'Not this one.', decision };
      if (tool.name !== 'careful') return { verdict: 'allow' };
      const choices = [
        { id: 'approve', label: 'Approve', tone: 'accept' as const },
        { id: 'reject', label: 'Reject', tone: 'reject' as const },
      ];
      return { verdict: 'ask', ask: { kind: 'tool-approval', title: tool.title, choices }, decision };
    },
  }),
];

const manifests: AnyManifest[] = [...executors.map((entry) => entry.manifest), testJoin, ...policies.map((entry) => entry.manifest)];

/** A list that every `step` with `write` appends to, and one that outlives the run. */
export const testChannels = [
  defineChannel({
    id: 'log',
    title: 'Log',
    summary: 'What steps wrote.',
    schema: z.array(z.string()),
    reducer: 'append',
    scope: 'session',
    initial: [],
    writers: 'many',
  }),
];

export const testCatalogue: Catalogue = {
  nodes: new Map(manifests.map((manifest) => [manifest.id, manifest])),
  channels: new Map(testChannels.map((channel) => [channel.id, channel])),
};

export const testRuntime: Runtime = {
  catalogue: testCatalogue,
  executors: new Map(executors.map((entry) => [entry.manifest.id, entry])),
  policies: new Map(policies.map((entry) => [entry.manifest.id, entry])),
};
