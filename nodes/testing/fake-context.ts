import { type AskAnswer, type AskInput, askAnswerSchema, askSchema } from '@/harness/contract/ask';
import type { DecisionInput } from '@/harness/contract/decision';
import { decisionSchema } from '@/harness/contract/decision';
import { toErrorRecord, unexpectedError } from '@/harness/contract/errors';
import type {
  Attachment,
  BodyOptions,
  BodyResult,
  BranchState,
  ExecuteContext,
  InboxMessage,
  OutboundRequest,
  OutboundResponse,
  SandboxLimits,
  ToolOutcome,
} from '@/harness/contract/execute';
import type { Json, JsonObject } from '@/harness/contract/json';
import type { ModelReply, ModelRequest, ModelRole } from '@/harness/contract/model';
import type { AnyManifest, ConfigOf } from '@/harness/contract/node';
import type { CallScope, ToolEffect, ToolSpec } from '@/harness/contract/tool';
import { evaluateExpression } from '@/harness/expression/evaluate';
import { renderTemplate } from '@/harness/expression/template';

/** One scripted answer of the model: a reply in part, an error, or a function of the request. */
export type Scripted = Partial<ModelReply> | Error | ((request: ModelRequest) => Partial<ModelReply>);

export interface FakeTool {
  name: string;
  effect?: ToolEffect;
  run: (input: Json) => ToolOutcome;
}

export interface FakeOptions {
  config?: JsonObject;
  input?: Json;
  received?: Json;
  /** Outputs of other nodes by id. */
  outputs?: Record<string, Json>;
  state?: Record<string, Json>;
  secrets?: Record<string, string>;
  replies?: Scripted[];
  tools?: FakeTool[];
  answers?: Partial<AskAnswer>[];
  body?: (item: Json, index: number) => Omit<BodyResult, 'index'>;
  respond?: (request: OutboundRequest) => Partial<OutboundResponse>;
  sandbox?: (source: string, globals: JsonObject, limits: SandboxLimits) => Json;
  now?: number;
  /** For merging nodes. */
  branches?: BranchState[];
  attachments?: Attachment[];
  inbox?: InboxMessage[];
  workspace?: string;
  /** Roles with a model of their own. */
  ownModels?: ModelRole[];
}

/** What an executor did to the world. */
export interface Seen {
  decisions: DecisionInput[];
  logs: string[];
  requests: ModelRequest[];
  calls: { tool: string; input: Json; scope?: CallScope }[];
  asks: { key: string; ask: AskInput }[];
  sleeps: number[];
  fetches: OutboundRequest[];
  bodies: { items: Json[]; options: BodyOptions }[];
}

/**
 * An `ExecuteContext` for tests of executors: expressions are real, everything outside is scripted, and whatever is asked for without
 * being scripted throws at once with what was asked.
 */
export function fakeContext<M extends AnyManifest>(manifest: M, options: FakeOptions = {}) {
  const seen: Seen = { decisions: [], logs: [], requests: [], calls: [], asks: [], sleeps: [], fetches: [], bodies: [] };
  const replies = [...(options.replies ?? [])];
  const answers = [...(options.answers ?? [])];
  const received = options.received ?? null;
  const input = options.input ?? null;
  const outputs = options.outputs ?? {};
  const names: Record<string, Json> = {
    ...outputs,
    nodes: outputs,
    input,
    received,
    state: options.state ?? {},
    run: { id: 'run' },
    session: { id: 'session' },
  };
  const tools = options.tools ?? [];

  const context: ExecuteContext<ConfigOf<M>> = {
    // parsing gives exactly what ConfigOf names; the manifest is generic here, so the compiler cannot see it
    config: manifest.config.parse(options.config ?? {}) as ConfigOf<M>,
    node: { id: 'node', label: manifest.title, type: manifest.id },
    visit: { id: 'visit', number: 1, attempt: 1 },
    run: { id: 'run', sessionId: 'session', workspace: options.workspace ?? null },
    input,
    received,
    state: options.state ?? {},
    branches: options.branches ?? [],
    attachments: options.attachments ?? [],
    signal: new AbortController().signal,
    text: (template) => renderTemplate(template, { names: { ...names, secrets: options.secrets ?? {} } }),
    evaluate: (expression, extra) => evaluateExpression(expression, { names: { ...names, ...extra } }),
    decide: (decision) => {
      decisionSchema.parse(decision);
      seen.decisions.push(decision);
    },
    log: (level, message) => {
      seen.logs.push(`${level}: ${message}`);
    },
    once: async (_key, work) => work(),
    model: async (request) => {
      seen.requests.push(request);
      const next = replies.shift();
      if (next === undefined) throw unscripted(`a model call: ${JSON.stringify(request.messages.at(-1))}`);
      if (next instanceof Error) throw next;
      return replyOf(typeof next === 'function' ? next(request) : next);
    },
    hasOwnModel: (role) => role === 'primary' || (options.ownModels ?? []).includes(role),
    tools: () => tools.map(specOf),
    tool: async (name, toolInput, scope) => {
      seen.calls.push({ tool: name, input: toolInput, ...(scope === undefined ? {} : { scope }) });
      const tool = tools.find((entry) => entry.name === name);
      if (!tool) return { status: 'failed', code: 'TOOL_UNKNOWN', message: `no tool ${name}` };
      return tool.run(toolInput);
    },
    ask: async (key, ask) => {
      askSchema.parse(ask);
      seen.asks.push({ key, ask });
      const next = answers.shift();
      if (next === undefined) throw unscripted(`a person: ${ask.title}`);
      return askAnswerSchema.parse(next);
    },
    sleep: async (_key, milliseconds) => {
      seen.sleeps.push(milliseconds);
    },
    each: async (_key, items, bodyOptions) => {
      seen.bodies.push({ items, options: bodyOptions });
      const { body } = options;
      if (!body) throw unscripted('a body');
      return items.map((item, index) => ({ index, ...body(item, index) }));
    },
    fetch: async (request) => {
      seen.fetches.push(request);
      if (!options.respond) throw unscripted(`${request.method} ${request.url}`);
      return { status: 200, headers: {}, body: '', truncated: false, url: request.url, ...options.respond(request) };
    },
    sandbox: async (source, globals, limits) => {
      if (!options.sandbox) throw unscripted('the sandbox');
      return options.sandbox(source, globals, limits);
    },
    now: async () => options.now ?? 1_000_000,
    inbox: async () => options.inbox ?? [],
  };
  return { context, ...seen, left: () => ({ replies: replies.length, answers: answers.length }) };
}

const unscripted = (what: string) => unexpectedError('UNSCRIPTED', `Nothing is scripted for ${what}`);

const replyOf = (reply: Partial<ModelReply>): ModelReply => ({
  text: '',
  toolCalls: [],
  finish: reply.toolCalls?.length ? 'tool-calls' : 'stop',
  usage: { inputTokens: 1, outputTokens: 1, cost: null },
  provider: 'scripted',
  model: 'scripted-model',
  ...reply,
});

export const specOf = ({ name, effect = 'read' }: Pick<FakeTool, 'name' | 'effect'>): ToolSpec => ({
  name,
  title: name,
  description: `The tool ${name}`,
  effect,
  ceiling: 'HIGH',
  untrusted: false,
  inputSchema: { type: 'object' },
  outputSchema: {},
});

/** The code of the error that a promise or function ends with; `null` when it ends well. */
export async function codeOf(work: () => unknown): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (thrown) {
    return toErrorRecord(thrown).code;
  }
}
