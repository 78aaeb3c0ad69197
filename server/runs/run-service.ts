import type { SqliteEventLog } from '@/db/event-log';
import type { SqliteRunStore } from '@/db/repositories/runs';
import type { Plan } from '@/harness/compiler/plan';
import type { AskAnswer } from '@/harness/contract/ask';
import { userError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { RunFilter, RunRecord } from '@/harness/engine/run-store';
import type { FlowDocument } from '@/harness/flow/schema';
import { type RunOptions, runOptionsSchema, type TraceEventOf } from '@/harness/trace/events';
import { exportTraceJson } from '@/harness/trace/export/json';
import { exportOtlp } from '@/harness/trace/export/otlp';
import type { AnswerResult, EventPage, ExportedFile, OpenAsk, RunChanges, RunSummary, RunView } from '../api-types';
import { type Flows, fileName } from '../flows/flow-service';
import type { RunService, StartDocument, StartRun } from '../host/services';
import { diffOf, type PutBack, type SeenChange } from '../workspace/folder-changes';
import type { OwnedFolder, RunFolders } from '../workspace/run-folders';
import { askKinds, openAsks } from './asks';
import type { NewRun, RunManager } from './run-manager';

export interface RunServiceOptions {
  manager: RunManager;
  store: SqliteRunStore;
  log: SqliteEventLog;
  flows: Flows;
  planOf: (document: FlowDocument) => Plan;
  resolveWorkspace: (choice: string) => string;
  /** A sample folder: runs work on copies of it, and it stays as it was shipped. */
  isSample: (folder: string) => boolean;
  folders: RunFolders;
  /** Values of channels with flow scope. */
  flowChannels: (flowId: string) => Record<string, Json>;
  assertSession: (sessionId: string, flowId: string) => void;
}

const sampleStays = () =>
  userError(
    'WORKSPACE_SAMPLE',
    'A sample folder stays as it was shipped. Work in a copy of it, or copy it to a place of your own and name that.',
  );

interface Turn {
  flowId: string;
  document?: FlowDocument;
  input: Json;
  sessionId: string | null;
  workspace: string | null;
  options?: Partial<RunOptions>;
  channels: Record<string, Json>;
  alongside?: (runId: string) => void;
  origin?: NewRun['origin'];
}

/** What doors may ask about runs. */
export class Runs implements RunService {
  readonly #options: RunServiceOptions;

  constructor(options: RunServiceOptions) {
    this.#options = options;
  }

  async start(request: StartRun): Promise<{ runId: string }> {
    const { sessionId, workspace, flowId } = request;
    if (sessionId !== undefined) this.#options.assertSession(sessionId, flowId);
    const runId = await this.begin({
      flowId,
      ...(request.document === undefined ? {} : { document: request.document }),
      input: request.input,
      sessionId: sessionId ?? null,
      workspace: workspace ?? null,
      ...(request.options === undefined ? {} : { options: request.options }),
      channels: {},
    });
    return { runId };
  }

  /** Runs a document that is not among the stored flows, such as a file. */
  async startDocument(request: StartDocument): Promise<{ runId: string }> {
    const { manager, flows, planOf, resolveWorkspace, flowChannels } = this.#options;
    const { document, workspace } = request;
    const runId = await manager.start({
      flowId: document.id,
      document: flows.freeze(document),
      plan: planOf(document),
      input: request.input,
      options: runOptionsSchema.parse(request.options ?? {}),
      sessionId: null,
      workspace: workspace === undefined ? null : this.#chosen(resolveWorkspace(workspace), request.options),
      channels: flowChannels(document.id),
    });
    return { runId };
  }

  /** Compiles and begins. Throws `FLOW_NOT_FOUND`, `FLOW_NOT_RUNNABLE` or `WORKSPACE_REFUSED` before anything is written. */
  async begin(turn: Turn): Promise<string> {
    const { manager, flows, planOf, resolveWorkspace, flowChannels } = this.#options;
    const stored = flows.row(turn.flowId);
    if (turn.document !== undefined && turn.document.id !== turn.flowId) {
      throw userError('FLOW_ID_MISMATCH', `The draft says it is flow ${turn.document.id}, not ${turn.flowId}.`);
    }
    const document = turn.document ?? flows.document(stored.id);
    const plan = planOf(document);
    const workspace = turn.workspace === null ? null : this.#chosen(resolveWorkspace(turn.workspace), turn.options);
    return manager.start({
      flowId: turn.flowId,
      document: flows.freeze(document),
      plan,
      input: turn.input,
      options: runOptionsSchema.parse(turn.options ?? {}),
      sessionId: turn.sessionId,
      workspace,
      channels: { ...flowChannels(turn.flowId), ...turn.channels },
      ...(turn.alongside === undefined ? {} : { alongside: turn.alongside }),
      ...(turn.origin === undefined ? {} : { origin: turn.origin }),
    });
  }

  list(filter: { flowId?: string; sessionId?: string; limit: number; cursor?: string }): { runs: RunSummary[]; nextCursor: string | null } {
    const { store, manager } = this.#options;
    const { cursor, limit, ...rest } = filter;
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    const asked: RunFilter = { ...rest, limit: limit + 1, ...(after === undefined ? {} : { after }) };
    const found = store.list(asked);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const nextCursor = found.length > limit && last !== undefined ? `${last.startedAt}.${last.id}` : null;
    return { runs: page.map((record) => manager.summary(record)), nextCursor };
  }

  get(id: string): RunView {
    const { manager } = this.#options;
    const record = manager.record(id);
    return {
      ...this.#summary(record),
      document: manager.document(record.documentHash),
      plan: manager.planJson(record.planHash),
      planHash: record.planHash,
      options: record.options,
      asks: this.asks(id),
    };
  }

  events(id: string, after: number, limit: number): EventPage {
    const { manager, log } = this.#options;
    manager.record(id);
    return { events: log.readPacked(id, after, limit), last: log.lastSeq(id) };
  }

  payload(hash: string): { json: Json } {
    const payload = this.#options.log.payload(hash);
    if (payload === null) throw userError('PAYLOAD_NOT_FOUND', 'There is no such value. Its run may have been removed.');
    return payload;
  }

  async cancel(id: string): Promise<{ cancelled: boolean }> {
    return { cancelled: await this.#options.manager.cancel(id, 'person') };
  }

  answer(id: string, askId: string, hash: string, answer: AskAnswer): Promise<AnswerResult> {
    // who answers is not for the caller to say
    return this.#options.manager.answer(id, askId, hash, { ...answer, by: answer.by === 'api' ? 'api' : 'person' });
  }

  async resume(id: string): Promise<{ status: string }> {
    return { status: await this.#options.manager.resume(id) };
  }

  async continue(id: string, mode: 'step' | 'run'): Promise<{ status: string }> {
    const stops = this.asks(id).filter((open) => open.ask.kind === 'breakpoint');
    if (stops.length === 0) throw userError('NO_BREAKPOINT', 'The run does not stand at a breakpoint.');
    for (const stop of stops) await this.answer(id, stop.askId, stop.hash, { choice: mode === 'step' ? 'step' : 'continue', by: 'person' });
    return { status: this.#options.manager.record(id).status };
  }

  async fork(id: string, seq: number, document?: FlowDocument): Promise<{ runId: string }> {
    const { manager, flows, log, planOf } = this.#options;
    const record = manager.record(id);
    const past = log.read(id, { limit: seq });
    // an end, or the wish for one, is not part of a past that goes on
    const cut = past.findIndex((event) => event.kind === 'run-end' || event.kind === 'cancel-request' || event.kind === 'limit-reached');
    const kept = cut === -1 ? past : past.slice(0, cut);
    if (kept.length === 0) throw userError('FORK_EMPTY', 'The run has no events yet; there is nothing to fork from.');
    const chosen = document ?? manager.document(record.documentHash);
    const run: NewRun = {
      flowId: record.flowId,
      document: flows.freeze(chosen),
      plan: document === undefined ? manager.plan(record.planHash) : planOf(document),
      input: record.input,
      options: record.options,
      sessionId: null,
      workspace: record.workspace,
      channels: {},
      origin: { runId: id, kind: 'fork', seq: kept.length },
    };
    return { runId: await manager.fork(run, kept) };
  }

  async replay(id: string, document?: FlowDocument): Promise<{ runId: string }> {
    const { manager, flows, planOf } = this.#options;
    const record = manager.record(id);
    const chosen = document ?? manager.document(record.documentHash);
    const runId = await manager.start({
      flowId: record.flowId,
      document: flows.freeze(chosen),
      plan: document === undefined ? manager.plan(record.planHash) : planOf(document),
      input: record.input,
      options: record.options,
      sessionId: null,
      workspace: record.workspace,
      channels: this.channelsAtStart(id),
      origin: { runId: id, kind: 'replay', seq: null },
    });
    return { runId };
  }

  export(id: string, format: 'json' | 'otel'): ExportedFile {
    const { manager, log } = this.#options;
    const record = manager.record(id);
    const events = log.read(id);
    const ending = format === 'json' ? 'trace.json' : 'otlp.json';
    const text = format === 'json' ? exportTraceJson(events) : `${JSON.stringify(exportOtlp(events), null, 2)}\n`;
    return { filename: fileName(`${record.flowName} ${id}`, ending), text };
  }

  remove(id: string): Promise<void> {
    return this.#options.manager.remove(id);
  }

  async changes(id: string): Promise<RunChanges> {
    const owned = this.#owned(id);
    if (owned === null) return { mode: null, changes: [], diff: '', complete: true };
    const { mode, ...found } = await this.#options.folders.changes(owned);
    return { mode, changes: found.changes, diff: diffOf(found), complete: found.complete };
  }

  undo(id: string, seen: readonly SeenChange[]): Promise<PutBack> {
    return this.#options.folders.undo(this.#still(id), seen);
  }

  async takeOver(id: string, seen: readonly SeenChange[]): Promise<PutBack> {
    const owned = this.#still(id);
    if (this.#options.isSample(owned.source)) throw sampleStays();
    return this.#options.folders.apply(owned, seen);
  }

  /** Throws `WORKSPACE_SAMPLE` when a run would write into a sample itself. */
  #chosen(folder: string, options: { workspaceMode?: unknown } | undefined): string {
    if (options?.workspaceMode === 'folder' && this.#options.isSample(folder)) throw sampleStays();
    return folder;
  }

  #owned(id: string): OwnedFolder | null {
    const { workspace, sessionId, options } = this.#options.manager.record(id);
    return workspace === null ? null : { owner: { runId: id, sessionId }, source: workspace, mode: options.workspaceMode ?? 'copy' };
  }

  /** The folder of a run that writes no more. */
  #still(id: string): OwnedFolder {
    const owned = this.#owned(id);
    if (owned === null) throw userError('WORKSPACE_UNCHANGED', 'The run has no folder.');
    const { sessionId } = owned.owner;
    const going = { statuses: ['running', 'waiting'] as const, limit: 1 };
    const busy = sessionId === null ? this.#options.manager.isLive(id) : this.#options.store.list({ sessionId, ...going }).length > 0;
    if (busy) throw userError('RUN_LIVE', 'The run is still going on and may write. Wait for its end, or stop it first.');
    return owned;
  }

  asks(id: string): OpenAsk[] {
    const record = this.#options.manager.record(id);
    return record.waiting === 0 ? [] : openAsks(this.#options.log.readKinds(id, askKinds));
  }

  /** Channel values that a run began with. */
  channelsAtStart(id: string): Record<string, Json> {
    const [start] = this.#options.log
      .readKinds(id, ['run-start'])
      .filter((event): event is TraceEventOf<'run-start'> => event.kind === 'run-start');
    return start?.channels ?? {};
  }

  #summary(record: RunRecord): RunSummary {
    const summary = this.#options.manager.summary(record);
    return summary.lastSeq === 0 ? { ...summary, lastSeq: this.#options.log.lastSeq(record.id) } : summary;
  }
}

function parseCursor(cursor: string): { startedAt: number; id: string } {
  const match = /^(\d+)\.(.+)$/.exec(cursor);
  if (match?.[1] === undefined || match[2] === undefined)
    throw userError('CURSOR_INVALID', 'This list can only be read on with a cursor that it gave.');
  return { startedAt: Number(match[1]), id: match[2] };
}
