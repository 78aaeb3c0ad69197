import { z } from 'zod';
import { askAnswerSchema, askSchema } from '../contract/ask';
import { decisionSchema } from '../contract/decision';
import { jsonSchema } from '../contract/json';

/** Version of the event format, stored with each run. A newer log is refused with both versions named. */
export const traceVersion = 1;

/** How a run can end or stand (design §6). `running` is a state, not an outcome. */
export const outcomes = ['succeeded', 'failed', 'cancelled', 'limit', 'waiting', 'interrupted', 'incomplete'] as const;
export type Outcome = (typeof outcomes)[number];
export type RunStatus = Outcome | 'running';

const errorRecordSchema = z.object({
  code: z.string(),
  kind: z.enum(['user', 'operational', 'unexpected']),
  message: z.string(),
  details: jsonSchema.optional(),
});

export const usageSchema = z.object({
  steps: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** US dollars of the calls whose price is known. */
  cost: z.number(),
  /** Model calls whose price is unknown, or whose tokens were not reported. */
  unpricedCalls: z.number(),
  modelCalls: z.number(),
  toolCalls: z.number(),
});
export type RunUsage = z.output<typeof usageSchema>;
export const noUsage: RunUsage = { steps: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpricedCalls: 0, modelCalls: 0, toolCalls: 0 };

export const pinSchema = z.object({
  output: jsonSchema,
  port: z.string().optional(),
  /** Where the value came from; null for a value typed by a person. */
  runId: z.string().nullable(),
  at: z.number(),
});
export type Pin = z.output<typeof pinSchema>;

/** What a person may ask of one run beyond its input. */
export const runOptionsSchema = z.object({
  /** Start at this node instead of the flow's start nodes; upstream outputs come from `seedOutputs`. */
  from: z.string().optional(),
  /** End each token after this node. */
  until: z.string().optional(),
  pins: z.record(z.string(), pinSchema).default({}),
  seedOutputs: z.record(z.string(), jsonSchema).default({}),
  breakpoints: z.array(z.string()).default([]),
  /** Where tools that may write do so: a copy of the chosen folder (when absent), a git worktree of it, or the folder itself. */
  workspaceMode: z.enum(['copy', 'worktree', 'folder']).optional(),
});
export type RunOptions = z.output<typeof runOptionsSchema>;

const patchSchema = z.object({
  op: z.enum(['replace', 'remove', 'add']),
  path: z.array(z.union([z.string(), z.number()])),
  value: jsonSchema.optional(),
});

/**
 * The envelope, stamped by the engine (design §7): `seq` is gap-free from 1 within a run, `at` is milliseconds since the epoch by the run's clock.
 * `visit` is a visit id; `scope` names the container body the event belongs to, absent for the run itself.
 */
const envelope = {
  runId: z.string(),
  seq: z.int().min(1),
  at: z.number(),
  nodeId: z.string().optional(),
  visit: z.string().optional(),
  scope: z.string().optional(),
  layer: z.string().optional(),
};

const event = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) => z.object({ ...envelope, kind: z.literal(kind), ...shape });

export const traceEventSchema = z.discriminatedUnion('kind', [
  event('run-start', {
    version: z.number(),
    flowId: z.string(),
    flowName: z.string(),
    planHash: z.string(),
    input: jsonSchema,
    options: runOptionsSchema,
    sessionId: z.string().nullable(),
    workspace: z.string().nullable(),
    /** Channel values the run begins with (session and flow scope). */
    channels: z.record(z.string(), jsonSchema),
  }),
  /** A process took the run up again after it had stopped. */
  event('run-resume', { reason: z.string() }),
  event('visit-start', {
    type: z.string(),
    label: z.string(),
    number: z.int(),
    attempt: z.int(),
    /** Edge the token came by; null at a start. */
    via: z.string().nullable(),
    token: z.string(),
    /** For joins: visits whose tokens were collected. */
    joined: z.array(z.string()).optional(),
    /** For joins: fork instances the merged token still stands in, outermost first. */
    forks: z.array(z.string()).optional(),
    /** For joins that fired before all branches came: the fork whose later arrivals are absorbed. */
    closed: z.string().optional(),
    /** For merging nodes: the branches taken in, in dispatch order. */
    merged: z.array(z.string()).optional(),
  }),
  event('visit-end', {
    outcome: z.enum(['done', 'failed', 'cancelled', 'disabled', 'pinned']),
    ports: z.array(z.string()),
    /** Edges the token left by; empty when it ended here. */
    edges: z.array(z.string()),
    output: jsonSchema,
    error: errorRecordSchema.optional(),
    durationMs: z.number().min(0),
    pin: z.object({ runId: z.string().nullable(), at: z.number() }).optional(),
  }),
  event('visit-retry', { attempt: z.int(), error: errorRecordSchema, delayMs: z.number(), until: z.number() }),
  /** A token came to a join and waits for others. */
  event('join-wait', { token: z.string(), arrived: z.int(), live: z.int() }),
  event('token-end', {
    token: z.string(),
    reason: z.enum(['output', 'no-edge', 'failed', 'absorbed', 'until', 'limit']),
    port: z.string().optional(),
  }),
  event('state-patch', { channel: z.string(), patches: z.array(patchSchema) }),
  event('decision', { decision: decisionSchema }),
  event('guard-verdict', {
    policy: z.string(),
    subject: z.enum(['visit', 'model', 'tool']),
    tool: z.string().optional(),
    verdict: z.enum(['allow', 'deny', 'ask', 'limit']),
    message: z.string().optional(),
    decision: decisionSchema.optional(),
  }),
  event('model-start', { key: z.string(), role: z.string(), provider: z.string(), model: z.string(), request: jsonSchema }),
  event('model-retry', { key: z.string(), error: errorRecordSchema, delayMs: z.number() }),
  event('model-end', {
    key: z.string(),
    reply: jsonSchema.optional(),
    error: errorRecordSchema.optional(),
    inputTokens: z.number().nullable(),
    outputTokens: z.number().nullable(),
    cost: z.number().nullable(),
    durationMs: z.number().min(0),
    /** Answer taken from a recorded run; nothing was spent. */
    replayed: z.boolean().optional(),
    rehearsal: z.boolean().optional(),
  }),
  event('tool-start', { key: z.string(), tool: z.string(), effect: z.enum(['read', 'idempotent', 'write']), input: jsonSchema }),
  event('tool-end', {
    key: z.string(),
    tool: z.string(),
    outcome: jsonSchema,
    durationMs: z.number().min(0),
    replayed: z.boolean().optional(),
  }),
  /** The stored result of `context.once`, `now`, `fetch` or `sandbox`. */
  event('effect-end', { key: z.string(), value: jsonSchema }),
  event('ask-open', { askId: z.string(), key: z.string(), ask: askSchema, hash: z.string() }),
  event('ask-answer', { askId: z.string(), key: z.string(), answer: askAnswerSchema, choice: z.string() }),
  /** An answer that was not accepted (replayed, expired, other hash, other visit), logged with the reason. */
  event('ask-refused', { askId: z.string(), reason: z.string(), by: z.string() }),
  event('sleep-start', { key: z.string(), until: z.number() }),
  event('sleep-end', { key: z.string() }),
  /** A visit has sent out tokens that walk on with channels and outputs of their own; each has a scope. */
  event('branches-open', {
    branches: z.array(z.object({ scope: z.string(), port: z.string(), edges: z.array(z.string()), output: jsonSchema })),
  }),
  /** Messages of people, handed to the visit. */
  event('inbox-read', { key: z.string(), messages: z.array(z.object({ id: z.string(), text: z.string(), at: z.number() })) }),
  /** Messages of the inbox that this run does not take up. */
  event('inbox-return', { ids: z.array(z.string()) }),
  event('scopes-open', {
    key: z.string(),
    /** Ids of the scopes, in item order. */
    scopes: z.array(z.string()),
    items: z.array(jsonSchema),
    concurrency: z.int(),
    onError: z.enum(['stop', 'collect']),
  }),
  event('scope-start', { index: z.int() }),
  event('scope-end', {
    index: z.int(),
    outcome: z.enum(['done', 'failed', 'cancelled']),
    output: jsonSchema,
    error: errorRecordSchema.optional(),
  }),
  event('log', { level: z.enum(['info', 'warning', 'error']), message: z.string() }),
  event('limit-reached', { cap: z.string(), value: z.number(), limit: z.number(), message: z.string() }),
  event('cancel-request', { by: z.string() }),
  event('run-end', {
    outcome: z.enum(['succeeded', 'failed', 'cancelled', 'limit', 'interrupted', 'incomplete']),
    output: jsonSchema,
    /** Outputs by output node id. */
    outputs: z.record(z.string(), jsonSchema),
    error: errorRecordSchema.optional(),
    /** Output nodes no token reached, when the outcome is `incomplete`. */
    unreached: z.array(z.string()),
    usage: usageSchema,
    /** Run-end values of channels with session or flow scope, to be carried over. */
    carry: z.record(z.string(), jsonSchema),
    /** Messages that came meanwhile and that this run has taken up. */
    inbox: z.array(z.string()).optional(),
  }),
]);

export type TraceEvent = z.output<typeof traceEventSchema>;
export type TraceKind = TraceEvent['kind'];
export type TraceEventOf<K extends TraceKind> = Extract<TraceEvent, { kind: K }>;

type WithoutEnvelope<E> = E extends TraceEvent ? Omit<E, 'runId' | 'seq' | 'at'> : never;
/** An event before the engine stamps it. */
export type TraceDraft = WithoutEnvelope<TraceEvent>;

/**
 * Text of a running model call: broadcast, never stored (design §7). It carries the seq of its `model-start` and the offset of its first
 * character, so a late subscriber can be sent the text so far.
 */
export interface ModelDelta {
  runId: string;
  kind: 'model-delta';
  start: number;
  nodeId: string;
  visit: string;
  offset: number;
  text: string;
}
