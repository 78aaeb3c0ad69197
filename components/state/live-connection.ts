import type { TRPCClient } from '@trpc/client';
import type { TraceEvent } from '@/harness/trace/events';
import type { RunSummary, StreamItem } from '@/server/api-types';
import type { AppRouter } from '@/server/trpc/router';
import { emptyRunBuffer, type LiveText, lastSeqOf, type RunBuffer, takeDelta, takeEvents } from './run-buffer';

export type ConnectionState = 'connecting' | 'live' | 'offline';

/** A run as it stands on screen. A new object at most once per animation frame. */
export interface RunFeed {
  /** Gap-free from seq 1. */
  events: readonly TraceEvent[];
  lastSeq: number;
  /** Streamed text by the seq of its `model-start`. */
  texts: ReadonlyMap<number, LiveText>;
  /** Newest summary the stream brought; null until a status change is seen. */
  summary: RunSummary | null;
  /** True once the history that was there at opening has been read. */
  loaded: boolean;
  /** Why the history could not be read. */
  problem: string | null;
}

export const emptyFeed: RunFeed = { events: [], lastSeq: 0, texts: new Map(), summary: null, loaded: false, problem: null };

interface Entry {
  buffer: RunBuffer;
  feed: RunFeed;
  loaded: boolean;
  problem: string | null;
  summary: RunSummary | null;
  watchers: Set<() => void>;
  reading: boolean;
  readAgain: boolean;
  dirty: boolean;
  forget: ReturnType<typeof setTimeout> | null;
}

const historyPage = 2000;
/** How long a run nobody looks at any more stays in memory, in milliseconds. */
const keepFor = 60_000;

const newTabId = (): string => `tab-${crypto.getRandomValues(new Uint32Array(4)).join('')}`;

/**
 * One subscription per browser tab for all runs it looks at (browsers allow six connections per host). A run is attached first and its history
 * read after its last seq, so nothing is missed or shown twice; after a break every watched run is attached again at its last seq.
 */
export class LiveConnection {
  readonly #client: TRPCClient<AppRouter>;
  readonly #tab = newTabId();
  readonly #runs = new Map<string, Entry>();
  readonly #itemListeners = new Set<(item: StreamItem) => void>();
  readonly #stateListeners = new Set<() => void>();
  #state: ConnectionState = 'connecting';
  #subscription: { unsubscribe(): void } | null = null;
  #frame: number | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #failures = 0;
  #running = false;

  constructor(client: TRPCClient<AppRouter>) {
    this.#client = client;
  }

  /** Idempotent. */
  start(): void {
    this.#running = true;
    if (this.#subscription !== null) return;
    this.#subscription = this.#client.stream.open.subscribe(
      { tab: this.#tab },
      {
        onData: (message) => {
          for (const item of message.data) this.#take(item);
        },
        onConnectionStateChange: (state) => {
          if (state.state === 'pending') this.#setState('live');
          if (state.state === 'connecting' && state.error !== null) this.#setState('offline');
        },
        onError: () => this.#reconnectLater(),
        onComplete: () => this.#reconnectLater(),
      },
    );
  }

  stop(): void {
    this.#running = false;
    this.#subscription?.unsubscribe();
    this.#subscription = null;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  /** The stream was refused or closed for good (not a break the browser heals by itself): open a new one, later each time, at most every 10 s. */
  #reconnectLater(): void {
    if (!this.#running) return;
    this.#subscription = null;
    this.#setState('offline');
    if (this.#retry !== null) return;
    this.#failures += 1;
    this.#retry = setTimeout(
      () => {
        this.#retry = null;
        this.start();
      },
      Math.min(10_000, 500 * 2 ** this.#failures),
    );
  }

  state = (): ConnectionState => this.#state;

  onState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  onItem(listener: (item: StreamItem) => void): () => void {
    this.#itemListeners.add(listener);
    return () => this.#itemListeners.delete(listener);
  }

  feed(runId: string): RunFeed {
    return this.#runs.get(runId)?.feed ?? emptyFeed;
  }

  watch(runId: string, listener: () => void): () => void {
    const entry = this.#entry(runId);
    if (entry.forget !== null) clearTimeout(entry.forget);
    entry.forget = null;
    entry.watchers.add(listener);
    if (entry.watchers.size === 1) this.#attach(runId, entry);
    return () => {
      entry.watchers.delete(listener);
      if (entry.watchers.size > 0) return;
      entry.forget = setTimeout(() => {
        this.#runs.delete(runId);
        this.#client.stream.unwatch.mutate({ tab: this.#tab, runId }).catch(() => {
          // the server forgets a tab by itself when its stream ends
        });
      }, keepFor);
    };
  }

  #entry(runId: string): Entry {
    let entry = this.#runs.get(runId);
    if (entry === undefined) {
      entry = {
        buffer: emptyRunBuffer(),
        feed: emptyFeed,
        loaded: false,
        problem: null,
        summary: null,
        watchers: new Set(),
        reading: false,
        readAgain: false,
        dirty: false,
        forget: null,
      };
      this.#runs.set(runId, entry);
    }
    return entry;
  }

  #attach(runId: string, entry: Entry): void {
    if (this.#state === 'live') {
      this.#client.stream.watch.mutate({ tab: this.#tab, runId, after: lastSeqOf(entry.buffer) }).catch(() => {
        // a stream that has just ended attaches every run again when it says hello
      });
    }
    void this.#readHistory(runId, entry);
  }

  async #readHistory(runId: string, entry: Entry): Promise<void> {
    if (entry.reading) {
      entry.readAgain = true;
      return;
    }
    entry.reading = true;
    try {
      do {
        entry.readAgain = false;
        for (;;) {
          const after = lastSeqOf(entry.buffer);
          const page = await this.#client.runs.events.query({ id: runId, after, limit: historyPage });
          takeEvents(entry.buffer, page.events);
          if (lastSeqOf(entry.buffer) >= page.last || lastSeqOf(entry.buffer) === after) break;
          this.#markDirty(entry);
        }
      } while (entry.readAgain);
      entry.loaded = true;
      entry.problem = null;
    } catch (error) {
      entry.problem = error instanceof Error ? error.message : String(error);
    } finally {
      entry.reading = false;
      this.#markDirty(entry);
    }
  }

  #take(item: StreamItem): void {
    if (item.kind === 'hello') {
      this.#failures = 0;
      this.#setState('live');
      for (const [runId, entry] of this.#runs) if (entry.watchers.size > 0) this.#attach(runId, entry);
    } else if (item.kind === 'events') {
      const entry = this.#runs.get(item.runId);
      if (entry !== undefined) {
        const { changed, gap } = takeEvents(entry.buffer, item.events);
        if (changed) this.#markDirty(entry);
        if (gap) void this.#readHistory(item.runId, entry);
      }
    } else if (item.kind === 'delta') {
      const entry = this.#runs.get(item.delta.runId);
      if (entry !== undefined && takeDelta(entry.buffer, item.delta)) this.#markDirty(entry);
    } else if (item.kind === 'run') {
      const entry = this.#runs.get(item.summary.id);
      if (entry !== undefined) {
        entry.summary = item.summary;
        this.#markDirty(entry);
      }
    }
    for (const listener of this.#itemListeners) listener(item);
  }

  #markDirty(entry: Entry): void {
    entry.dirty = true;
    this.#frame ??= requestAnimationFrame(() => this.#publish());
  }

  #publish(): void {
    this.#frame = null;
    for (const entry of this.#runs.values()) {
      if (!entry.dirty) continue;
      entry.dirty = false;
      entry.feed = {
        events: entry.buffer.events.slice(),
        lastSeq: lastSeqOf(entry.buffer),
        texts: new Map(entry.buffer.texts),
        summary: entry.summary,
        loaded: entry.loaded,
        problem: entry.problem,
      };
      for (const watcher of entry.watchers) watcher();
    }
  }

  #setState(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }
}
