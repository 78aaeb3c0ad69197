import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm';
import { runExists, runNotFound } from '@/harness/engine/memory-run-store';
import type { RunFilter, RunPatch, RunRecord, RunStore } from '@/harness/engine/run-store';
import { type Client, type Db, type OpenDatabase, reclaimSpace } from '../open';
import { events, frozenDocuments, frozenPlans, payloads, payloadUses, runs } from '../schema';

/** Runs in SQLite, with the documents and plans they ran, frozen by hash. */
export class SqliteRunStore implements RunStore {
  readonly #db: Db;
  readonly #client: Client;

  constructor(database: OpenDatabase) {
    this.#db = database.db;
    this.#client = database.client;
  }

  create(record: RunRecord): void {
    const made = this.#db.insert(runs).values(record).onConflictDoNothing().run();
    if (made.changes === 0) throw runExists(record.id);
  }

  get(id: string): RunRecord | null {
    return this.#db.select().from(runs).where(eq(runs.id, id)).get() ?? null;
  }

  update(id: string, patch: RunPatch): void {
    if (Object.keys(patch).length === 0) {
      if (this.get(id) === null) throw runNotFound(id);
      return;
    }
    const changed = this.#db.update(runs).set(patch).where(eq(runs.id, id)).run();
    if (changed.changes === 0) throw runNotFound(id);
  }

  list(filter: RunFilter): RunRecord[] {
    const { flowId, sessionId, statuses, after } = filter;
    const where = and(
      flowId === undefined ? undefined : eq(runs.flowId, flowId),
      sessionId === undefined ? undefined : eq(runs.sessionId, sessionId),
      statuses === undefined ? undefined : inArray(runs.status, [...statuses]),
      after === undefined
        ? undefined
        : or(lt(runs.startedAt, after.startedAt), and(eq(runs.startedAt, after.startedAt), lt(runs.id, after.id))),
    );
    return this.#db.select().from(runs).where(where).orderBy(desc(runs.startedAt), desc(runs.id)).limit(filter.limit).all();
  }

  /** The newest run of each flow. */
  latestByFlow(): Map<string, Pick<RunRecord, 'id' | 'status' | 'startedAt'>> {
    const newest = this.#db
      .select({ flowId: runs.flowId, id: runs.id, status: runs.status, startedAt: sql<number>`max(${runs.startedAt})` })
      .from(runs)
      .groupBy(runs.flowId)
      .all();
    return new Map(newest.map(({ flowId, ...run }) => [flowId, run]));
  }

  /** Keeps the exact document and plan of a run; the same content is kept once. */
  freeze(document: { hash: string; text: string }, plan: { hash: string; text: string }): void {
    this.#db.insert(frozenDocuments).values({ hash: document.hash, document: document.text }).onConflictDoNothing().run();
    this.#db.insert(frozenPlans).values({ hash: plan.hash, plan: plan.text }).onConflictDoNothing().run();
  }

  frozenDocument(hash: string): string | null {
    return this.#db.select().from(frozenDocuments).where(eq(frozenDocuments.hash, hash)).get()?.document ?? null;
  }

  frozenPlan(hash: string): string | null {
    return this.#db.select().from(frozenPlans).where(eq(frozenPlans.hash, hash)).get()?.plan ?? null;
  }

  /** Removes runs with their events and the payloads and frozen texts that nothing else uses, and gives the space back (BR-69). */
  remove(id: string): boolean {
    return this.removeMany([id]) > 0;
  }

  removeMany(ids: readonly string[]): number {
    let removed = 0;
    const work = this.#client.transaction(() => {
      for (const id of ids) {
        const gone = this.#db.delete(runs).where(eq(runs.id, id)).run();
        if (gone.changes === 0) continue;
        removed += 1;
        this.#db.delete(events).where(eq(events.runId, id)).run();
        this.#db.delete(payloadUses).where(eq(payloadUses.runId, id)).run();
      }
      if (removed > 0) this.#sweep();
    });
    work.immediate();
    if (removed > 0) reclaimSpace(this.#client);
    return removed;
  }

  #sweep(): void {
    this.#db.delete(payloads).where(sql`${payloads.hash} NOT IN (SELECT hash FROM ${payloadUses})`).run();
    this.#db.delete(frozenPlans).where(sql`${frozenPlans.hash} NOT IN (SELECT plan_hash FROM ${runs})`).run();
    this.#client
      .prepare(
        `DELETE FROM frozen_documents WHERE hash NOT IN (SELECT document_hash FROM runs)
         AND hash NOT IN (SELECT hash FROM flow_versions)
         AND hash NOT IN (SELECT document_hash FROM messages WHERE document_hash IS NOT NULL)`,
      )
      .run();
  }
}
