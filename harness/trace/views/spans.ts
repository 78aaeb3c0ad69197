import type { Ask } from '../../contract/ask';
import type { Decision } from '../../contract/decision';
import type { ErrorRecord } from '../../contract/errors';
import type { Json } from '../../contract/json';

/** A point of a run: the event that marks it and the run's clock at that event (milliseconds since the epoch). */
export interface Moment {
  seq: number;
  at: number;
}

/** Time between two moments; `end` is null while it lasts. */
export interface Span {
  start: Moment;
  end: Moment | null;
}

/** A model or tool call, or a stored effect (`once`, `now`, `fetch`, `sandbox`), inside a visit. */
export interface CallSpan extends Span {
  kind: 'model' | 'tool' | 'effect';
  key: string;
  /** Model name, tool name or the effect's key. */
  name: string;
  /** Models only. */
  provider?: string;
  role?: string;
  /** Tools only. */
  effect?: 'read' | 'idempotent' | 'write';
  status: 'running' | 'done' | 'failed' | 'denied';
  durationMs: number | null;
  /** `null` where the provider did not report it; absent on calls that are not model calls. */
  inputTokens?: number | null;
  outputTokens?: number | null;
  /** US dollars; `null` when the price is unknown. */
  cost?: number | null;
  replayed?: boolean;
  rehearsal?: boolean;
  /** Provider retries inside this call. */
  retries: number;
  error?: ErrorRecord;
}

/** A stretch in which a visit did nothing but wait. */
export interface WaitSpan extends Span {
  kind: 'ask' | 'sleep' | 'retry' | 'join';
  key: string;
  label: string;
}

/** A question put to a person. */
export interface AskSpan extends Span {
  askId: string;
  hash: string;
  ask: Ask;
  nodeId: string | undefined;
  visit: string | undefined;
  choice: string | null;
}

export type VisitStatus = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled' | 'disabled' | 'pinned';

/** One execution of a node: what the lanes, the span tree and the badges are drawn from. */
export interface VisitSpan extends Span {
  id: string;
  /** Position among the run's visits, in the order they started. */
  order: number;
  nodeId: string;
  type: string;
  label: string;
  layer: string;
  /** The container body it belongs to; null for the run itself. */
  scope: string | null;
  /** Node ids of the containers around it, outermost first. */
  path: readonly string[];
  number: number;
  attempts: number;
  via: string | null;
  joined: readonly string[];
  status: VisitStatus;
  durationMs: number | null;
  ports: readonly string[];
  edges: readonly string[];
  output: Json;
  error?: ErrorRecord;
  pin?: { runId: string | null; at: number };
  calls: CallSpan[];
  waits: WaitSpan[];
  /** Container bodies this visit opened. */
  scopes: string[];
  /** Seqs of its decisions, guard verdicts, state patches and log lines. */
  decisions: number[];
  verdicts: number[];
  patches: number[];
  logs: number[];
}

/** One run of a container's body. */
export interface ScopeSpan extends Span {
  id: string;
  index: number;
  /** Visit of the container. */
  visit: string;
  path: readonly string[];
  outcome: 'running' | 'done' | 'failed' | 'cancelled' | 'pending';
  error?: ErrorRecord;
  /** True for a branch of a dispatch: what is written in it is its own until it is taken in. */
  branch?: boolean;
}

/** A rule that fired: a node's own decision, or a policy's. */
export interface DecisionEntry {
  seq: number;
  at: number;
  nodeId: string;
  label: string;
  layer: string;
  visit: string | undefined;
  visitNumber: number;
  /** The policy node that spoke; null for the node's own decision. */
  policy: string | null;
  decision: Decision;
}

/** Length of a span in milliseconds, never below zero even when the clock was set back. */
export const spanMs = (span: Span, now: number): number => Math.max(0, (span.end?.at ?? now) - span.start.at);
