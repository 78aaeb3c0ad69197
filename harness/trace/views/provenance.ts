import type { Json } from '../../contract/json';
import type { VisitSpan } from './spans';
import { patchesUpTo, sameJson } from './state';
import type { TraceIndex } from './trace-index';
import { visitOf } from './trace-index';

/** Where a value came from: the visit that wrote it and the event by which it did. */
export interface Origin {
  seq: number;
  visit: VisitSpan;
}

type Path = readonly (string | number)[];

const related = (a: Path, b: Path): boolean => {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) if (String(a[i]) !== String(b[i])) return false;
  return true;
};

/** The last write at or before `seq` that touched this part of a channel; null when it stands since the run began. */
export function channelOrigin(index: TraceIndex, target: { channel: string; path?: Path; seq: number }): Origin | null {
  for (let i = patchesUpTo(index.patches, target.seq) - 1; i >= 0; i -= 1) {
    const event = index.patches[i];
    if (event?.channel !== target.channel) continue;
    if (!event.patches.some((patch) => related(patch.path, target.path ?? []))) continue;
    const visit = visitOf(index, event.visit);
    if (visit !== undefined) return { seq: event.seq, visit };
  }
  return null;
}

const lastEnded = (index: TraceIndex, before: number, test: (visit: VisitSpan) => boolean): VisitSpan | null => {
  let best: VisitSpan | null = null;
  for (const visit of index.visits) {
    if (visit.end === null || visit.end.seq > before || !test(visit)) continue;
    if (best === null || visit.end.seq > (best.end?.seq ?? 0)) best = visit;
  }
  return best;
};

/** The visit that sent the token a visit began with; null at a start of the run. In a container body, the container's own visit. */
export function senderOf(index: TraceIndex, visit: VisitSpan): VisitSpan | null {
  const via = visit.via;
  if (via !== null) {
    const sender = lastEnded(index, visit.start.seq, (other) => other.scope === visit.scope && other.edges.includes(via));
    if (sender !== null) return sender;
  }
  const scope = visit.scope === null ? undefined : index.scopes.get(visit.scope);
  return scope === undefined ? null : (visitOf(index, scope.visit) ?? null);
}

/** The visits whose branches a join collected, or the one that sent the token. */
export function sendersOf(index: TraceIndex, visit: VisitSpan): VisitSpan[] {
  const joined = visit.joined.map((id) => visitOf(index, id)).filter((found) => found !== undefined);
  if (joined.length > 0) return joined;
  const sender = senderOf(index, visit);
  return sender === null ? [] : [sender];
}

/** The visit a run's error came from: the innermost failed visit with that error, or else the last that failed. */
export function errorOrigin(index: TraceIndex): VisitSpan | null {
  const error = index.run.end?.error;
  const failed = index.visits.filter((visit) => visit.status === 'failed');
  const matching =
    error === undefined ? [] : failed.filter((visit) => visit.error?.code === error.code && visit.error.message === error.message);
  const candidates = matching.length > 0 ? matching : failed;
  let best: VisitSpan | null = null;
  for (const visit of candidates) if (best === null || visit.path.length >= best.path.length) best = visit;
  return best;
}

/** The visit that put out the run's result. */
export function resultOrigin(index: TraceIndex): VisitSpan | null {
  const end = index.run.end;
  if (end === null) return null;
  const ids = Object.keys(end.outputs);
  const written = ids.filter((id) => sameJson(end.outputs[id], end.output));
  const wanted = new Set<string>(written.length > 0 ? written : ids);
  return lastEnded(index, end.seq, (visit) => visit.scope === null && wanted.has(visit.nodeId));
}

/** What a visit began with: the sender's output, or for a start the run's input, or for a body its item. */
export function receivedBy(index: TraceIndex, visit: VisitSpan): Json {
  if (visit.joined.length > 0) {
    return Object.fromEntries(sendersOf(index, visit).map((sender) => [sender.nodeId, sender.output]));
  }
  const scope = visit.scope === null ? undefined : index.scopes.get(visit.scope);
  const sender = senderOf(index, visit);
  if (scope !== undefined && (sender === null || sender.id === scope.visit)) return itemOf(index, scope.visit, scope.id);
  return sender === null ? (index.run.start?.input ?? null) : sender.output;
}

function itemOf(index: TraceIndex, container: string, scope: string): Json {
  for (const event of index.events) {
    if (event.kind !== 'scopes-open' || event.visit !== container) continue;
    const place = event.scopes.indexOf(scope);
    if (place !== -1) return event.items[place] ?? null;
  }
  return null;
}
