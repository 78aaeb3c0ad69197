import { unexpectedError } from '../../contract/errors';
import type { Json } from '../../contract/json';
import type { RunStatus, TraceEvent, TraceEventOf } from '../events';
import { reduceEvent } from './index-reducers';
import type { AskSpan, DecisionEntry, Moment, ScopeSpan, Span, VisitSpan } from './spans';

/** What is known of the run as a whole at the last folded event. */
export interface RunFacts {
  status: RunStatus;
  start: TraceEventOf<'run-start'> | null;
  end: TraceEventOf<'run-end'> | null;
  limit: TraceEventOf<'limit-reached'> | null;
  cancelledBy: string | null;
  /** True when at least one reply came from the rehearsal model. */
  rehearsal: boolean;
  /** True when at least one answer was taken from a recorded run. */
  replayed: boolean;
  steps: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars of the calls whose price is known. */
  cost: number;
  unpricedCalls: number;
  modelCalls: number;
  toolCalls: number;
  /** Model calls that did not say how many tokens they used: the token counts are at least what is shown. */
  unreportedCalls: number;
}

/**
 * Everything the trace views are drawn from. A value: `extendTrace` never changes the index it is given, and extending event by event or
 * in pages ends in the same index.
 */
export interface TraceIndex {
  /** Seq of the last folded event; 0 before the first. */
  last: number;
  /** Run clock of the last event, never running backwards. */
  now: number;
  events: readonly TraceEvent[];
  visits: readonly VisitSpan[];
  visitAt: ReadonlyMap<string, number>;
  scopes: ReadonlyMap<string, ScopeSpan>;
  asks: ReadonlyMap<string, AskSpan>;
  decisions: readonly DecisionEntry[];
  /** Changes of the run's own channels; those of a branch are in its visits until it is taken in. */
  patches: readonly TraceEventOf<'state-patch'>[];
  /** Stretches in which no process held the run. */
  stops: readonly Span[];
  /** Joins that have a token waiting and have not fired, by scope and node. */
  openJoins: ReadonlyMap<string, Moment>;
  run: RunFacts;
}

export const emptyTrace: TraceIndex = {
  last: 0,
  now: 0,
  events: [],
  visits: [],
  visitAt: new Map(),
  scopes: new Map(),
  asks: new Map(),
  decisions: [],
  patches: [],
  stops: [],
  openJoins: new Map(),
  run: {
    status: 'running',
    start: null,
    end: null,
    limit: null,
    cancelledBy: null,
    rehearsal: false,
    replayed: false,
    steps: 0,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    unpricedCalls: 0,
    modelCalls: 0,
    toolCalls: 0,
    unreportedCalls: 0,
  },
};

/** The index while a batch is folded in: own copies of the lists, and visits copied when first touched. */
export interface WorkingIndex {
  last: number;
  now: number;
  events: TraceEvent[];
  visits: VisitSpan[];
  visitAt: Map<string, number>;
  scopes: Map<string, ScopeSpan>;
  asks: Map<string, AskSpan>;
  decisions: DecisionEntry[];
  patches: TraceEventOf<'state-patch'>[];
  stops: Span[];
  openJoins: Map<string, Moment>;
  run: RunFacts;
  touched: Set<number>;
}

const open = (index: TraceIndex): WorkingIndex => ({
  last: index.last,
  now: index.now,
  events: [...index.events],
  visits: [...index.visits],
  visitAt: new Map(index.visitAt),
  scopes: new Map(index.scopes),
  asks: new Map(index.asks),
  decisions: [...index.decisions],
  patches: [...index.patches],
  stops: [...index.stops],
  openJoins: new Map(index.openJoins),
  run: { ...index.run },
  touched: new Set(),
});

/**
 * Folds the next events of a run in. Events already folded are ignored, so overlapping pages and frames are harmless.
 * Throws `TRACE_GAP` when an event is missing between what is folded and what came.
 */
export function extendTrace(index: TraceIndex, events: readonly TraceEvent[]): TraceIndex {
  const fresh = events.filter((event) => event.seq > index.last);
  if (fresh.length === 0) return index;
  const working = open(index);
  for (const event of fresh) {
    if (event.seq !== working.last + 1) {
      throw unexpectedError('TRACE_GAP', `Event ${event.seq} came after event ${working.last}; read the run again from ${working.last}.`);
    }
    working.last = event.seq;
    working.now = Math.max(working.now, event.at);
    working.events.push(event);
    reduceEvent(working, event);
  }
  const { touched: _touched, ...next } = working;
  if (next.run.end === null) next.run.status = runningStatus(next);
  return next;
}

/** The index of a log from its beginning. */
export const indexTrace = (events: readonly TraceEvent[]): TraceIndex => extendTrace(emptyTrace, events);

function runningStatus(index: Pick<WorkingIndex, 'visits' | 'asks'>): RunStatus {
  let asking = false;
  for (const ask of index.asks.values()) if (ask.end === null) asking = true;
  if (!asking) return 'running';
  return index.visits.some((visit) => visit.status === 'running' && visit.scopes.length === 0) ? 'running' : 'waiting';
}

export const visitOf = (index: TraceIndex, id: string | undefined): VisitSpan | undefined => {
  const position = id === undefined ? undefined : index.visitAt.get(id);
  return position === undefined ? undefined : index.visits[position];
};

/** The event with that seq; seqs are gap-free, so its place is known. */
export const eventAt = (index: TraceIndex, seq: number): TraceEvent | undefined => index.events[seq - 1];

/** Channel values the run began with. */
export const initialChannels = (index: TraceIndex): Record<string, Json> => index.run.start?.channels ?? {};

/** Seq of the last event at or before that time of the run's clock; at least 1 when the run has any event. */
export function seqAtTime(index: TraceIndex, at: number): number {
  let low = 0;
  let high = index.events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((index.events[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.min(Math.max(low, 1), index.last);
}
