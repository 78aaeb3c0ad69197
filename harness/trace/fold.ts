import type { Ask } from '../contract/ask';
import type { Decision } from '../contract/decision';
import type { ErrorRecord } from '../contract/errors';
import type { Json } from '../contract/json';
import { patchChannel } from '../state/patch';
import type { RunStatus, RunUsage, TraceEvent, TraceEventOf } from './events';
import { noUsage } from './events';

export type NodeStatus = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled' | 'disabled' | 'pinned';

/** What a card shows of a node: its latest visit and how often it was visited. */
export interface NodeView {
  status: NodeStatus;
  visits: number;
  lastVisit: string;
  startedAt: number;
  durationMs: number | null;
  output?: Json;
  error?: ErrorRecord;
  decision?: Decision;
  attempt: number;
}

export interface OpenAsk {
  askId: string;
  nodeId: string;
  visit: string;
  scope?: string;
  ask: Ask;
  hash: string;
  openedAt: number;
}

/**
 * A run at one moment: `foldEvents` of its events up to that seq. Live view, replay and time travel all use it. Nodes of an embedded flow are
 * keyed by the subflow node's id and their own, `outer/inner`; nodes of a map's body by their own id.
 */
export interface RunView {
  runId: string;
  seq: number;
  at: number;
  startedAt: number;
  endedAt: number | null;
  status: RunStatus | 'new';
  flowId: string;
  flowName: string;
  input: Json;
  output: Json;
  error: ErrorRecord | null;
  unreached: string[];
  limit: { cap: string; message: string } | null;
  nodes: Record<string, NodeView>;
  /** How often each edge was taken. */
  edges: Record<string, number>;
  asks: OpenAsk[];
  channels: Record<string, Json>;
  usage: RunUsage;
  /** Model calls that have started and not ended: where streaming text belongs. */
  streaming: Record<number, { nodeId: string; visit: string; key: string }>;
  rehearsal: boolean;
  replayed: boolean;
  pinned: string[];
}

export const emptyRunView = (): RunView => ({
  runId: '',
  seq: 0,
  at: 0,
  startedAt: 0,
  endedAt: null,
  status: 'new',
  flowId: '',
  flowName: '',
  input: null,
  output: null,
  error: null,
  unreached: [],
  limit: null,
  nodes: {},
  edges: {},
  asks: [],
  channels: {},
  usage: { ...noUsage },
  streaming: {},
  rehearsal: false,
  replayed: false,
  pinned: [],
});

/** Folds events into a view and returns the next one; the view given is not changed. Events at or before `view.seq` are ignored. */
export function foldEvents(events: readonly TraceEvent[], view: RunView = emptyRunView()): RunView {
  const next: RunView = {
    ...view,
    nodes: { ...view.nodes },
    edges: { ...view.edges },
    asks: [...view.asks],
    channels: { ...view.channels },
    usage: { ...view.usage },
    streaming: { ...view.streaming },
    pinned: [...view.pinned],
  };
  for (const event of events) {
    if (event.seq <= next.seq) continue;
    foldOne(next, event);
    next.seq = event.seq;
    next.at = event.at;
  }
  return next;
}

function foldOne(view: RunView, event: TraceEvent): void {
  switch (event.kind) {
    case 'run-start':
      Object.assign(view, { runId: event.runId, flowId: event.flowId, flowName: event.flowName, input: event.input });
      Object.assign(view, { startedAt: event.at, status: 'running', channels: { ...event.channels } });
      break;
    case 'visit-start':
      view.usage.steps += 1;
      setNode(view, event, { status: 'running', visits: event.number, lastVisit: event.visit ?? '', startedAt: event.at });
      break;
    case 'visit-retry':
      setNode(view, event, { attempt: event.attempt });
      break;
    case 'visit-end':
      foldVisitEnd(view, event);
      break;
    case 'decision':
      setNode(view, event, { decision: event.decision });
      break;
    case 'state-patch':
      view.channels[event.channel] = patchChannel(view.channels[event.channel] ?? null, event.patches);
      break;
    case 'model-start':
      view.streaming[event.seq] = { nodeId: event.nodeId ?? '', visit: event.visit ?? '', key: event.key };
      break;
    case 'model-end':
      foldModelEnd(view, event);
      break;
    case 'tool-end':
      view.usage.toolCalls += 1;
      break;
    case 'ask-open':
      foldAskOpen(view, event);
      break;
    case 'ask-answer':
      view.asks = view.asks.filter((ask) => ask.askId !== event.askId);
      setNode(view, event, { status: 'running' });
      break;
    case 'limit-reached':
      view.limit = { cap: event.cap, message: event.message };
      break;
    case 'run-end':
      foldRunEnd(view, event);
      return;
    default:
      break;
  }
  if (view.endedAt === null) view.status = isParked(view) ? 'waiting' : 'running';
}

function isParked(view: RunView): boolean {
  return view.asks.length > 0 && !Object.values(view.nodes).some((node) => node.status === 'running' && !hasOpenAskBelow(view, node));
}

/** A container whose body waits is itself only waiting for that body. */
const hasOpenAskBelow = (view: RunView, node: NodeView): boolean =>
  view.asks.some((ask) => ask.scope !== undefined && ask.visit !== node.lastVisit);

function setNode(view: RunView, event: TraceEvent, change: Partial<NodeView>): void {
  const id = event.nodeId;
  if (id === undefined) return;
  const fresh: NodeView = { status: 'running', visits: 1, lastVisit: '', startedAt: event.at, durationMs: null, attempt: 1 };
  const base = event.kind === 'visit-start' ? fresh : (view.nodes[id] ?? fresh);
  view.nodes[id] = { ...base, ...change };
}

function foldVisitEnd(view: RunView, event: TraceEventOf<'visit-end'>): void {
  const status = event.outcome;
  setNode(view, event, {
    status,
    durationMs: event.durationMs,
    output: event.output,
    ...(event.error ? { error: event.error } : {}),
  });
  for (const edge of event.edges) view.edges[edge] = (view.edges[edge] ?? 0) + 1;
  view.asks = view.asks.filter((ask) => ask.visit !== event.visit);
  if (event.outcome === 'pinned' && event.nodeId !== undefined) view.pinned.push(event.nodeId);
}

function foldModelEnd(view: RunView, event: TraceEventOf<'model-end'>): void {
  for (const [start, call] of Object.entries(view.streaming)) {
    if (call.visit === event.visit && call.key === event.key) delete view.streaming[Number(start)];
  }
  const { usage } = view;
  usage.modelCalls += 1;
  usage.inputTokens += event.inputTokens ?? 0;
  usage.outputTokens += event.outputTokens ?? 0;
  usage.cost += event.cost ?? 0;
  if (event.error === undefined && event.cost === null) usage.unpricedCalls += 1;
  view.rehearsal ||= event.rehearsal === true;
  view.replayed ||= event.replayed === true;
}

function foldAskOpen(view: RunView, event: TraceEventOf<'ask-open'>): void {
  const { askId, ask, hash, at, scope } = event;
  view.asks.push({
    askId,
    nodeId: event.nodeId ?? '',
    visit: event.visit ?? '',
    ask,
    hash,
    openedAt: at,
    ...(scope === undefined ? {} : { scope }),
  });
  setNode(view, event, { status: 'waiting' });
}

function foldRunEnd(view: RunView, event: TraceEventOf<'run-end'>): void {
  Object.assign(view, { status: event.outcome, endedAt: event.at, output: event.output, error: event.error ?? null });
  Object.assign(view, { unreached: event.unreached, usage: { ...event.usage }, asks: [], streaming: {} });
}
