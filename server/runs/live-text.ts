import type { ModelDelta, TraceEvent } from '@/harness/trace/events';

/** Text of model calls that are running, so that a late subscriber can be sent what was said so far (design §7). */
export class LiveText {
  readonly #runs = new Map<string, Map<number, ModelDelta>>();

  add(delta: ModelDelta): void {
    const calls = this.#runs.get(delta.runId) ?? new Map<number, ModelDelta>();
    const known = calls.get(delta.start);
    const text = known === undefined ? delta.text : known.text.slice(0, delta.offset) + delta.text;
    calls.set(delta.start, { ...delta, offset: known === undefined ? delta.offset : known.offset, text });
    this.#runs.set(delta.runId, calls);
  }

  /** Forgets what the log now holds whole. */
  settle(runId: string, events: readonly TraceEvent[]): void {
    const calls = this.#runs.get(runId);
    if (calls === undefined) return;
    for (const event of events) {
      if (event.kind === 'run-end') this.#runs.delete(runId);
      if (event.kind !== 'model-end' && event.kind !== 'visit-end') continue;
      for (const [start, delta] of calls) if (delta.visit === event.visit && start < event.seq) calls.delete(start);
    }
    if (calls.size === 0) this.#runs.delete(runId);
  }

  of(runId: string): ModelDelta[] {
    return [...(this.#runs.get(runId)?.values() ?? [])];
  }
}

/** Joins a delta to the one before it when it goes on where that ended; null when it does not. */
export function joinDeltas(before: ModelDelta, next: ModelDelta): ModelDelta | null {
  if (before.runId !== next.runId || before.start !== next.start) return null;
  return before.offset + before.text.length === next.offset ? { ...before, text: before.text + next.text } : null;
}
