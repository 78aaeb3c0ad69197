import type { DecisionEntry } from '../spans';
import { type TraceIndex, visitOf } from '../trace-index';
import { entryAt } from './history';

/** The decisions of one visit, in order. */
export function entriesOfVisit(index: TraceIndex, id: string | undefined): DecisionEntry[] {
  const visit = visitOf(index, id);
  if (visit === undefined) return [];
  return visit.decisions.flatMap((seq) => {
    const entry = entryAt(index.decisions, seq);
    return entry?.seq === seq ? [entry] : [];
  });
}
