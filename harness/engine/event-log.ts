import type { TraceEvent } from '../trace/events';

type Awaitable<T> = T | Promise<T>;

/**
 * The append-only record of runs (design §6, §7, §9). `append` is atomic: all of the batch or none of it, on disk before it returns. Events of
 * a run must come in seq order without a gap, else it throws `LOG_SEQUENCE`. Both implementations pass `testing/event-log-suite.ts`.
 */
export interface EventLog {
  /** `durable` asks for a full sync before returning (intent records of write tools). */
  append(runId: string, events: readonly TraceEvent[], options?: { durable?: boolean }): Awaitable<void>;
  /** Events with seq > `after`, in order, at most `limit`; payloads that were stored apart are put back. */
  read(runId: string, options?: { after?: number; limit?: number }): Awaitable<TraceEvent[]>;
  /** Seq of the last event, 0 when the run has none. */
  lastSeq(runId: string): Awaitable<number>;
}
