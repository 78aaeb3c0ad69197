import type { ModelDelta, TraceEvent } from '@/harness/trace/events';
import type { StreamItem } from '../api-types';
import { joinDeltas } from './live-text';

/** Reads a page of packed events after a seq, in order. */
export type ReadEvents = (runId: string, after: number, limit: number) => TraceEvent[];

interface Watch {
  /** Seq of the last event that was put in a frame. */
  cursor: number;
  /** The log has events that are not queued: they are read page by page, and what is published meanwhile waits in the log. */
  behind: boolean;
  /** Events after the cursor, gap-free. */
  queued: TraceEvent[];
}

const pageSize = 500;
/** Events that may wait for a slow reader before the log is read again instead. */
const longestQueue = 2000;

/** What one browser tab is to be told. Pure bookkeeping: no timers, no sockets. */
export class Tab {
  readonly #watches = new Map<string, Watch>();
  #items: StreamItem[] = [];

  constructor(
    readonly id: string,
    readonly read: ReadEvents,
  ) {
    this.#items.push({ kind: 'hello', tab: id });
  }

  /** Begins (or begins again) to tell of a run, after a seq. What was said so far of running model calls comes along. */
  watch(runId: string, after: number, soFar: readonly ModelDelta[]): void {
    this.#watches.set(runId, { cursor: after, behind: true, queued: [] });
    this.#items = this.#items.filter((item) => !(item.kind === 'delta' && item.delta.runId === runId));
    for (const delta of soFar) this.#items.push({ kind: 'delta', delta });
  }

  unwatch(runId: string): void {
    this.#watches.delete(runId);
  }

  watches(runId: string): boolean {
    return this.#watches.has(runId);
  }

  /** Events just appended to the log. */
  events(runId: string, events: readonly TraceEvent[]): void {
    const watch = this.#watches.get(runId);
    if (watch === undefined || watch.behind) return;
    const last = watch.queued.at(-1)?.seq ?? watch.cursor;
    watch.queued.push(...events.filter((event) => event.seq > last));
    if (watch.queued.length > longestQueue) {
      watch.queued = [];
      watch.behind = true;
    }
  }

  delta(delta: ModelDelta): void {
    if (!this.#watches.has(delta.runId)) return;
    const before = this.#items.at(-1);
    const joined = before?.kind === 'delta' ? joinDeltas(before.delta, delta) : null;
    if (joined === null) this.#items.push({ kind: 'delta', delta });
    else this.#items[this.#items.length - 1] = { kind: 'delta', delta: joined };
  }

  /** Anything else; of several states of one run only the newest is told. */
  item(item: StreamItem): void {
    if (item.kind === 'run') this.#items = this.#items.filter((other) => !(other.kind === 'run' && other.summary.id === item.summary.id));
    this.#items.push(item);
  }

  get pending(): boolean {
    if (this.#items.length > 0) return true;
    for (const watch of this.#watches.values()) if (watch.behind || watch.queued.length > 0) return true;
    return false;
  }

  /** Everything there is to tell now; events of a run go before the text of its running calls. */
  take(): StreamItem[] {
    const frame: StreamItem[] = this.#items.filter((item) => item.kind === 'hello');
    for (const [runId, watch] of this.#watches) {
      const events = watch.behind ? this.#catchUp(runId, watch) : watch.queued;
      watch.queued = [];
      const last = events.at(-1);
      if (last === undefined) continue;
      watch.cursor = last.seq;
      frame.push({ kind: 'events', runId, events });
    }
    for (const item of this.#items) if (item.kind !== 'hello') frame.push(item);
    this.#items = [];
    return frame;
  }

  #catchUp(runId: string, watch: Watch): TraceEvent[] {
    const page = this.read(runId, watch.cursor, pageSize);
    if (page.length < pageSize) watch.behind = false;
    return page;
  }

  /** How far each watched run has been told: what `lastEventId` brings back after a break. */
  position(): string {
    return [...this.#watches].map(([runId, watch]) => `${runId}:${watch.cursor}`).join(',');
  }
}

/** The runs and seqs of a position; what cannot be read is left out. */
export function parsePosition(text: string | null): [string, number][] {
  const found: [string, number][] = [];
  for (const part of (text ?? '').split(',')) {
    const match = /^(?:\d+;)?([^:;]+):(\d+)$/.exec(part);
    if (match?.[1] !== undefined) found.push([match[1], Number(match[2])]);
  }
  return found;
}
