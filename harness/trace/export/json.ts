import { type TraceEvent, traceVersion } from '../events';

export const traceFormat = 'bridle/trace';

/** A run as one JSON document: the events are the run, so importing them again gives every view. Payloads must have been put back. */
export function exportTraceJson(events: readonly TraceEvent[]): string {
  return `${JSON.stringify({ format: traceFormat, version: traceVersion, runId: events[0]?.runId ?? null, events }, null, 2)}\n`;
}
