import { and, desc, eq, max, sql } from 'drizzle-orm';
import type { Db, OpenDatabase } from '../open';
import { channelValues, flows, flowVersions, frozenDocuments } from '../schema';

export interface FlowContent {
  name: string;
  description: string;
  /** Canonical text of the document. */
  document: string;
  hash: string;
  nodeCount: number;
}

export type FlowRow = typeof flows.$inferSelect;
export type FlowHead = Omit<FlowRow, 'document'>;
export type VersionRow = typeof flowVersions.$inferSelect;

export type SaveResult = { saved: true; revision: number } | { saved: false; current: FlowRow | null };

/** Flows with optimistic revisions: a save names the revision it was made on and is refused when another came first (BR-19, BR-23). */
export class FlowRepository {
  readonly #db: Db;

  constructor(database: OpenDatabase) {
    this.#db = database.db;
  }

  list(): FlowHead[] {
    const { document: _document, ...head } = columns;
    return this.#db.select(head).from(flows).orderBy(desc(flows.updatedAt), desc(flows.id)).all();
  }

  get(id: string): FlowRow | null {
    return this.#db.select().from(flows).where(eq(flows.id, id)).get() ?? null;
  }

  head(id: string): FlowHead | null {
    const { document: _document, ...head } = columns;
    return this.#db.select(head).from(flows).where(eq(flows.id, id)).get() ?? null;
  }

  names(): string[] {
    return this.#db
      .select({ name: flows.name })
      .from(flows)
      .all()
      .map((row) => row.name);
  }

  create(id: string, content: FlowContent, origin: { at: number; templateId: string | null }): void {
    const { at, templateId } = origin;
    this.#db
      .insert(flows)
      .values({ id, ...content, templateId, revision: 1, createdAt: at, updatedAt: at })
      .run();
  }

  /** One statement compares and writes, so two savers can never both win. */
  save(id: string, content: FlowContent, on: { revision: number; at: number }): SaveResult {
    const changed = this.#db
      .update(flows)
      .set({ ...content, revision: on.revision + 1, updatedAt: on.at })
      .where(and(eq(flows.id, id), eq(flows.revision, on.revision)))
      .run();
    return changed.changes === 1 ? { saved: true, revision: on.revision + 1 } : { saved: false, current: this.get(id) };
  }

  remove(id: string): boolean {
    return this.#db.transaction((tx) => {
      tx.delete(channelValues)
        .where(and(eq(channelValues.scope, 'flow'), eq(channelValues.owner, id)))
        .run();
      return tx.delete(flows).where(eq(flows.id, id)).run().changes > 0;
    });
  }

  versions(flowId: string): VersionRow[] {
    return this.#db.select().from(flowVersions).where(eq(flowVersions.flowId, flowId)).orderBy(desc(flowVersions.version)).all();
  }

  version(flowId: string, version: number): (VersionRow & { document: string }) | null {
    const row = this.#db
      .select()
      .from(flowVersions)
      .innerJoin(frozenDocuments, eq(flowVersions.hash, frozenDocuments.hash))
      .where(and(eq(flowVersions.flowId, flowId), eq(flowVersions.version, version)))
      .get();
    return row === undefined ? null : { ...row.flow_versions, document: row.frozen_documents.document };
  }

  addVersion(flow: FlowRow, name: string, at: number): VersionRow {
    return this.#db.transaction((tx) => {
      tx.insert(frozenDocuments).values({ hash: flow.hash, document: flow.document }).onConflictDoNothing().run();
      const last = tx
        .select({ last: max(flowVersions.version) })
        .from(flowVersions)
        .where(eq(flowVersions.flowId, flow.id))
        .get();
      const row: VersionRow = {
        flowId: flow.id,
        version: (last?.last ?? 0) + 1,
        name,
        hash: flow.hash,
        nodeCount: flow.nodeCount,
        createdAt: at,
      };
      tx.insert(flowVersions).values(row).run();
      return row;
    });
  }

  /** Takes over what a version held, as the next revision. */
  overwrite(id: string, content: FlowContent, at: number): number | null {
    const row = this.#db
      .update(flows)
      .set({ ...content, revision: sql`${flows.revision} + 1`, updatedAt: at })
      .where(eq(flows.id, id))
      .returning({ revision: flows.revision })
      .get();
    return row?.revision ?? null;
  }
}

const columns = {
  id: flows.id,
  name: flows.name,
  description: flows.description,
  document: flows.document,
  hash: flows.hash,
  nodeCount: flows.nodeCount,
  templateId: flows.templateId,
  revision: flows.revision,
  createdAt: flows.createdAt,
  updatedAt: flows.updatedAt,
};
