import type { MessageRow, SessionRepository, SessionRow } from '@/db/repositories/sessions';
import { toErrorRecord, userError } from '@/harness/contract/errors';
import type { InboxMessage } from '@/harness/contract/execute';
import type { Json, JsonObject } from '@/harness/contract/json';
import type { RunRecord } from '@/harness/engine/run-store';
import type { FlowDocument } from '@/harness/flow/schema';
import type { ChannelSpec } from '@/harness/state/channel';
import type { RunOptions, TraceEventOf } from '@/harness/trace/events';
import type { ChatEntry, OpenAsk, SessionSummary, SessionView } from '../api-types';
import { newId } from '../host/ids';
import type { ChatMessageInput, SessionService } from '../host/services';
import { replyText } from './reply-text';

/** What sessions need of the runs. */
export interface SessionRuns {
  /** Begins a run; `alongside` is written together with its record. Throws what keeps the flow from running. */
  startTurn(turn: {
    flowId: string;
    documentHash: string | null;
    input: JsonObject;
    sessionId: string;
    workspace: string | null;
    options: Pick<RunOptions, 'workspaceMode'>;
    channels: Record<string, Json>;
    alongside: (runId: string) => void;
  }): Promise<string>;
  record(id: string): RunRecord | null;
  /** True while a run of the session is running or waits for a person. */
  busy(sessionId: string): boolean;
  asks(runId: string): OpenAsk[];
  /** Channel values that a run began with. */
  channelsAtStart(runId: string): Record<string, Json>;
  cancel(id: string, by: string): Promise<boolean>;
  /** Canonical text and hash of a draft; throws when it is not a flow of that id. */
  freeze(flowId: string, document: FlowDocument): { hash: string; text: string };
  assertFlow(flowId: string): void;
}

export interface SessionServiceOptions {
  repository: SessionRepository;
  runs: SessionRuns;
  channels: ReadonlyMap<string, ChannelSpec>;
  now: () => number;
  changed: (session: SessionRow) => void;
  /** Checks a workspace before a message is taken in. */
  checkWorkspace: (choice: string) => void;
  /** Told when a session is removed and its runs are cancelled. */
  removed?: (sessionId: string) => void;
}

const newTitle = 'New chat';
const longestTitle = 60;
const replySuffix = '-reply';
const transcriptChannel = 'transcript';

const sessionNotFound = (id: string) => userError('SESSION_NOT_FOUND', `There is no chat session ${id}. It may have been removed.`);
const messageNotFound = (id: string) => userError('MESSAGE_NOT_FOUND', `There is no message ${id} in this session.`);

/**
 * Chats. A session is a sequence of runs that share session channels; a message is one run. While a turn runs, further messages are queued on
 * disk and taken one after the other, also after a restart (BR-58, BR-62).
 */
export class Sessions implements SessionService {
  readonly #options: SessionServiceOptions;
  /** Sessions whose next turn is being begun right now. */
  readonly #beginning = new Set<string>();

  constructor(options: SessionServiceOptions) {
    this.#options = options;
  }

  list(flowId: string): SessionSummary[] {
    const { repository } = this.#options;
    const rows = repository.list(flowId);
    const queued = repository.queuedAmong(rows.map((row) => row.id));
    return rows.map(({ forkedFrom: _forkedFrom, ...row }) => ({ ...row, busy: queued.has(row.id) || this.#options.runs.busy(row.id) }));
  }

  create(flowId: string, title?: string): { id: string } {
    this.#options.runs.assertFlow(flowId);
    const row = this.#newSession(flowId, title ?? newTitle, null);
    this.#options.changed(row);
    return { id: row.id };
  }

  rename(id: string, title: string): void {
    if (!this.#options.repository.rename(id, title, this.#options.now())) throw sessionNotFound(id);
    this.#changed(id);
  }

  async remove(id: string): Promise<void> {
    const { repository, runs } = this.#options;
    const session = this.#session(id);
    const messages = repository.messages(id);
    repository.remove(id);
    for (const message of messages)
      if (message.runId !== null && runs.record(message.runId) !== null) await runs.cancel(message.runId, 'the chat was removed');
    this.#options.removed?.(id);
    this.#options.changed(session);
  }

  get(id: string): SessionView {
    const { forkedFrom, ...session } = this.#session(id);
    const rows = this.#options.repository.messages(id);
    const replied = new Set<string>();
    const messages = rows.flatMap((row) => this.#entries(row, replied));
    const busy = rows.some((row) => row.status === 'queued') || this.#options.runs.busy(id);
    return { ...session, messageCount: rows.length, busy, messages, forkedFrom };
  }

  async send(message: ChatMessageInput): Promise<{ runId: string | null; messageId: string; sessionId: string }> {
    const { repository, runs } = this.#options;
    const session =
      message.replaces === undefined ? this.#session(message.sessionId) : this.#forkBefore(message.sessionId, message.replaces);
    if (message.workspace !== undefined) this.#options.checkWorkspace(message.workspace);
    const document = message.document === undefined ? null : runs.freeze(session.flowId, message.document);
    const row = repository.addMessage(
      {
        id: newId('message'),
        sessionId: session.id,
        text: message.text,
        attachments: message.attachments ?? [],
        status: 'queued',
        error: null,
        runId: null,
        workspace: message.workspace ?? null,
        workspaceMode: message.workspaceMode ?? null,
        documentHash: document?.hash ?? null,
        replyRemoved: false,
        at: this.#options.now(),
      },
      document,
    );
    if (session.title === newTitle) repository.rename(session.id, titleOf(message.text), row.at);
    this.#changed(session.id);
    await this.#takeTurn(session.id);
    const stored = repository.message(row.id);
    return { runId: stored?.runId ?? null, messageId: row.id, sessionId: session.id };
  }

  removeMessage(sessionId: string, messageId: string): void {
    const { repository, runs } = this.#options;
    const isReply = messageId.endsWith(replySuffix);
    const row = repository.message(isReply ? messageId.slice(0, -replySuffix.length) : messageId);
    if (row === null || row.sessionId !== sessionId) throw messageNotFound(messageId);
    if (isReply) repository.updateMessage(row.id, { replyRemoved: true });
    else repository.removeMessage(row.id);
    if (row.runId !== null && runs.record(row.runId) !== null) void runs.cancel(row.runId, 'its message was deleted');
    this.#changed(sessionId);
  }

  /** Messages that wait for their turn: a run under way may take them up (steering). */
  inbox(sessionId: string): InboxMessage[] {
    const waiting = this.#options.repository.messages(sessionId).filter(({ status }) => status === 'queued');
    return waiting.map(({ id, text, at }) => ({ id, text, at }));
  }

  /** Call when a run has ended: keeps its session channels and takes the next turn. */
  ended(record: RunRecord, end: TraceEventOf<'run-end'>): void {
    this.#carry(record, end.carry);
    // What the run took up is part of its turn and not one of its own.
    for (const id of end.inbox ?? []) this.#options.repository.updateMessage(id, { status: 'sent', runId: record.id });
    if (record.sessionId === null || this.#options.repository.get(record.sessionId) === null) return;
    this.#changed(record.sessionId);
    void this.#takeTurn(record.sessionId);
  }

  /** Call once after the runs of a dead process have been taken up: queued messages go on. */
  async continueQueues(): Promise<void> {
    for (const id of this.#options.repository.sessionsWithQueue()) await this.#takeTurn(id);
  }

  async #takeTurn(sessionId: string): Promise<void> {
    const { repository, runs } = this.#options;
    if (this.#beginning.has(sessionId)) return;
    this.#beginning.add(sessionId);
    try {
      // a turn that cannot begin does not hold up the ones after it
      while (!runs.busy(sessionId)) {
        const row = repository.nextQueued(sessionId);
        const session = repository.get(sessionId);
        if (row === null || session === null) return;
        await this.#begin(session, row);
        this.#changed(sessionId);
      }
    } finally {
      this.#beginning.delete(sessionId);
    }
  }

  async #begin(session: SessionRow, row: MessageRow): Promise<void> {
    const { repository, runs } = this.#options;
    const input: JsonObject = { message: row.text };
    if (row.attachments.length > 0) input.attachments = row.attachments.map((attachment): JsonObject => ({ ...attachment }));
    try {
      await runs.startTurn({
        flowId: session.flowId,
        documentHash: row.documentHash,
        input,
        sessionId: session.id,
        workspace: row.workspace,
        options: row.workspaceMode === null ? {} : { workspaceMode: row.workspaceMode },
        channels: { ...repository.channels('session', session.id), [transcriptChannel]: this.#transcript(session.id, row) },
        alongside: (runId) => repository.updateMessage(row.id, { status: 'sent', runId }),
      });
    } catch (thrown) {
      repository.updateMessage(row.id, { status: 'failed', error: toErrorRecord(thrown) });
    }
  }

  /** The conversation before a message, as nodes read it: what was deleted is not in it. */
  #transcript(sessionId: string, before: MessageRow): Json {
    const said: Json[] = [];
    const replied = new Set<string>();
    for (const row of this.#options.repository.messages(sessionId)) {
      if (row.position >= before.position || row.status !== 'sent') continue;
      said.push({ role: 'user', content: row.text });
      const record = row.runId === null || row.replyRemoved ? null : this.#options.runs.record(row.runId);
      if (record === null || replied.has(record.id)) continue;
      replied.add(record.id);
      if (record.output !== null) said.push({ role: 'assistant', content: replyText(record.output) });
    }
    return said;
  }

  #carry(record: RunRecord, carry: Record<string, Json>): void {
    const { repository, channels } = this.#options;
    const scoped = (scope: 'session' | 'flow') =>
      Object.fromEntries(Object.entries(carry).filter(([name]) => name !== transcriptChannel && channels.get(name)?.scope === scope));
    if (record.sessionId !== null && repository.get(record.sessionId) !== null)
      repository.setChannels('session', record.sessionId, scoped('session'));
    repository.setChannels('flow', record.flowId, scoped('flow'));
  }

  /** Edit and resend: a session of its own that ends just before the message; the old one keeps everything. */
  #forkBefore(sessionId: string, messageId: string): SessionRow {
    const { repository, runs } = this.#options;
    const session = this.#session(sessionId);
    const message = repository.message(messageId);
    if (message === null || message.sessionId !== sessionId) throw messageNotFound(messageId);
    const fork = this.#newSession(session.flowId, session.title, session.id);
    repository.copyBefore(message, fork.id, () => newId('message'));
    if (message.runId !== null) {
      const began = runs.channelsAtStart(message.runId);
      const kept = Object.entries(began).filter(
        ([name]) => name !== transcriptChannel && this.#options.channels.get(name)?.scope === 'session',
      );
      repository.setChannels('session', fork.id, Object.fromEntries(kept));
    }
    return fork;
  }

  #newSession(flowId: string, title: string, forkedFrom: string | null): SessionRow {
    const at = this.#options.now();
    const row: SessionRow = { id: newId('session'), flowId, title, forkedFrom, createdAt: at, updatedAt: at };
    this.#options.repository.create(row);
    return row;
  }

  /** A message that a run took up while it was under way has no reply of its own: the run answers where it began. */
  #entries(row: MessageRow, replied: Set<string>): ChatEntry[] {
    const said: ChatEntry = { id: row.id, role: 'user', text: row.text, runId: row.runId, status: row.status, at: row.at };
    if (row.attachments.length > 0) said.attachments = row.attachments;
    if (row.error !== null) said.error = row.error;
    const record = row.runId === null || row.replyRemoved ? null : this.#options.runs.record(row.runId);
    if (record === null || replied.has(record.id)) return [said];
    replied.add(record.id);
    return [said, this.#reply(row, record)];
  }

  #reply(row: MessageRow, record: RunRecord): ChatEntry {
    const entry: ChatEntry = {
      id: `${row.id}${replySuffix}`,
      role: 'assistant',
      text: record.output === null ? '' : replyText(record.output),
      runId: record.id,
      status: record.status,
      at: record.endedAt ?? record.startedAt,
      usage: record.usage,
      rehearsal: record.rehearsal,
    };
    if (record.endedAt !== null) entry.latencyMs = Math.max(0, record.endedAt - record.startedAt);
    if (record.error !== null) entry.error = record.error;
    if (record.waiting > 0) entry.asks = this.#options.runs.asks(record.id);
    return entry;
  }

  #session(id: string): SessionRow {
    const session = this.#options.repository.get(id);
    if (session === null) throw sessionNotFound(id);
    return session;
  }

  #changed(id: string): void {
    const session = this.#options.repository.get(id);
    if (session !== null) this.#options.changed(session);
  }
}

function titleOf(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  if (line === '') return newTitle;
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1).trimEnd()}…`;
}
