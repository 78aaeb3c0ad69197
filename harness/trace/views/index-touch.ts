import type { TraceEvent, TraceEventOf, TraceKind } from '../events';
import type { CallSpan, Moment, VisitSpan } from './spans';
import type { WorkingIndex } from './trace-index';

export type Reducer<K extends TraceKind> = (index: WorkingIndex, event: TraceEventOf<K>) => void;

export const momentOf = (event: TraceEvent): Moment => ({ seq: event.seq, at: event.at });

/** The visit as this batch may change it: copied the first time it is asked for. */
export function touch(index: WorkingIndex, event: TraceEvent): VisitSpan | undefined {
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

export const openCall = (visit: VisitSpan | undefined, kind: CallSpan['kind'], key: string): CallSpan | undefined =>
  visit === undefined ? undefined : findLast(visit.calls, (call) => call.kind === kind && call.key === key && call.end === null);

export const settleStatus = (visit: VisitSpan): void => {
  if (visit.end !== null) return;
  const waiting = visit.waits.some((wait) => wait.end === null);
  const working = visit.calls.some((call) => call.end === null);
  visit.status = waiting && !working ? 'waiting' : 'running';
};

export function closeWait(index: WorkingIndex, event: TraceEvent, key: string): void {
  const visit = touch(index, event);
  if (visit === undefined) return;
  for (const wait of visit.waits) if (wait.end === null && wait.key === key) wait.end = momentOf(event);
  settleStatus(visit);
}

/** A further attempt shows itself by what it does first; the pause before it is over then. */
export function closeRetries(index: WorkingIndex, event: TraceEvent): void {
  const visit = touch(index, event);
  if (visit === undefined) return;
  for (const wait of visit.waits) if (wait.kind === 'retry' && wait.end === null) wait.end = momentOf(event);
  settleStatus(visit);
}

export function openWait(
  index: WorkingIndex,
  event: TraceEvent,
  wait: { kind: 'ask' | 'sleep' | 'retry'; key: string; label: string },
): void {
  const visit = touch(index, event);
  if (visit === undefined) return;
  visit.waits.push({ ...wait, start: momentOf(event), end: null });
  settleStatus(visit);
}
