import type { ModelDelta, TraceEvent } from '@/harness/trace/events';

/** Text of a model call as far as it has come. `done` once its `model-end` is in the log. */
export interface LiveText {
  /** Seq of the call's `model-start`. */
  start: number;
  nodeId: string;
  visit: string;
  text: string;
  done: boolean;
}

/** What a tab knows of one run. Seqs in `events` are 1, 2, 3, … without a gap or a duplicate. */
export interface RunBuffer {
  events: TraceEvent[];
  texts: Map<number, LiveText>;
  /** Events that came ahead of a gap, by seq; they are used as soon as the gap is closed. */
  early: Map<number, TraceEvent>;
}

export const emptyRunBuffer = (): RunBuffer => ({ events: [], texts: new Map(), early: new Map() });

/** A gap longer than this is read from the log again; what came early is let go so that memory stays bounded. */
const earlyLimit = 20_000;

export const lastSeqOf = (buffer: RunBuffer): number => buffer.events.length;

function settleText(buffer: RunBuffer, end: TraceEvent): void {
  if (end.kind !== 'model-end') return;
  for (const text of buffer.texts.values()) {
    const start = buffer.events[text.start - 1];
    if (start?.kind === 'model-start' && start.visit === end.visit && start.key === end.key)
      buffer.texts.set(text.start, { ...text, done: true });
  }
}

/** Takes events in any order, from the stream and from history alike. Returns whether a gap is left that history must close. */
export function takeEvents(buffer: RunBuffer, events: readonly TraceEvent[]): { changed: boolean; gap: boolean } {
  let changed = false;
  for (const event of events) {
    if (event.seq <= buffer.events.length) continue;
    if (event.seq > buffer.events.length + 1) {
      if (buffer.early.size < earlyLimit) buffer.early.set(event.seq, event);
      continue;
    }
    let next: TraceEvent | undefined = event;
    while (next !== undefined) {
      buffer.events.push(next);
      settleText(buffer, next);
      changed = true;
      const seq: number = buffer.events.length + 1;
      next = buffer.early.get(seq);
      buffer.early.delete(seq);
    }
  }
  for (const seq of buffer.early.keys()) if (seq <= buffer.events.length) buffer.early.delete(seq);
  return { changed, gap: buffer.early.size > 0 };
}

/**
 * Puts a piece of streamed text where its offset says. A piece that overlaps what is there (a late subscriber is sent the text so far) adds only
 * what is new; a piece beyond the end waits for nothing and is dropped, because `model-end` brings the whole.
 */
export function takeDelta(buffer: RunBuffer, delta: ModelDelta): boolean {
  const known = buffer.texts.get(delta.start);
  const before = known?.text ?? '';
  if (known?.done) return false;
  if (delta.offset > before.length) return false;
  const added = delta.text.slice(before.length - delta.offset);
  if (added === '' && known !== undefined) return false;
  buffer.texts.set(delta.start, { start: delta.start, nodeId: delta.nodeId, visit: delta.visit, text: before + added, done: false });
  return true;
}
