import type { Statement } from 'better-sqlite3';
import { unexpectedError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { EventLog } from '@/harness/engine/event-log';
import { checkSequence } from '@/harness/engine/memory-event-log';
import type { TraceEvent } from '@/harness/trace/events';
import type { Client } from './open';
import { packEvent, unpackEvent } from './payloads';

interface EventRow {
  packed: number;
  json: string;
}

/** How many runs keep their last seq in memory. */
const rememberedRuns = 2000;

/**
 * The event log in SQLite: one transaction per append, prepared once. A batch of one is its own transaction. Large values are stored once in
 * `payloads` (design §6, §7).
 */
export class SqliteEventLog implements EventLog {
  readonly #client: Client;
  readonly #insert: Statement<[string, number, string, string | null, string | null, number, string]>;
  readonly #insertPayload: Statement<[string, number, string]>;
  readonly #insertUse: Statement<[string, string]>;
  readonly #select: Statement<[string, number, number], EventRow>;
  readonly #selectKinds: Statement<[string, string, number, number], EventRow>;
  readonly #payload: Statement<[string], { json: string }>;
  readonly #max: Statement<[string], { last: number | null }>;
  readonly #begin: Statement<[]>;
  readonly #commit: Statement<[]>;
  readonly #rollback: Statement<[]>;
  readonly #last = new Map<string, number>();

  constructor(client: Client) {
    this.#client = client;
    this.#insert = client.prepare('INSERT INTO events (run_id, seq, kind, node_id, layer, packed, json) VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#insertPayload = client.prepare('INSERT OR IGNORE INTO payloads (hash, bytes, json) VALUES (?, ?, ?)');
    this.#insertUse = client.prepare('INSERT OR IGNORE INTO payload_uses (run_id, hash) VALUES (?, ?)');
    this.#select = client.prepare('SELECT packed, json FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?');
    this.#selectKinds = client.prepare(
      'SELECT packed, json FROM events WHERE run_id = ? AND kind IN (SELECT value FROM json_each(?)) AND seq > ? ORDER BY seq LIMIT ?',
    );
    this.#payload = client.prepare('SELECT json FROM payloads WHERE hash = ?');
    this.#max = client.prepare('SELECT max(seq) AS last FROM events WHERE run_id = ?');
    this.#begin = client.prepare('BEGIN IMMEDIATE');
    this.#commit = client.prepare('COMMIT');
    this.#rollback = client.prepare('ROLLBACK');
  }

  append(runId: string, events: readonly TraceEvent[], options: { durable?: boolean } = {}): void {
    const end = events.at(-1);
    if (end === undefined) return;
    checkSequence(runId, this.#last.get(runId) ?? this.lastSeq(runId), events);
    if (options.durable === true) this.#client.pragma('synchronous = FULL');
    try {
      this.#write(runId, events);
    } catch (thrown) {
      this.#last.delete(runId);
      throw this.#explain(thrown, runId, events);
    } finally {
      if (options.durable === true) this.#client.pragma('synchronous = NORMAL');
    }
    this.#remember(runId, end.seq);
  }

  read(runId: string, options: { after?: number; limit?: number } = {}): TraceEvent[] {
    return this.#select.all(runId, options.after ?? 0, options.limit ?? -1).map((row) => this.#whole(row));
  }

  /** As `read`, but with references in the place of large values: what lists and streams carry. */
  readPacked(runId: string, after: number, limit: number): TraceEvent[] {
    return this.#select.all(runId, after, limit).map((row) => parse(row));
  }

  /** Whole events of some kinds, in order. */
  readKinds(runId: string, kinds: readonly TraceEvent['kind'][], after = 0): TraceEvent[] {
    return this.#selectKinds.all(runId, JSON.stringify(kinds), after, -1).map((row) => this.#whole(row));
  }

  lastSeq(runId: string): number {
    return this.#max.get(runId)?.last ?? 0;
  }

  /** A value stored apart, or null when there is none of that hash. */
  payload(hash: string): { json: Json } | null {
    const row = this.#payload.get(hash);
    return row === undefined ? null : { json: JSON.parse(row.json) };
  }

  /** Drops what is remembered of a run that was removed. */
  forget(runId: string): void {
    this.#last.delete(runId);
  }

  #write(runId: string, events: readonly TraceEvent[]): void {
    const texts = events.map((event) => JSON.stringify(event));
    const packed = events.map((event, index) => packEvent(event, texts[index] ?? ''));
    const single = events.length === 1 && packed[0] === null;
    // inside a transaction of somebody else the rows are theirs to commit
    const own = !single && !this.#client.inTransaction;
    if (own) this.#begin.run();
    try {
      for (const [index, event] of events.entries()) {
        const large = packed[index] ?? null;
        for (const payload of large?.payloads ?? []) {
          this.#insertPayload.run(payload.hash, payload.bytes, payload.json);
          this.#insertUse.run(runId, payload.hash);
        }
        const json = large === null ? (texts[index] ?? '') : JSON.stringify(large.event);
        this.#insert.run(runId, event.seq, event.kind, event.nodeId ?? null, event.layer ?? null, large === null ? 0 : 1, json);
      }
      if (own) this.#commit.run();
    } catch (thrown) {
      if (own && this.#client.inTransaction) this.#rollback.run();
      throw thrown;
    }
  }

  #explain(thrown: unknown, runId: string, events: readonly TraceEvent[]): unknown {
    const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
    if (code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return thrown;
    checkSequence(runId, this.lastSeq(runId), events);
    return thrown;
  }

  #whole(row: EventRow): TraceEvent {
    const event = parse(row);
    if (row.packed === 0) return event;
    return unpackEvent(event, (hash) => {
      const stored = this.#payload.get(hash);
      if (stored === undefined)
        throw unexpectedError('PAYLOAD_MISSING', `Run ${event.runId}, event ${event.seq}: its stored value ${hash} is gone.`);
      return stored.json;
    });
  }

  #remember(runId: string, seq: number): void {
    if (this.#last.size >= rememberedRuns && !this.#last.has(runId)) this.#last.clear();
    this.#last.set(runId, seq);
  }
}

// rows are written by `append` alone, from events
const parse = (row: EventRow): TraceEvent => JSON.parse(row.json) as TraceEvent;
