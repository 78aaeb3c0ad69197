import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ErrorRecord } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { RunOrigin } from '@/harness/engine/run-store';
import type { RunOptions, RunStatus, RunUsage } from '@/harness/trace/events';

/*
 * Times are milliseconds since the epoch. A column of any JSON is nullable: drizzle writes the JSON `null` as NULL. After a change here: `npx drizzle-kit generate --name what-changed`, and commit the SQL.
 */

export const flows = sqliteTable(
  'flows',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** The canonical text of the document. */
    document: text('document').notNull(),
    hash: text('hash').notNull(),
    nodeCount: integer('node_count').notNull(),
    /** The template it was made from: its model script answers where the rehearsal model does. */
    templateId: text('template_id'),
    revision: integer('revision').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('flows_by_update').on(table.updatedAt)],
);

/** Documents as they were when they ran or were given a version name, once per content. */
export const frozenDocuments = sqliteTable('frozen_documents', {
  hash: text('hash').primaryKey(),
  document: text('document').notNull(),
});

export const frozenPlans = sqliteTable('frozen_plans', {
  hash: text('hash').primaryKey(),
  plan: text('plan').notNull(),
});

export const flowVersions = sqliteTable(
  'flow_versions',
  {
    flowId: text('flow_id')
      .notNull()
      .references(() => flows.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    name: text('name').notNull(),
    hash: text('hash')
      .notNull()
      .references(() => frozenDocuments.hash),
    nodeCount: integer('node_count').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.flowId, table.version] })],
);

/** Runs outlive their flow: no foreign key to it. */
export const runs = sqliteTable(
  'runs',
  {
    id: text('id').primaryKey(),
    flowId: text('flow_id').notNull(),
    flowName: text('flow_name').notNull(),
    status: text('status').$type<RunStatus>().notNull(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at'),
    input: text('input', { mode: 'json' }).$type<Json>(),
    output: text('output', { mode: 'json' }).$type<Json>(),
    error: text('error', { mode: 'json' }).$type<ErrorRecord>(),
    usage: text('usage', { mode: 'json' }).$type<RunUsage>().notNull(),
    sessionId: text('session_id'),
    workspace: text('workspace'),
    options: text('options', { mode: 'json' }).$type<RunOptions>().notNull(),
    lastSeq: integer('last_seq').notNull(),
    rehearsal: integer('rehearsal', { mode: 'boolean' }).notNull(),
    waiting: integer('waiting').notNull(),
    documentHash: text('document_hash').notNull(),
    planHash: text('plan_hash').notNull(),
    origin: text('origin', { mode: 'json' }).$type<RunOrigin>(),
  },
  (table) => [
    index('runs_by_start').on(table.startedAt, table.id),
    index('runs_by_flow').on(table.flowId, table.startedAt, table.id),
    index('runs_by_session').on(table.sessionId, table.startedAt),
    index('runs_by_status').on(table.status),
    index('runs_by_document').on(table.documentHash),
    index('runs_by_plan').on(table.planHash),
  ],
);

/** Written by `event-log.ts` alone, with prepared statements. WITHOUT ROWID (see the migration). */
export const events = sqliteTable(
  'events',
  {
    runId: text('run_id').notNull(),
    seq: integer('seq').notNull(),
    kind: text('kind').notNull(),
    nodeId: text('node_id'),
    layer: text('layer'),
    /** 1 when large values of the JSON stand in `payloads`. */
    packed: integer('packed').notNull(),
    json: text('json').notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.seq] })],
);

/** Large values of events, once per content. `bytes` is the length of the JSON text. */
export const payloads = sqliteTable('payloads', {
  hash: text('hash').primaryKey(),
  bytes: integer('bytes').notNull(),
  json: text('json').notNull(),
});

/** Which runs use a payload; the last one takes it along. WITHOUT ROWID. */
export const payloadUses = sqliteTable('payload_uses', { runId: text('run_id').notNull(), hash: text('hash').notNull() }, (table) => [
  primaryKey({ columns: [table.runId, table.hash] }),
  index('payload_uses_by_hash').on(table.hash),
]);

export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    flowId: text('flow_id').notNull(),
    title: text('title').notNull(),
    forkedFrom: text('forked_from'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('sessions_by_flow').on(table.flowId, table.updatedAt)],
);

export interface StoredAttachment {
  name: string;
  mediaType: string;
  text: string;
}

/** Chat messages of people; replies are read from the runs. */
export const messages = sqliteTable(
  'messages',
  {
    id: text('id').primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** Order within the session, from 1. */
    position: integer('position').notNull(),
    text: text('text').notNull(),
    attachments: text('attachments', { mode: 'json' }).$type<StoredAttachment[]>().notNull(),
    status: text('status').$type<'queued' | 'sent' | 'failed'>().notNull(),
    error: text('error', { mode: 'json' }).$type<ErrorRecord>(),
    runId: text('run_id'),
    workspace: text('workspace'),
    /** Where tools that may write do so; null = a copy of the workspace. */
    workspaceMode: text('workspace_mode').$type<'copy' | 'worktree' | 'folder'>(),
    /** The draft it was sent with; null = the stored flow at the time its turn comes. */
    documentHash: text('document_hash'),
    /** The reply was deleted by a person; the run itself stays. */
    replyRemoved: integer('reply_removed', { mode: 'boolean' }).notNull(),
    at: integer('at').notNull(),
  },
  (table) => [index('messages_by_session').on(table.sessionId, table.position), index('messages_by_run').on(table.runId)],
);

/** Values of channels that outlive a run: `owner` is a session id or a flow id. */
export const channelValues = sqliteTable(
  'channel_values',
  {
    scope: text('scope').$type<'session' | 'flow'>().notNull(),
    owner: text('owner').notNull(),
    channel: text('channel').notNull(),
    value: text('value', { mode: 'json' }).$type<Json>(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.owner, table.channel] })],
);

export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: text('value', { mode: 'json' }).$type<Json>(),
  updatedAt: integer('updated_at').notNull(),
});

export const providers = sqliteTable('providers', {
  id: text('id').primaryKey(),
  kind: text('kind').notNull(),
  title: text('title').notNull(),
  baseUrl: text('base_url'),
  models: text('models', { mode: 'json' }).$type<string[]>().notNull(),
  /** Sealed by the vault; null when it needs no key. */
  sealedKey: text('sealed_key'),
  updatedAt: integer('updated_at').notNull(),
});

export const secrets = sqliteTable('secrets', {
  name: text('name').primaryKey(),
  /** Sealed by the vault. */
  sealed: text('sealed').notNull(),
  updatedAt: integer('updated_at').notNull(),
});
