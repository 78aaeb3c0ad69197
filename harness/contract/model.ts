import type { ErrorRecord } from './errors';
import type { Json, JsonSchema } from './json';

/** The four model roles of a flow (planning.md §0). A role without a model of its own uses `primary`. */
export const modelRoles = ['primary', 'request', 'worker', 'expert'] as const;
export type ModelRole = (typeof modelRoles)[number];

export interface ToolCall {
  id: string;
  name: string;
  arguments: Json;
}

export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; toolName: string; content: string; isError?: boolean };

/** What a model is told about a tool. */
export interface ToolOffer {
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

/** A request as a node makes it: a role, not a model; the host resolves the role. */
export interface ModelRequest {
  role: ModelRole;
  messages: ChatMessage[];
  tools?: ToolOffer[];
  /** When present the reply must be JSON of this schema and is returned as `object`. */
  schema?: JsonSchema;
  /** Name of the structured reply, for providers that want one. */
  schemaName?: string;
  temperature?: number;
  maxOutputTokens?: number;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' | 'other';

/** Token counts; `null` where the provider did not report them. Cost in US dollars, `null` when the price is unknown. */
export interface ModelUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cost: number | null;
}

export interface ModelReply {
  text: string;
  toolCalls: ToolCall[];
  object?: Json;
  finish: FinishReason;
  usage: ModelUsage;
  provider: string;
  model: string;
  /** True when the built-in rehearsal model wrote this reply. */
  rehearsal?: boolean;
  /** True when the reply comes from a recorded run; nothing was spent. */
  replayed?: boolean;
  /** True when the provider broke off the model's thinking because its budget was used up. */
  reasoningAborted?: boolean;
}

/** Who asks: lets a script, a cassette or the rehearsal model find the reply meant for this call. */
export interface ModelCaller {
  runId: string;
  flowId: string;
  nodeId: string;
  nodeType: string;
  /** 1-based visit number of the node in this run, and 1-based call number within the visit. */
  visit: number;
  call: number;
}

export interface ModelCallOptions {
  caller: ModelCaller;
  signal: AbortSignal;
  /** Called with each piece of text as it arrives. */
  onDelta: (text: string) => void;
}

/** One model call. Throws a `BridleError` (`MODEL_AUTH`, `MODEL_RATE_LIMIT`, `MODEL_UNAVAILABLE`, `MODEL_BAD_REPLY`, …). */
export interface ModelGateway {
  generate(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply>;
}

/** `MODEL_*` errors carry `{retryable, status?, retryAfterMs?}` as details; this is whether another try may help. */
export const isRetryable = (error: ErrorRecord): boolean => {
  const details = error.details;
  return typeof details === 'object' && details !== null && !Array.isArray(details) && details.retryable === true;
};
