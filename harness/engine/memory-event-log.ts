import { unexpectedError } from '../contract/errors';
import type { TraceEvent } from '../trace/events';
import type { EventLog } from './event-log';

/** The refusal both logs give when a batch does not continue the run. */
export const sequenceError = (runId: string, last: number, got: number) =>
  unexpectedError(
    'LOG_SEQUENCE',
    `Event ${got} of run ${runId} cannot be written: the log ends at ${last}, so ${last + 1} must come next.`,
    {
      runId,
      last,
      got,
    },
  );

/** Throws `LOG_SEQUENCE` unless the batch belongs to the run and continues it without a gap. */
export function checkSequence(runId: string, last: number, events: readonly TraceEvent[]): void {
  let next = last + 1;
  for (const event of events) {
    if (event.runId !== runId || event.seq !== next) throw sequenceError(runId, next - 1, event.seq);
    next += 1;
  }
}

/** An `EventLog` that lives as long as its process. Events are kept as text, so nobody can change what was written. */
export class MemoryEventLog implements EventLog {
  readonly #runs = new Map<string, string[]>();

  append(runId: string, events: readonly TraceEvent[]): void {
    const stored = this.#runs.get(runId) ?? [];
    checkSequence(runId, stored.length, events);
    const texts = events.map((event) => JSON.stringify(event));
    stored.push(...texts);
    this.#runs.set(runId, stored);
  }

  read(runId: string, options: { after?: number; limit?: number } = {}): TraceEvent[] {
    const after = options.after ?? 0;
    const end = options.limit === undefined ? undefined : after + options.limit;
    // the texts were written by `append` alone, from events
    return (this.#runs.get(runId) ?? []).slice(after, end).map((text) => JSON.parse(text) as TraceEvent);
  }

  lastSeq(runId: string): number {
    return this.#runs.get(runId)?.length ?? 0;
  }
}
