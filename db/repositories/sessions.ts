import { and, asc, desc, eq, gte, inArray, lt, max, sql } from 'drizzle-orm';
import type { ErrorRecord } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { Db, OpenDatabase } from '../open';
import { channelValues, frozenDocuments, messages, sessions } from '../schema';

export type SessionRow = typeof sessions.$inferSelect;
export type MessageRow = typeof messages.$inferSelect;
export type NewMessage = Omit<MessageRow, 'position'>;

type ChannelScope = 'session' | 'flow';

/** Chat sessions, the messages of people in them, and the channel values that outlive a run. */
export class SessionRepository {
  readonly #db: Db;

  constructor(database: OpenDatabase) {
    this.#db = database.db;
  }

  list(flowId: string): (SessionRow & { messageCount: number })[] {
    const rows = this.#db
      .select()
      .from(sessions)
      .where(eq(sessions.flowId, flowId))
      .orderBy(desc(sessions.updatedAt), desc(sessions.id))
      .all();
    const counts = this.#db
      .select({ sessionId: messages.sessionId, count: sql<number>`count(*)` })
      .from(messages)
      .innerJoin(sessions, eq(messages.sessionId, sessions.id))
      .where(eq(sessions.flowId, flowId))
      .groupBy(messages.sessionId)
      .all();
    const byId = new Map(counts.map((row) => [row.sessionId, row.count]));
    return rows.map((row) => ({ ...row, messageCount: byId.get(row.id) ?? 0 }));
  }

  get(id: string): SessionRow | null {
    return this.#db.select().from(sessions).where(eq(sessions.id, id)).get() ?? null;
  }

  create(row: SessionRow): void {
    this.#db.insert(sessions).values(row).run();
  }

  rename(id: string, title: string, at: number): boolean {
    return this.#db.update(sessions).set({ title, updatedAt: at }).where(eq(sessions.id, id)).run().changes > 0;
  }

  touch(id: string, at: number): void {
    this.#db.update(sessions).set({ updatedAt: at }).where(eq(sessions.id, id)).run();
  }

  remove(id: string): boolean {
    return this.#db.transaction((tx) => {
      tx.delete(channelValues)
        .where(and(eq(channelValues.scope, 'session'), eq(channelValues.owner, id)))
        .run();
      return tx.delete(sessions).where(eq(sessions.id, id)).run().changes > 0;
    });
  }

  messages(sessionId: string): MessageRow[] {
    return this.#db.select().from(messages).where(eq(messages.sessionId, sessionId)).orderBy(asc(messages.position)).all();
  }

  message(id: string): MessageRow | null {
    return this.#db.select().from(messages).where(eq(messages.id, id)).get() ?? null;
  }

  messageOfRun(runId: string): MessageRow | null {
    return this.#db.select().from(messages).where(eq(messages.runId, runId)).get() ?? null;
  }

  /** Adds a message at the end of its session. A draft document is kept by hash. */
  addMessage(message: NewMessage, document: { hash: string; text: string } | null): MessageRow {
    return this.#db.transaction((tx) => {
      if (document !== null)
        tx.insert(frozenDocuments).values({ hash: document.hash, document: document.text }).onConflictDoNothing().run();
      const last = tx
        .select({ last: max(messages.position) })
        .from(messages)
        .where(eq(messages.sessionId, message.sessionId))
        .get();
      const row: MessageRow = { ...message, position: (last?.last ?? 0) + 1 };
      tx.insert(messages).values(row).run();
      tx.update(sessions).set({ updatedAt: message.at }).where(eq(sessions.id, message.sessionId)).run();
      return row;
    });
  }

  updateMessage(id: string, patch: { status?: MessageRow['status']; runId?: string; error?: ErrorRecord; replyRemoved?: boolean }): void {
    this.#db.update(messages).set(patch).where(eq(messages.id, id)).run();
  }

  removeMessage(id: string): void {
    this.#db.delete(messages).where(eq(messages.id, id)).run();
  }

  /** The message whose turn comes next. */
  nextQueued(sessionId: string): MessageRow | null {
    return (
      this.#db
        .select()
        .from(messages)
        .where(and(eq(messages.sessionId, sessionId), eq(messages.status, 'queued')))
        .orderBy(asc(messages.position))
        .limit(1)
        .get() ?? null
    );
  }

  sessionsWithQueue(): string[] {
    return this.#db
      .selectDistinct({ id: messages.sessionId })
      .from(messages)
      .where(eq(messages.status, 'queued'))
      .all()
      .map((row) => row.id);
  }

  /** Copies the sent messages that stand before one of them into another session; ids are new, runs are shared. */
  copyBefore(message: MessageRow, targetId: string, newId: () => string): void {
    this.#db.transaction((tx) => {
      const earlier = tx
        .select()
        .from(messages)
        .where(and(eq(messages.sessionId, message.sessionId), lt(messages.position, message.position), eq(messages.status, 'sent')))
        .all();
      for (const row of earlier) {
        tx.insert(messages)
          .values({ ...row, id: newId(), sessionId: targetId })
          .run();
      }
    });
  }

  messagesFrom(sessionId: string, position: number): MessageRow[] {
    return this.#db
      .select()
      .from(messages)
      .where(and(eq(messages.sessionId, sessionId), gte(messages.position, position)))
      .all();
  }

  channels(scope: ChannelScope, owner: string): Record<string, Json> {
    const rows = this.#db
      .select()
      .from(channelValues)
      .where(and(eq(channelValues.scope, scope), eq(channelValues.owner, owner)))
      .all();
    return Object.fromEntries(rows.map((row) => [row.channel, row.value]));
  }

  setChannels(scope: ChannelScope, owner: string, values: Record<string, Json>): void {
    this.#db.transaction((tx) => {
      for (const [channel, value] of Object.entries(values)) {
        tx.insert(channelValues)
          .values({ scope, owner, channel, value })
          .onConflictDoUpdate({ target: [channelValues.scope, channelValues.owner, channelValues.channel], set: { value } })
          .run();
      }
    });
  }

  /** Sessions among these that have a message waiting. */
  queuedAmong(ids: readonly string[]): Set<string> {
    const rows = this.#db
      .selectDistinct({ id: messages.sessionId })
      .from(messages)
      .where(and(inArray(messages.sessionId, [...ids]), eq(messages.status, 'queued')))
      .all();
    return new Set(rows.map((row) => row.id));
  }
}
