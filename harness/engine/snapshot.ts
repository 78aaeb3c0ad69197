import type { Ask } from '../contract/ask';
import type { ErrorRecord } from '../contract/errors';
import type { Json } from '../contract/json';
import type { Usage } from '../contract/policy';
import type { Outcome, RunOptions, RunUsage } from '../trace/events';
import { noUsage } from '../trace/events';

/** The scope id of the run itself; container bodies have ids of their own. */
export const rootScope = '';

/** One thread of control. It stands at a node: about to enter it, visiting it, or waiting at a join. */
export interface Token {
  id: string;
  scope: string;
  node: string;
  /** Edge it came by. */
  via: string | null;
  /** Node whose output it carries. */
  from: string | null;
  state: 'arriving' | 'visiting' | 'waiting';
  visit?: string;
  /** Fork instances it stands in, outermost first. */
  forks: readonly string[];
  /** Visit that sent it, for a join's list of collected visits. */
  sender: string | null;
}

export interface ForkInstance {
  id: string;
  node: string;
  /** Joins that have fired before all branches came (`any`, `n`): later arrivals are absorbed. */
  closed: string[];
}

export type Suspension =
  | { kind: 'ask'; askId: string; ask: Ask; hash: string; at: number }
  | { kind: 'sleep'; until: number }
  | { kind: 'scopes'; scopes: string[]; concurrency: number; onError: 'stop' | 'collect' };

/** A visit that has begun and not ended. */
export interface Visit {
  id: string;
  node: string;
  scope: string;
  token: string;
  number: number;
  attempt: number;
  startedAt: number;
  /** Finished effects by key: what a second execution is answered with. */
  memo: Record<string, Json>;
  suspended: Record<string, Suspension>;
  /** A write has been done in this visit: its finished effects are kept by a retry, so that it is not done twice. */
  wrote: boolean;
  /** Tool calls that were started and not recorded as ended. */
  openTools: Record<string, { tool: string; effect: 'read' | 'idempotent' | 'write' }>;
  /** Decisions and log lines already in the trace; a second execution does not repeat them. */
  notes: number;
  /** At a merging node: the branches it has taken in. */
  merged?: string[];
  retryAt?: number;
}

/** One execution of a body: the run, one item of a container, or an embedded flow. */
export interface Scope {
  id: string;
  /** Keys into nested `subplans` from the run's plan; empty for the run's own plan. */
  plan: readonly string[];
  /** The container visit that opened it; null for the run. */
  parent: { visit: string; scope: string; node: string } | null;
  index: number;
  input: Json;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  outputs: Record<string, Json>;
  traversals: Record<string, number>;
  branch?: Branch;
  result: { output: Json; final: boolean };
  error?: ErrorRecord;
}

/**
 * What makes a scope a branch of a dispatch: it walks the nodes of the scope it came from, with channels and node outputs of its own until a
 * merging node takes it in.
 */
export interface Branch {
  /** The scope it was sent out from, which may be a branch too. */
  of: string;
  /** The visit that dispatched it; its siblings name the same. */
  group: string;
  channels: Record<string, Json>;
  /** Channels it has written. */
  touched: string[];
  /** Nodes that have put something out in it. */
  ran: string[];
  /** Fork instances its token stood in before. */
  forks: readonly string[];
  /** What came to the merging node; null when it ended elsewhere. */
  received: Json;
}

/** State of a run between two inputs; always the fold of its events (design §6). Plain JSON. */
export interface RunSnapshot {
  runId: string;
  status: 'new' | 'running' | Exclude<Outcome, 'waiting'>;
  lastSeq: number;
  lastAt: number;
  startedAt: number;
  /** Milliseconds in which nothing could go on: waiting for people, or no process. Not counted as wall time. */
  parkedMs: number;
  parkedSince: number | null;
  input: Json;
  options: RunOptions;
  sessionId: string | null;
  workspace: string | null;
  tokens: Record<string, Token>;
  visits: Record<string, Visit>;
  scopes: Record<string, Scope>;
  forks: Record<string, ForkInstance>;
  /** How often each node was visited, by embedded plan and node id. */
  visitCounts: Record<string, number>;
  channels: Record<string, Json>;
  outputs: Record<string, Json>;
  usage: RunUsage;
  /** What the nodes under each policy have used, by embedded plan and policy id. */
  policyUsage: Record<string, Usage & { since: number }>;
  counters: { token: number; visit: number; fork: number; scope: number; ask: number };
  /** First failure that no error edge took. */
  failure: { error: ErrorRecord; node: string } | null;
  limit: { cap: string; message: string } | null;
  /** Asks that wait for an answer. */
  openAsks: number;
  /** After `step` at a breakpoint: stop before the next visit whatever it is. */
  stepping: boolean;
  /** True once an `until` node has been visited. */
  untilReached: boolean;
  /** Messages of people that visits have been given. */
  inboxRead: string[];
  /** Those of them that the run does not take up. */
  inboxReturned: string[];
}

/**
 * A record whose keys come and go. Without a prototype it is a dictionary from the start; an ordinary object would make the engine of the
 * language keep a shape for every token and visit that ever was.
 */
export const dictionary = <T>(): Record<string, T> => Object.create(null);

export function newSnapshot(runId: string): RunSnapshot {
  return {
    runId,
    status: 'new',
    lastSeq: 0,
    lastAt: 0,
    startedAt: 0,
    parkedMs: 0,
    parkedSince: null,
    input: null,
    options: { pins: {}, seedOutputs: {}, breakpoints: [] },
    sessionId: null,
    workspace: null,
    tokens: dictionary(),
    visits: dictionary(),
    scopes: dictionary(),
    forks: dictionary(),
    visitCounts: dictionary(),
    channels: {},
    outputs: {},
    usage: { ...noUsage },
    policyUsage: dictionary(),
    counters: { token: 0, visit: 0, fork: 0, scope: 0, ask: 0 },
    failure: null,
    limit: null,
    openAsks: 0,
    stepping: false,
    untilReached: false,
    inboxRead: [],
    inboxReturned: [],
  };
}

/** A node or policy of an embedded plan is another one than its namesake outside. */
export const planKey = (scope: Pick<Scope, 'plan'>, id: string): string => [...scope.plan, id].join('\u0000');

export const isLive = (snapshot: RunSnapshot): boolean => snapshot.status === 'running';

/** `waiting` when every live visit waits for a person (or for bodies that do), else the status itself. */
export function statusOf(snapshot: RunSnapshot): 'new' | 'running' | Outcome {
  if (!isLive(snapshot)) return snapshot.status;
  const visits = Object.values(snapshot.visits);
  if (visits.length === 0) return 'running';
  const asks = visits.some((visit) => Object.values(visit.suspended).some((entry) => entry.kind === 'ask'));
  const parked = visits.every((visit) => {
    const suspended = Object.values(visit.suspended);
    return suspended.length > 0 && suspended.every((entry) => entry.kind !== 'sleep');
  });
  return asks && parked ? 'waiting' : 'running';
}
