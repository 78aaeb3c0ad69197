import type { AskAnswer } from '@/harness/contract/ask';
import type { Json } from '@/harness/contract/json';
import type { ModelRole } from '@/harness/contract/model';
import type { FlowDocument, ModelChoice } from '@/harness/flow/schema';
import type { RunOptions } from '@/harness/trace/events';
import type {
  AnswerResult,
  Attachment,
  DoctorReport,
  EventPage,
  ExportedFile,
  FlowSummary,
  FlowVersionView,
  FlowView,
  RunChanges,
  RunSummary,
  RunView,
  SessionSummary,
  SessionView,
  SettingsView,
  StreamFrame,
  TemplateView,
  WorkspaceSample,
} from '../api-types';
import type { PutBack, SeenChange } from '../workspace/folder-changes';

/*
 * What the doors (tRPC, HTTP, command line) may ask of the host. Every method throws `BridleError`s; a foreign id is `*_NOT_FOUND`.
 */

export interface FlowService {
  list(): FlowSummary[];
  get(id: string): FlowView;
  create(options: { name?: string; templateId?: string }): { id: string };
  /** Throws `FLOW_CONFLICT` with `{ current: { document, revision } }` when `baseRevision` is not the stored one. */
  save(id: string, document: FlowDocument, baseRevision: number): { revision: number };
  remove(id: string): void;
  duplicate(id: string): { id: string };
  import(text: string, name?: string): { id: string; name: string; notices: string[] };
  export(id: string): ExportedFile;
  versions(id: string): FlowVersionView[];
  saveVersion(id: string, name: string): FlowVersionView;
  getVersion(id: string, version: number): { document: FlowDocument; name: string; createdAt: number };
  restoreVersion(id: string, version: number): { revision: number };
}

export interface StartRun {
  flowId: string;
  /** The unsaved draft; absent = what is stored. */
  document?: FlowDocument;
  input: Json;
  sessionId?: string;
  /** Id of a sample folder, or an absolute folder. */
  workspace?: string;
  options?: Partial<RunOptions>;
}

export interface StartDocument extends Pick<StartRun, 'input' | 'workspace' | 'options'> {
  document: FlowDocument;
}

export interface RunService {
  start(request: StartRun): Promise<{ runId: string }>;
  startDocument(request: StartDocument): Promise<{ runId: string }>;
  list(filter: { flowId?: string; sessionId?: string; limit: number; cursor?: string }): { runs: RunSummary[]; nextCursor: string | null };
  get(id: string): RunView;
  events(id: string, after: number, limit: number): EventPage;
  payload(hash: string): { json: Json };
  cancel(id: string): Promise<{ cancelled: boolean }>;
  answer(id: string, askId: string, hash: string, answer: AskAnswer): Promise<AnswerResult>;
  resume(id: string): Promise<{ status: string }>;
  continue(id: string, mode: 'step' | 'run'): Promise<{ status: string }>;
  fork(id: string, seq: number, document?: FlowDocument): Promise<{ runId: string }>;
  replay(id: string, document?: FlowDocument): Promise<{ runId: string }>;
  export(id: string, format: 'json' | 'otel'): ExportedFile;
  remove(id: string): Promise<void>;
  /** What the run has written. */
  changes(id: string): Promise<RunChanges>;
  /** Puts files back to what they were when the run began. Throws `RUN_LIVE` while it is going on. */
  undo(id: string, seen: readonly SeenChange[]): Promise<PutBack>;
  /** Takes changes over into the folder that was chosen. Throws `RUN_LIVE` while the run is going on. */
  takeOver(id: string, seen: readonly SeenChange[]): Promise<PutBack>;
}

export interface ChatMessageInput {
  sessionId: string;
  text: string;
  attachments?: Attachment[];
  workspace?: string;
  /** Where tools that may write do so; a copy of the workspace when absent. */
  workspaceMode?: NonNullable<RunOptions['workspaceMode']>;
  document?: FlowDocument;
  /** Edit and resend: the message this one replaces. Later messages are kept in a forked session. */
  replaces?: string;
}

export interface SessionService {
  list(flowId: string): SessionSummary[];
  create(flowId: string, title?: string): { id: string };
  rename(id: string, title: string): void;
  remove(id: string): Promise<void>;
  get(id: string): SessionView;
  /** `runId` is null while the message waits for the turn before it. */
  send(message: ChatMessageInput): Promise<{ runId: string | null; messageId: string; sessionId: string }>;
  removeMessage(sessionId: string, messageId: string): void;
}

export interface StreamService {
  open(tab: string, lastEventId: string | null, signal: AbortSignal): AsyncGenerator<{ id: string; frame: StreamFrame }>;
  watch(tab: string, runId: string, after: number): void;
  unwatch(tab: string, runId: string): void;
}

export interface ProviderInput {
  id: string;
  kind: 'openai' | 'anthropic' | 'google' | 'openai-compatible' | 'ollama';
  title?: string;
  baseUrl?: string;
  /** Absent = keep the stored key; empty = remove it. */
  key?: string;
  models?: string[];
}

export interface SettingsService {
  get(): Promise<SettingsView>;
  saveProvider(provider: ProviderInput): Promise<void>;
  removeProvider(id: string): Promise<void>;
  testProvider(id: string, model: string): Promise<{ ok: boolean; message: string; latencyMs: number }>;
  saveRoles(roles: Partial<Record<ModelRole, ModelChoice>>): Promise<void>;
  setSecret(name: string, value: string): Promise<void>;
  removeSecret(name: string): Promise<void>;
}

export interface WorkspaceService {
  samples(): WorkspaceSample[];
  check(path: string): { ok: boolean; message: string };
  /** The resolved folder of a sample id or a typed path. Throws `WORKSPACE_REFUSED`. */
  resolve(choice: string): string;
  /** True for the folder of a sample, which stays as it was shipped. */
  isSample(folder: string): boolean;
}

export interface HostServices {
  flows: FlowService;
  templates: { list(): TemplateView[] };
  runs: RunService;
  sessions: SessionService;
  stream: StreamService;
  settings: SettingsService;
  doctor: { report(): Promise<DoctorReport> };
  workspaces: WorkspaceService;
}
