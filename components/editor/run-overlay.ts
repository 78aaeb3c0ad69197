import type { Decision } from '@/harness/contract/decision';
import type { Json } from '@/harness/contract/json';
import type { RunStatus, TraceEvent } from '@/harness/trace/events';

export type NodeRunStatus = 'running' | 'done' | 'failed' | 'waiting' | 'cancelled' | 'skipped' | 'pinned' | 'retrying';

/** What a card shows of the run on view. Objects are kept when nothing about the node changed, so only its card renders again. */
export interface NodeOverlay {
  status: NodeRunStatus;
  visits: number;
  /** Start of the visit that is under way, milliseconds since the epoch. */
  since: number | null;
  durationMs: number | null;
  decision: Decision | null;
  error: string | null;
  output: Json | undefined;
  port: string | null;
  /** Held before it begins, by a breakpoint or after a step. */
  held: boolean;
}

export interface RunOverlay {
  runId: string | null;
  status: RunStatus | 'idle';
  lastSeq: number;
  nodes: ReadonlyMap<string, NodeOverlay>;
  /** How often each edge was taken. */
  edges: ReadonlyMap<string, number>;
  /** The edge that was taken last by a token still under way, for the travelling mark. */
  liveEdges: ReadonlySet<string>;
  waiting: number;
  error: string | null;
  output: Json | undefined;
}

export const idleOverlay: RunOverlay = {
  runId: null,
  status: 'idle',
  lastSeq: 0,
  nodes: new Map(),
  edges: new Map(),
  liveEdges: new Set(),
  waiting: 0,
  error: null,
  output: undefined,
};

const blank: NodeOverlay = {
  status: 'running',
  visits: 0,
  since: null,
  durationMs: null,
  decision: null,
  error: null,
  output: undefined,
  port: null,
  held: false,
};

const endStatus = { done: 'done', failed: 'failed', cancelled: 'cancelled', disabled: 'skipped', pinned: 'pinned' } as const;

/** A run waits when a person is asked, or something slept on, and nothing else goes on. */
function standing(nodes: ReadonlyMap<string, NodeOverlay>, asked: number): 'running' | 'waiting' {
  let waits = asked > 0;
  for (const node of nodes.values()) {
    if (node.status === 'running' || node.status === 'retrying') return 'running';
    if (node.status === 'waiting') waits = true;
  }
  return waits ? 'waiting' : 'running';
}

/**
 * Folds a batch of events into the overlay, in seq order; events already folded are passed over, so a frame that arrives twice changes nothing. Cheap
 * enough for a thousand events a second: one copy of each map per batch, one new object per touched node.
 */
export function foldOverlay(before: RunOverlay, events: readonly TraceEvent[]): RunOverlay {
  const fresh = events.filter((event) => event.seq > before.lastSeq || event.runId !== before.runId);
  const first = fresh[0];
  if (!first) return before;
  const start: RunOverlay = first.runId === before.runId ? before : { ...idleOverlay, runId: first.runId, status: 'running' };
  const nodes = new Map(start.nodes);
  const edges = new Map(start.edges);
  const live = new Set(start.liveEdges);
  const next = { ...start, nodes, edges, liveEdges: live };

  const change = (id: string | undefined, patch: Partial<NodeOverlay>): void => {
    if (id === undefined) return;
    nodes.set(id, { ...(nodes.get(id) ?? blank), ...patch });
  };

  for (const event of fresh) {
    next.lastSeq = event.seq;
    switch (event.kind) {
      case 'run-start':
      case 'run-resume':
        next.status = 'running';
        break;
      case 'visit-start': {
        const visits = (event.nodeId === undefined ? 0 : (nodes.get(event.nodeId)?.visits ?? 0)) + (event.attempt > 1 ? 0 : 1);
        change(event.nodeId, { status: 'running', since: event.at, visits: Math.max(1, visits), error: null });
        if (event.via !== null) live.delete(event.via);
        break;
      }
      case 'visit-end':
        change(event.nodeId, {
          status: endStatus[event.outcome],
          since: null,
          durationMs: event.durationMs,
          output: event.output,
          error: event.error?.message ?? null,
          port: event.ports[0] ?? null,
        });
        for (const edge of event.edges) {
          edges.set(edge, (edges.get(edge) ?? 0) + 1);
          live.add(edge);
        }
        break;
      case 'visit-retry':
        change(event.nodeId, { status: 'retrying', error: event.error.message });
        break;
      case 'decision':
        change(event.nodeId, { decision: event.decision });
        break;
      case 'join-wait':
        change(event.nodeId, { status: 'waiting' });
        break;
      case 'ask-open':
        change(event.nodeId, { status: 'waiting', held: event.ask.kind === 'breakpoint' });
        next.waiting += 1;
        break;
      case 'ask-answer':
        change(event.nodeId, { status: 'running', held: false });
        next.waiting = Math.max(0, next.waiting - 1);
        break;
      case 'sleep-start':
        change(event.nodeId, { status: 'waiting' });
        break;
      case 'sleep-end':
        change(event.nodeId, { status: 'running' });
        break;
      case 'run-end': {
        next.status = event.outcome;
        next.error = event.error?.message ?? null;
        next.output = event.output;
        next.waiting = 0;
        live.clear();
        for (const [id, node] of nodes) {
          if (node.status === 'running' || node.status === 'waiting' || node.status === 'retrying') {
            nodes.set(id, { ...node, status: event.outcome === 'succeeded' ? 'done' : 'cancelled', since: null });
          }
        }
        break;
      }
      default:
        break;
    }
  }
  if (next.status === 'running' || next.status === 'waiting') next.status = standing(nodes, next.waiting);
  return next;
}
