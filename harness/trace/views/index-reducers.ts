import type { Json } from '../../contract/json';
import { isJsonObject } from '../../contract/json';
import type { TraceEvent, TraceEventOf, TraceKind } from '../events';
import type { CallSpan, Moment, VisitSpan } from './spans';
import type { WorkingIndex } from './trace-index';

type Reducer<K extends TraceKind> = (index: WorkingIndex, event: TraceEventOf<K>) => void;

const momentOf = (event: TraceEvent): Moment => ({ seq: event.seq, at: event.at });

/** The visit as this batch may change it: copied the first time it is asked for. */
function touch(index: WorkingIndex, event: TraceEvent): VisitSpan | undefined {
  const position = event.visit === undefined ? undefined : index.visitAt.get(event.visit);
  const visit = position === undefined ? undefined : index.visits[position];
  if (position === undefined || visit === undefined) return undefined;
  if (index.touched.has(position)) return visit;
  const copy = {
    ...visit,
    calls: visit.calls.map((call) => (call.end === null ? { ...call } : call)),
    waits: visit.waits.map((wait) => (wait.end === null ? { ...wait } : wait)),
    scopes: [...visit.scopes],
    decisions: [...visit.decisions],
    verdicts: [...visit.verdicts],
    patches: [...visit.patches],
    logs: [...visit.logs],
  };
  index.visits[position] = copy;
  index.touched.add(position);
  return copy;
}

const findLast = <T>(items: readonly T[], test: (item: T) => boolean): T | undefined => {
  for (let i = items.length - 1; i >= 0; i -= 1) {
    const item = items[i];
    if (item !== undefined && test(item)) return item;
  }
  return undefined;
};

const openCall = (visit: VisitSpan | undefined, kind: CallSpan['kind'], key: string): CallSpan | undefined =>
  visit === undefined ? undefined : findLast(visit.calls, (call) => call.kind === kind && call.key === key && call.end === null);

const settleStatus = (visit: VisitSpan): void => {
  if (visit.end !== null) return;
  const waiting = visit.waits.some((wait) => wait.end === null);
  const working = visit.calls.some((call) => call.end === null);
  visit.status = waiting && !working ? 'waiting' : 'running';
};

function closeWait(index: WorkingIndex, event: TraceEvent, key: string): void {
  const visit = touch(index, event);
  if (visit === undefined) return;
  for (const wait of visit.waits) if (wait.end === null && wait.key === key) wait.end = momentOf(event);
  settleStatus(visit);
}

/** A further attempt shows itself by what it does first; the pause before it is over then. */
function closeRetries(index: WorkingIndex, event: TraceEvent): void {
  const visit = touch(index, event);
  if (visit === undefined) return;
  for (const wait of visit.waits) if (wait.kind === 'retry' && wait.end === null) wait.end = momentOf(event);
  settleStatus(visit);
}

function openWait(index: WorkingIndex, event: TraceEvent, wait: { kind: 'ask' | 'sleep' | 'retry'; key: string; label: string }): void {
  const visit = touch(index, event);
  if (visit === undefined) return;
  visit.waits.push({ ...wait, start: momentOf(event), end: null });
  settleStatus(visit);
}

/** How a tool's outcome counts: denied and failed are outcomes of their own. */
function toolStatus(outcome: Json): CallSpan['status'] {
  if (!isJsonObject(outcome)) return 'done';
  if (outcome.status === 'denied') return 'denied';
  return outcome.status === 'failed' ? 'failed' : 'done';
}

const joinKey = (event: TraceEvent): string => JSON.stringify([event.scope ?? null, event.nodeId ?? '']);

const startVisit: Reducer<'visit-start'> = (index, event) => {
  const id = event.visit ?? `seq-${event.seq}`;
  const known = index.visitAt.get(id);
  if (known !== undefined) {
    closeRetries(index, event);
    const visit = touch(index, event);
    if (visit !== undefined) visit.attempts = Math.max(visit.attempts, event.attempt);
    return;
  }
  const waited = index.openJoins.get(joinKey(event));
  index.openJoins.delete(joinKey(event));
  index.visitAt.set(id, index.visits.length);
  index.touched.add(index.visits.length);
  index.run.steps += 1;
  index.visits.push({
    id,
    order: index.visits.length,
    nodeId: event.nodeId ?? id,
    type: event.type,
    label: event.label,
    layer: event.layer ?? 'flow',
    scope: event.scope ?? null,
    path: (event.scope === undefined ? undefined : index.scopes.get(event.scope)?.path) ?? [],
    number: event.number,
    attempts: event.attempt,
    via: event.via,
    joined: event.joined ?? [],
    status: 'running',
    start: momentOf(event),
    end: null,
    durationMs: null,
    ports: [],
    edges: [],
    output: null,
    calls: [],
    waits: waited === undefined ? [] : [{ kind: 'join', key: 'join', label: 'Waiting for branches', start: waited, end: momentOf(event) }],
    scopes: [],
    decisions: [],
    verdicts: [],
    patches: [],
    logs: [],
  });
};

const endVisit: Reducer<'visit-end'> = (index, event) => {
  const visit = touch(index, event);
  if (visit === undefined) return;
  const end = momentOf(event);
  visit.end = end;
  visit.status = event.outcome;
  visit.durationMs = Math.max(0, event.durationMs);
  visit.ports = event.ports;
  visit.edges = event.edges;
  visit.output = event.output;
  if (event.error !== undefined) visit.error = event.error;
  if (event.pin !== undefined) visit.pin = event.pin;
  // Whatever was still open ended with the visit (cancel, timeout): nothing goes on after its visit.
  for (const call of visit.calls) if (call.end === null) Object.assign(call, { end, status: 'failed' });
  for (const wait of visit.waits) if (wait.end === null) wait.end = end;
};

const endModel: Reducer<'model-end'> = (index, event) => {
  const run = index.run;
  run.modelCalls += 1;
  run.inputTokens += event.inputTokens ?? 0;
  run.outputTokens += event.outputTokens ?? 0;
  if (event.inputTokens === null || event.outputTokens === null) run.unreportedCalls += 1;
  if (event.cost === null) run.unpricedCalls += 1;
  else run.cost += event.cost;
  run.rehearsal ||= event.rehearsal === true;
  run.replayed ||= event.replayed === true;
  const visit = touch(index, event);
  const call = openCall(visit, 'model', event.key);
  if (visit === undefined || call === undefined) return;
  call.end = momentOf(event);
  call.status = event.error === undefined ? 'done' : 'failed';
  call.durationMs = Math.max(0, event.durationMs);
  call.inputTokens = event.inputTokens;
  call.outputTokens = event.outputTokens;
  call.cost = event.cost;
  if (event.error !== undefined) call.error = event.error;
  if (event.replayed === true) call.replayed = true;
  if (event.rehearsal === true) call.rehearsal = true;
  settleStatus(visit);
};

const endRun: Reducer<'run-end'> = (index, event) => {
  const run = index.run;
  run.end = event;
  run.status = event.outcome;
  Object.assign(run, {
    steps: event.usage.steps,
    inputTokens: event.usage.inputTokens,
    outputTokens: event.usage.outputTokens,
    cost: event.usage.cost,
    unpricedCalls: event.usage.unpricedCalls,
    modelCalls: event.usage.modelCalls,
    toolCalls: event.usage.toolCalls,
  });
  for (const [id, ask] of index.asks) if (ask.end === null) index.asks.set(id, { ...ask, end: momentOf(event) });
};

function addDecision(index: WorkingIndex, event: TraceEventOf<'decision'> | TraceEventOf<'guard-verdict'>): void {
  const decision = event.decision;
  if (decision === undefined) return;
  const position = event.visit === undefined ? undefined : index.visitAt.get(event.visit);
  const visit = position === undefined ? undefined : index.visits[position];
  index.decisions.push({
    seq: event.seq,
    at: event.at,
    nodeId: event.nodeId ?? '',
    label: visit?.label ?? event.nodeId ?? 'run',
    layer: event.layer ?? visit?.layer ?? 'flow',
    visit: event.visit,
    visitNumber: visit?.number ?? 1,
    policy: event.kind === 'guard-verdict' ? event.policy : null,
    decision,
  });
}

const reducers: { [K in TraceKind]: Reducer<K> } = {
  'run-start': (index, event) => {
    index.run.start = event;
  },
  'run-resume': (index, event) => {
    const before = index.events[index.events.length - 2];
    if (before !== undefined) index.stops.push({ start: momentOf(before), end: momentOf(event) });
  },
  'visit-start': startVisit,
  'visit-end': endVisit,
  'visit-retry': (index, event) => {
    openWait(index, event, { kind: 'retry', key: `retry-${event.attempt}`, label: `Retry after ${event.error.code}` });
    const visit = touch(index, event);
    if (visit !== undefined) visit.attempts = Math.max(visit.attempts, event.attempt);
  },
  'join-wait': (index, event) => {
    if (!index.openJoins.has(joinKey(event))) index.openJoins.set(joinKey(event), momentOf(event));
  },
  'token-end': () => undefined,
  'state-patch': (index, event) => {
    index.patches.push(event);
    touch(index, event)?.patches.push(event.seq);
  },
  decision: (index, event) => {
    touch(index, event)?.decisions.push(event.seq);
    addDecision(index, event);
  },
  'guard-verdict': (index, event) => {
    touch(index, event)?.verdicts.push(event.seq);
    addDecision(index, event);
  },
  'model-start': (index, event) => {
    closeRetries(index, event);
    touch(index, event)?.calls.push({
      kind: 'model',
      key: event.key,
      name: event.model,
      provider: event.provider,
      role: event.role,
      status: 'running',
      start: momentOf(event),
      end: null,
      durationMs: null,
      retries: 0,
    });
  },
  'model-retry': (index, event) => {
    const call = openCall(touch(index, event), 'model', event.key);
    if (call !== undefined) call.retries += 1;
  },
  'model-end': endModel,
  'tool-start': (index, event) => {
    index.run.toolCalls += 1;
    closeRetries(index, event);
    touch(index, event)?.calls.push({
      kind: 'tool',
      key: event.key,
      name: event.tool,
      effect: event.effect,
      status: 'running',
      start: momentOf(event),
      end: null,
      durationMs: null,
      retries: 0,
    });
  },
  'tool-end': (index, event) => {
    index.run.replayed ||= event.replayed === true;
    const visit = touch(index, event);
    if (visit === undefined) return;
    const end = momentOf(event);
    const status = toolStatus(event.outcome);
    const ended = { end, status, durationMs: Math.max(0, event.durationMs), ...(event.replayed === true ? { replayed: true } : {}) };
    const call = openCall(visit, 'tool', event.key);
    // A refused call never started: it stands in the trace as a call of no length.
    if (call === undefined) visit.calls.push({ kind: 'tool', key: event.key, name: event.tool, start: end, retries: 0, ...ended });
    else Object.assign(call, ended);
    settleStatus(visit);
  },
  'effect-end': (index, event) => {
    const at = momentOf(event);
    touch(index, event)?.calls.push({
      kind: 'effect',
      key: event.key,
      name: event.key,
      status: 'done',
      start: at,
      end: at,
      durationMs: 0,
      retries: 0,
    });
  },
  'ask-open': (index, event) => {
    const { askId, hash, ask, nodeId, visit } = event;
    index.asks.set(askId, { askId, hash, ask, nodeId, visit, start: momentOf(event), end: null, choice: null });
    openWait(index, event, { kind: 'ask', key: event.key, label: ask.title });
  },
  'ask-answer': (index, event) => {
    const ask = index.asks.get(event.askId);
    if (ask !== undefined) index.asks.set(event.askId, { ...ask, end: momentOf(event), choice: event.choice });
    closeWait(index, event, event.key);
  },
  'ask-refused': () => undefined,
  'sleep-start': (index, event) => openWait(index, event, { kind: 'sleep', key: event.key, label: 'Waiting' }),
  'sleep-end': (index, event) => closeWait(index, event, event.key),
  'scopes-open': (index, event) => {
    const visit = touch(index, event);
    if (visit === undefined) return;
    event.scopes.forEach((id, position) => {
      visit.scopes.push(id);
      const path = [...visit.path, visit.nodeId];
      index.scopes.set(id, { id, index: position, visit: visit.id, path, outcome: 'pending', start: momentOf(event), end: null });
    });
  },
  'scope-start': (index, event) => {
    const scope = event.scope === undefined ? undefined : index.scopes.get(event.scope);
    if (scope !== undefined) index.scopes.set(scope.id, { ...scope, outcome: 'running', start: momentOf(event) });
  },
  'scope-end': (index, event) => {
    const scope = event.scope === undefined ? undefined : index.scopes.get(event.scope);
    if (scope === undefined) return;
    const error = event.error === undefined ? {} : { error: event.error };
    index.scopes.set(scope.id, { ...scope, outcome: event.outcome, end: momentOf(event), ...error });
  },
  log: (index, event) => {
    touch(index, event)?.logs.push(event.seq);
  },
  'limit-reached': (index, event) => {
    index.run.limit = event;
  },
  'cancel-request': (index, event) => {
    index.run.cancelledBy = event.by;
  },
  'run-end': endRun,
};

export function reduceEvent(index: WorkingIndex, event: TraceEvent): void {
  // The table is keyed by kind, so the reducer found always fits the event; TypeScript cannot see that pairing.
  const reduce = reducers[event.kind] as Reducer<TraceKind>;
  reduce(index, event);
}
