import type { TraceEvent } from '@/harness/trace/events';
import { emptyTrace, extendTrace, type TraceIndex } from '@/harness/trace/views/trace-index';

/** Folds a growing list of events: only what is new is folded, and another run begins anew. */
export interface TraceFolder {
  fold(runId: string | null, events: readonly TraceEvent[]): TraceIndex;
}

export function createTraceFolder(): TraceFolder {
  let run: string | null = null;
  let index = emptyTrace;
  return {
    fold(runId, events) {
      if (run !== runId || events.length < index.last) {
        run = runId;
        index = emptyTrace;
      }
      if (events.length > index.last) index = extendTrace(index, events.slice(index.last));
      return index;
    },
  };
}
