import type { ErrorRecord } from '../contract/errors';
import type { Json } from '../contract/json';
import type { RunOptions, RunStatus, RunUsage } from '../trace/events';

type Awaitable<T> = T | Promise<T>;

/** Where a run came from when it was not begun from its flow's start. */
export interface RunOrigin {
  runId: string;
  /** `fork`: shares the events up to `seq`; `replay`: takes model and tool answers from the other run. */
  kind: 'fork' | 'replay';
  seq: number | null;
}

/** One run as lists show it. Everything in it can be rebuilt from the event log; times are milliseconds since the epoch. */
export interface RunRecord {
  id: string;
  flowId: string;
  flowName: string;
  status: RunStatus;
  startedAt: number;
  endedAt: number | null;
  input: Json;
  output: Json | null;
  error: ErrorRecord | null;
  usage: RunUsage;
  sessionId: string | null;
  workspace: string | null;
  options: RunOptions;
  lastSeq: number;
  rehearsal: boolean;
  /** Open questions to people. */
  waiting: number;
  documentHash: string;
  planHash: string;
  origin: RunOrigin | null;
}

export type RunPatch = Partial<Pick<RunRecord, 'status' | 'endedAt' | 'output' | 'error' | 'usage' | 'lastSeq' | 'rehearsal' | 'waiting'>>;

export interface RunFilter {
  flowId?: string;
  sessionId?: string;
  statuses?: readonly RunStatus[];
  limit: number;
  /** Runs that stand after this one in the order of the list. */
  after?: { startedAt: number; id: string };
}

/**
 * The index of runs (design §9). `create` refuses an id that is taken (`RUN_EXISTS`); `update` of an unknown run is refused (`RUN_NOT_FOUND`).
 * Lists go from the newest to the oldest, ties by id descending. Both implementations pass `testing/run-store-suite.ts`.
 */
export interface RunStore {
  create(record: RunRecord): Awaitable<void>;
  get(id: string): Awaitable<RunRecord | null>;
  update(id: string, patch: RunPatch): Awaitable<void>;
  list(filter: RunFilter): Awaitable<RunRecord[]>;
  /** Removes the run and everything that only it used. False when there was none. */
  remove(id: string): Awaitable<boolean>;
}
