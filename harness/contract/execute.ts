import type { AskAnswer, AskInput } from './ask';
import type { DecisionInput } from './decision';
import type { Json, JsonObject } from './json';
import type { ModelReply, ModelRequest, ModelRole } from './model';
import type { AnyManifest, ConfigOf } from './node';
import type { CallScope, ToolSpec } from './tool';

/** One run of a container's body over one item, as `context.each` returns it. */
export interface BodyResult {
  index: number;
  outcome: 'done' | 'failed';
  /** What the body's `output` node (or, without one, its last node) put out. */
  output: Json;
  error?: { code: string; message: string };
}

export interface BodyOptions {
  /** How many bodies may run at once, 1 or more. */
  concurrency: number;
  /** `stop`: the first failure fails the container; `collect`: failures stand among the results. */
  onError: 'stop' | 'collect';
}

/** The answer of a tool as the caller sees it: a refusal or failure is a value, never a throw. */
export type ToolOutcome =
  | { status: 'ok'; output: Json }
  | { status: 'denied'; message: string }
  | { status: 'failed'; code: string; message: string };

/**
 * All a node's executor may touch. Effects are durable: after a crash the executor is called again from its start and every
 * finished `once`, `model`, `tool`, `ask`, `sleep` and `each` answers at once with what it answered before (design §6). An executor must
 * therefore be deterministic apart from its effects.
 */
export interface ExecuteContext<Config = unknown> {
  readonly config: Config;
  readonly node: { readonly id: string; readonly label: string; readonly type: string };
  /** `number` counts this node's visits in this run from 1; `attempt` counts tries of this visit from 1. */
  readonly visit: { readonly id: string; readonly number: number; readonly attempt: number };
  readonly run: { readonly id: string; readonly sessionId: string | null; readonly workspace: string | null };
  /** The input of the run, or of the container body this node stands in. */
  readonly input: Json;
  /** What the node that sent the token put out; for a join, the outputs of the collected branches by node id. */
  readonly received: Json;
  /** Channel values by name, as they are at this visit. */
  readonly state: Readonly<Record<string, Json>>;
  /** Only for a merging node: the branches whose tokens it has collected, in dispatch order; empty when a token came alone. */
  readonly branches: readonly BranchState[];
  /** The policies around this visit, innermost last. */
  readonly attachments: readonly Attachment[];
  readonly signal: AbortSignal;

  /** Fills the `{{expressions}}` of a template. Throws `REFERENCE_*` or `EXPRESSION_*` user errors. */
  text(template: string): string;
  /** Evaluates one CEL expression over upstream outputs, channels, `input`, `item`, `index`. */
  evaluate(expression: string, extra?: JsonObject): Json;
  /** Records why this node does what it does. */
  decide(decision: DecisionInput): void;
  log(level: 'info' | 'warning', message: string): void;

  /** Runs `work` once per visit and key, ever; its JSON result is stored before this resolves. */
  once<T extends Json>(key: string, work: () => Promise<T> | T): Promise<T>;
  /** One model call under the run's caps and the attached policies. */
  model(request: ModelRequest): Promise<ModelReply>;
  /** Whether a role has a model of its own here; without one its calls go to `primary`. */
  hasOwnModel(role: ModelRole): boolean;
  /** The tools this node may use: flow grants, minus what attached policies hide. */
  tools(): ToolSpec[];
  /** Calls a tool through the attached policies, which may refuse it or put it to a person. `scope` narrows what they let pass. */
  tool(name: string, input: Json, scope?: CallScope): Promise<ToolOutcome>;
  /** Parks the run until a person answers. */
  ask(key: string, ask: AskInput): Promise<AskAnswer>;
  /** Parks the run for that many milliseconds of the run's clock. */
  sleep(key: string, milliseconds: number): Promise<void>;
  /** Containers: runs the body once for each item. Subflows: runs the embedded flow once per item as its input. */
  each(key: string, items: Json[], options: BodyOptions): Promise<BodyResult[]>;
  /** The guarded outbound client; every address is checked (design §10). */
  fetch(request: OutboundRequest): Promise<OutboundResponse>;
  /** Runs JavaScript in the WebAssembly sandbox with these values as globals. Throws `CODE_*` user errors. */
  sandbox(source: string, globals: JsonObject, limits: SandboxLimits): Promise<Json>;
  /** Milliseconds since the epoch by the run's clock; stored, so a resumed visit sees the same. */
  now(): Promise<number>;
  /** Messages of people that came since the last look, oldest first; each is given out once, also across a crash. */
  inbox(): Promise<InboxMessage[]>;
}

export interface OutboundRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  maxBytes: number;
}

export interface OutboundResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  truncated: boolean;
  url: string;
}

export interface SandboxLimits {
  timeoutMs: number;
  memoryBytes: number;
}

/** One branch of a dispatch as the merging node sees it: its own channel values, and what its last node put out. */
export interface BranchState {
  id: string;
  state: Readonly<Record<string, Json>>;
  received: Json;
}

/** A token to send out. With two or more, each walks on with channels and node outputs of its own until a merging node. */
export interface Dispatch {
  port: string;
  output?: Json;
  /** Written in this branch only. */
  writes?: Record<string, Json>;
}

/** A policy that is attached to a node or to what it stands in. Some are settings for the node rather than guards around it. */
export interface Attachment {
  id: string;
  type: string;
  config: Readonly<Record<string, unknown>>;
}

/** A message of a person that came while the run was under way. */
export interface InboxMessage {
  id: string;
  text: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** How a visit leaves its node. `ports` (several) is for role `fork`. A step without `port` leaves by its first port. */
export interface VisitResult {
  port?: string;
  ports?: string[];
  output?: Json;
  /** Channel writes; each value goes through the channel's reducer. */
  writes?: Record<string, Json>;
  /** Ids of messages from the inbox that this run does not take up: each is run as a turn of its own afterwards. */
  handBack?: string[];
  /** Instead of `port` and `output`: one token for each, in this order. At least one. */
  dispatch?: Dispatch[];
}

export type Execute<Config> = (context: ExecuteContext<Config>) => Promise<VisitResult> | VisitResult;

export interface NodeImplementation {
  manifest: AnyManifest;
  execute: Execute<never>;
}

/** Ties an executor to its manifest; `nodes/executors.ts` refuses to compile when a twin is missing. */
export const implementNode = <M extends AnyManifest>(
  manifest: M,
  execute: Execute<ConfigOf<M>>,
): { manifest: M; execute: Execute<ConfigOf<M>> } => ({ manifest, execute });
