import { userError } from '@/harness/contract/errors';
import type { ModelDelta, TraceEvent } from '@/harness/trace/events';
import type { StreamFrame, StreamItem } from '../api-types';
import type { StreamService } from '../host/services';
import { LiveText } from './live-text';
import { parsePosition, type ReadEvents, Tab } from './tab';

/** At most one message per tab in this many milliseconds (design §7). */
export const frameMs = 25;

interface Connection {
  tab: Tab;
  wake: () => void;
  closed: boolean;
}

/** One per process: spreads what happens to the tabs that want to know. Never waits for a slow tab. */
export class Hub implements StreamService {
  readonly #connections = new Map<string, Connection>();
  readonly #text = new LiveText();
  readonly #read: ReadEvents;
  readonly #pack: (event: TraceEvent) => TraceEvent;
  #frames = 0;
  #closed = false;

  constructor(read: ReadEvents, pack: (event: TraceEvent) => TraceEvent) {
    this.#read = read;
    this.#pack = pack;
  }

  /** Call after the append, in the same turn: a tab that attaches between the two would miss nothing, for it reads the log. */
  publish(runId: string, events: readonly TraceEvent[]): void {
    let packed: TraceEvent[] | null = null;
    for (const connection of this.#connections.values()) {
      if (!connection.tab.watches(runId)) continue;
      packed ??= events.map(this.#pack);
      connection.tab.events(runId, packed);
      connection.wake();
    }
    this.#text.settle(runId, events);
  }

  delta(delta: ModelDelta): void {
    this.#text.add(delta);
    for (const connection of this.#connections.values()) {
      if (!connection.tab.watches(delta.runId)) continue;
      connection.tab.delta(delta);
      connection.wake();
    }
  }

  /** Tells every tab. */
  announce(item: StreamItem): void {
    for (const connection of this.#connections.values()) {
      connection.tab.item(item);
      connection.wake();
    }
  }

  watch(tab: string, runId: string, after: number): void {
    const connection = this.#connections.get(tab);
    if (connection === undefined) throw userError('TAB_NOT_FOUND', 'This tab has no open stream; open it first.');
    connection.tab.watch(runId, after, this.#text.of(runId));
    connection.wake();
  }

  unwatch(tab: string, runId: string): void {
    this.#connections.get(tab)?.tab.unwatch(runId);
  }

  async *open(id: string, lastEventId: string | null, signal: AbortSignal): AsyncGenerator<{ id: string; frame: StreamFrame }> {
    if (this.#closed || signal.aborted) return;
    const before = this.#connections.get(id);
    if (before !== undefined) this.#close(id, before);
    const connection: Connection = { tab: new Tab(id, this.#read), wake: () => undefined, closed: false };
    for (const [runId, seq] of parsePosition(lastEventId)) connection.tab.watch(runId, seq, this.#text.of(runId));
    this.#connections.set(id, connection);
    const end = () => this.#close(id, connection);
    signal.addEventListener('abort', end, { once: true });
    try {
      while (!connection.closed) {
        if (!connection.tab.pending) {
          await new Promise<void>((resolve) => {
            connection.wake = resolve;
          });
          connection.wake = () => undefined;
          continue;
        }
        const frame = connection.tab.take();
        if (frame.length > 0) {
          this.#frames += 1;
          yield { id: `${this.#frames};${connection.tab.position()}`.replace(/;$/, ''), frame };
        }
        await pause(frameMs, connection);
      }
    } finally {
      signal.removeEventListener('abort', end);
      this.#close(id, connection);
    }
  }

  /** Ends every stream, so that the process can end (an open stream keeps a server alive). */
  close(): void {
    this.#closed = true;
    for (const [id, connection] of this.#connections) this.#close(id, connection);
  }

  get tabs(): number {
    return this.#connections.size;
  }

  #close(id: string, connection: Connection): void {
    connection.closed = true;
    connection.wake();
    if (this.#connections.get(id) === connection) this.#connections.delete(id);
  }
}

/** Sleeps, but not past the end of the connection: its `wake` may be called for other reasons and is then ignored. */
function pause(ms: number, connection: Connection): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      connection.wake = () => undefined;
      resolve();
    }
    connection.wake = () => {
      if (connection.closed) done();
    };
  });
}
