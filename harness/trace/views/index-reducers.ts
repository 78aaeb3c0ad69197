import type { TraceEvent, TraceEventOf, TraceKind } from '../events';
import { callReducers } from './index-calls';
import { closeWait, momentOf, openWait, type Reducer, touch } from './index-touch';
import { endVisit, joinKey, startVisit } from './index-visits';
import type { WorkingIndex } from './trace-index';

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

/** Whether a scope is a branch of a dispatch, or stands in one. */
function inBranch(index: WorkingIndex, scope: string | undefined): boolean {
  for (let id = scope; id !== undefined; ) {
    const span = index.scopes.get(id);
    if (span?.branch === true) return true;
    const position = span === undefined ? undefined : index.visitAt.get(span.visit);
    id = position === undefined ? undefined : (index.visits[position]?.scope ?? undefined);
  }
  return false;
}

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
  'visit-start': (index, event) => {
    startVisit(index, event);
    for (const id of event.merged ?? []) {
      const branch = index.scopes.get(id);
      if (branch !== undefined) index.scopes.set(id, { ...branch, outcome: 'done', end: momentOf(event) });
    }
  },
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
    // What a branch writes is seen by that branch alone; the merging node writes what the run keeps of it.
    if (!inBranch(index, event.scope)) index.patches.push(event);
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
  ...callReducers,
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
  'branches-open': (index, event) => {
    const visit = touch(index, event);
    if (visit === undefined) return;
    event.branches.forEach(({ scope: id }, position) => {
      visit.scopes.push(id);
      // A branch walks the nodes of the flow it came from, so its place on the canvas is the same.
      const { path } = visit;
      index.scopes.set(id, {
        id,
        index: position,
        visit: visit.id,
        path,
        outcome: 'running',
        start: momentOf(event),
        end: null,
        branch: true,
      });
    });
  },
  'inbox-read': () => undefined,
  'inbox-return': () => undefined,
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
