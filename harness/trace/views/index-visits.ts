import type { TraceEvent } from '../events';
import { closeRetries, momentOf, type Reducer, touch } from './index-touch';

export const joinKey = (event: TraceEvent): string => JSON.stringify([event.scope ?? null, event.nodeId ?? '']);

export const startVisit: Reducer<'visit-start'> = (index, event) => {
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

export const endVisit: Reducer<'visit-end'> = (index, event) => {
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
