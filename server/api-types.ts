import type { Ask } from '@/harness/contract/ask';
import type { ErrorRecord } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { ModelRole } from '@/harness/contract/model';
import type { ToolSpec } from '@/harness/contract/tool';
import type { RunRecord } from '@/harness/engine/run-store';
import type { FlowPreview } from '@/harness/flow/preview';
import type { FlowDocument, ModelChoice } from '@/harness/flow/schema';
import type { ModelDelta, RunOptions, RunStatus, RunUsage, TraceEvent } from '@/harness/trace/events';
import type { FileChange } from './workspace/folder-changes';

/*
 * What the API answers with. Plain JSON everywhere, times in milliseconds since the epoch. Components import these types (never values)
 * from here.
 */

export interface FlowSummary {
  id: string;
  name: string;
  description: string;
  /** Counts saves from 1; a save names the revision it was made on. */
  revision: number;
  nodeCount: number;
  createdAt: number;
  updatedAt: number;
  lastRun: { id: string; status: RunStatus; startedAt: number } | null;
  /** Absent where the stored document cannot be read. */
  preview?: FlowPreview;
}

export interface FlowView {
  id: string;
  document: FlowDocument;
  revision: number;
  updatedAt: number;
  /** Why the stored document could not be read whole; the document is then an empty stand-in and `raw` is what is stored. */
  problem?: string;
  raw?: string;
}

export interface FlowVersionView {
  /** Counts named versions of one flow from 1. */
  version: number;
  name: string;
  hash: string;
  createdAt: number;
  nodeCount: number;
}

export interface TemplateView {
  id: string;
  title: string;
  summary: string;
  /** What to try first; `workspace` is the id of a sample folder. */
  sample: { input: Json; workspace?: string };
  nodeCount: number;
  /** Layer ids that the template's nodes stand in. */
  layers: string[];
  preview?: FlowPreview;
}

/** A run as lists show it: its record without what only the host needs. */
export type RunSummary = Omit<RunRecord, 'options' | 'documentHash' | 'planHash'>;

export interface OpenAsk {
  askId: string;
  runId: string;
  nodeId: string | null;
  /** Must come back with the answer (design §6). */
  hash: string;
  ask: Ask;
  openedAt: number;
}

export interface RunView extends RunSummary {
  /** The exact document the run runs. */
  document: FlowDocument;
  /** The compiled plan as JSON (`harness/compiler/plan.ts`). */
  plan: Json;
  planHash: string;
  options: RunOptions;
  asks: OpenAsk[];
}

/** Events as lists carry them: a large value is `{ $payload: hash, bytes, preview }` and is fetched with `runs.payload`. */
export interface EventPage {
  events: TraceEvent[];
  /** Seq of the last event of the run. */
  last: number;
}

/** Stands in the place of a large value. */
export interface PayloadReference {
  $payload: string;
  /** Length of its JSON text in bytes. */
  bytes: number;
  /** How the text begins. */
  preview: string;
}

export interface AnswerResult {
  accepted: boolean;
  /** Why not: answered already, expired, other hash, no such question. */
  reason?: string;
}

/** What a run has written, against its beginning. Turns of one chat share a folder and so their changes. */
export interface RunChanges {
  /** Null when nothing was written yet. */
  mode: 'copy' | 'worktree' | 'folder' | null;
  changes: FileChange[];
  /** One text of all changes. */
  diff: string;
  /** False when there are more changes than are listed. */
  complete: boolean;
}

export interface ExportedFile {
  filename: string;
  text: string;
}

export interface Attachment {
  name: string;
  mediaType: string;
  /** The text itself, at most 1 MB. */
  text: string;
}

export interface ChatEntry {
  /** Stable over reconnects and restarts. */
  id: string;
  role: 'user' | 'assistant';
  text: string;
  /** The run that this message began (user) or that wrote it (assistant); null while queued. */
  runId: string | null;
  /** `queued`: waits for the turn before it; `sent`: its run was begun; assistant entries carry the status of their run. */
  status: 'queued' | 'sent' | RunStatus;
  at: number;
  latencyMs?: number;
  usage?: RunUsage;
  error?: ErrorRecord;
  attachments?: Attachment[];
  asks?: OpenAsk[];
  rehearsal?: boolean;
}

export interface SessionSummary {
  id: string;
  flowId: string;
  title: string;
  createdAt: number;
  updatedAt: number;
  messageCount: number;
  /** A turn is running, waiting for a person, or queued. */
  busy: boolean;
}

export interface SessionView extends SessionSummary {
  messages: ChatEntry[];
  /** The session this one was forked from by edit-and-resend. */
  forkedFrom: string | null;
}

/** One thing that happened; a stream message is a list of them, at most one message every 25 ms. */
export type StreamItem =
  /** First item of every connection: the tab is known and may `watch`. */
  | { kind: 'hello'; tab: string }
  | { kind: 'events'; runId: string; events: TraceEvent[] }
  | { kind: 'delta'; delta: ModelDelta }
  /** Every change of status of any run, watched or not. */
  | { kind: 'run'; summary: RunSummary }
  | { kind: 'run-removed'; runId: string }
  | { kind: 'flow'; id: string; revision: number }
  | { kind: 'flow-removed'; id: string }
  /** The messages or the title of a session changed: read it again. */
  | { kind: 'session'; id: string; flowId: string };
export type StreamFrame = StreamItem[];

export type ProviderKind = 'openai' | 'anthropic' | 'google' | 'openai-compatible' | 'ollama' | 'rehearsal';

export interface ProviderView {
  id: string;
  kind: ProviderKind;
  title: string;
  baseUrl?: string;
  /** `discovered`: Ollama answering on loopback; `built-in`: the rehearsal model. Only `settings` can be edited. */
  source: 'environment' | 'settings' | 'discovered' | 'built-in';
  hasKey: boolean;
  models: string[];
}

/** A secret's value never leaves the server. */
export interface SecretView {
  name: string;
  updatedAt: number;
}

export interface SettingsView {
  providers: ProviderView[];
  secrets: SecretView[];
  /** What each role uses where a flow does not choose. */
  roles: Partial<Record<ModelRole, ModelChoice>>;
  /** True when no model but the built-in rehearsal model is configured. */
  rehearsalOnly: boolean;
  /** Folders that runs may work in; empty = any folder a person names. */
  workspaceRoots: string[];
  dataFolder: string;
  tools: ToolSpec[];
  /** True when the server asks for a token. */
  tokenRequired: boolean;
}

export interface DoctorCheck {
  id: string;
  title: string;
  status: 'ok' | 'warning' | 'problem';
  detail: string;
  fix?: string;
}

export interface DoctorReport {
  checks: DoctorCheck[];
  at: number;
}

export interface WorkspaceSample {
  id: string;
  title: string;
  /** Names of its files, shortened; never a path of this machine. */
  label: string;
}
