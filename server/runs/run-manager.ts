import type { SqliteEventLog } from '@/db/event-log';
import type { SqliteRunStore } from '@/db/repositories/runs';
import { type Plan, planSchema } from '@/harness/compiler/plan';
import type { AskAnswer } from '@/harness/contract/ask';
import { operationalError, toErrorRecord, userError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import { RunDriver } from '@/harness/engine/driver';
import type { RunHost } from '@/harness/engine/host';
import type { RunPatch, RunRecord } from '@/harness/engine/run-store';
import { statusOf } from '@/harness/engine/snapshot';
import type { FlowDocument } from '@/harness/flow/schema';
import { type ModelDelta, type RunStatus, type TraceEvent, type TraceEventOf, traceVersion } from '@/harness/trace/events';
import type { AnswerResult, RunSummary } from '../api-types';
import { newId } from '../host/ids';
import { logLine } from '../log';
import type { Hub } from './hub';

/** What the outside world of a run is built from. */
export interface RunSetting {
  runId: string;
  flowId: string;
  plan: Plan;
  /** The run whose model and tool answers are used instead of asking anybody. */
  cassette: string | null;
  /** The chat session it is a turn of. */
  sessionId: string | null;
  options: RunRecord['options'];
}

export type RunEvents = Pick<RunHost, 'published' | 'delta' | 'broken'>;

export interface RunManagerOptions {
  log: SqliteEventLog;
  store: SqliteRunStore;
  hub: Hub;
  now: () => number;
  buildHost: (setting: RunSetting, events: RunEvents) => RunHost;
  /** Runs several writes as one. */
  transaction: <T>(work: () => T) => T;
  /** True for a run that another process drives, such as a command beside the server. */
  isHeld: (runId: string) => boolean;
  /** Told when a run is forgotten. */
  removed?: (record: RunRecord) => void;
  /** Tells other processes that this one drives the run; returns what lets go. */
  hold?: (runId: string) => () => void;
}

export interface NewRun {
  flowId: string;
  document: { hash: string; text: string };
  plan: Plan;
  input: Json;
  options: RunRecord['options'];
  sessionId: string | null;
  workspace: string | null;
  channels: Record<string, Json>;
  origin?: RunRecord['origin'];
  /** Written together with the record of the run, or not at all. */
  alongside?: (runId: string) => void;
}

interface LiveRun {
  driver: RunDriver;
  record: RunRecord;
  letGo: () => void;
}

type EndListener = (record: RunRecord, end: TraceEventOf<'run-end'>) => void;

const notLive: readonly RunStatus[] = ['succeeded', 'failed', 'cancelled', 'limit', 'incomplete'];
/** How long a removal waits for its run to end, in milliseconds. */
const longestGoodbye = 2000;

/** Runs of this process. The log is the truth; the record of a run is what lists show of it. */
export class RunManager {
  readonly #options: RunManagerOptions;
  readonly #live = new Map<string, LiveRun>();
  readonly #ends: EndListener[] = [];

  constructor(options: RunManagerOptions) {
    this.#options = options;
  }

  onEnd(listener: EndListener): void {
    this.#ends.push(listener);
  }

  async start(run: NewRun): Promise<string> {
    const live = this.#create(run);
    await live.driver.start({
      input: run.input,
      options: run.options,
      sessionId: run.sessionId,
      workspace: run.workspace,
      channels: run.channels,
    });
    return live.record.id;
  }

  /** Begins a run with the events of another one up to a seq as its own past (design §7: history is a tree, never rewritten). */
  async fork(run: NewRun, past: readonly TraceEvent[]): Promise<string> {
    const live = this.#create(run);
    const id = live.record.id;
    const own = past.map((event): TraceEvent => {
      const moved = { ...event, runId: id };
      return moved.kind === 'run-start' ? { ...moved, planHash: run.plan.hash, sessionId: run.sessionId } : moved;
    });
    try {
      this.#options.log.append(id, own);
      await live.driver.restore('forked from a past run');
    } catch (thrown) {
      this.#drop(id);
      this.#options.store.remove(id);
      this.#options.log.forget(id);
      throw userError('FORK_MISFIT', `The changed flow cannot take up the past of that run: ${toErrorRecord(thrown).message}`);
    }
    this.#refresh(id);
    return id;
  }

  /** Takes up the runs that a dead process left behind. One that cannot be rebuilt is marked `interrupted` with the reason (BR-49). */
  async restoreAll(): Promise<{ resumed: number; interrupted: number }> {
    const counts = { resumed: 0, interrupted: 0 };
    const left = this.#options.store.list({ statuses: ['running', 'waiting'], limit: 100_000 });
    for (const record of left.reverse()) {
      if (this.#live.has(record.id) || this.#options.isHeld(record.id)) continue;
      try {
        await this.#restore(record, 'the server was restarted');
        counts.resumed += 1;
      } catch (thrown) {
        this.#interrupt(record, thrown);
        counts.interrupted += 1;
      }
    }
    return counts;
  }

  /** Takes up one run again. Throws `RUN_ENDED` when there is nothing to take up. */
  async resume(id: string): Promise<RunStatus> {
    const live = this.#live.get(id);
    if (live !== undefined) return live.record.status;
    const record = this.record(id);
    if (notLive.includes(record.status))
      throw userError('RUN_ENDED', `The run has ended (${record.status}); fork it to go on from a moment of it.`);
    await this.#restore(record, 'resumed by a person');
    return this.record(id).status;
  }

  async cancel(id: string, by: string): Promise<boolean> {
    const record = this.record(id);
    if (notLive.includes(record.status)) return false;
    if (!this.#live.has(id)) await this.#restore(record, 'taken up to be cancelled');
    const live = this.#live.get(id);
    if (live === undefined) return false;
    await live.driver.cancel(by);
    return true;
  }

  async answer(id: string, askId: string, hash: string, answer: AskAnswer): Promise<AnswerResult> {
    const record = this.record(id);
    const live = this.#live.get(id);
    if (live === undefined) return { accepted: false, reason: `The run is not going on (${record.status}); nothing waits for an answer.` };
    return live.driver.answer(askId, hash, answer);
  }

  async remove(id: string): Promise<void> {
    const record = this.record(id);
    const live = this.#live.get(id);
    if (live !== undefined) {
      await live.driver.cancel('removed');
      await Promise.race([live.driver.done, new Promise((resolve) => setTimeout(resolve, longestGoodbye).unref())]);
      live.driver.stop();
      this.#drop(id);
    }
    this.#options.store.remove(id);
    this.#options.log.forget(id);
    this.#options.removed?.(record);
    this.#options.hub.announce({ kind: 'run-removed', runId: id });
  }

  /** Throws `RUN_NOT_FOUND`. */
  record(id: string): RunRecord {
    const live = this.#live.get(id);
    const record = live?.record ?? this.#options.store.get(id);
    if (record === null) throw userError('RUN_NOT_FOUND', `There is no run ${id}. It may have been removed.`);
    return record;
  }

  summary(record: RunRecord): RunSummary {
    const live = this.#live.get(record.id);
    const { options: _options, documentHash: _document, planHash: _plan, ...shown } = live?.record ?? record;
    if (live === undefined) return shown;
    return { ...shown, usage: { ...live.driver.snapshot.usage }, lastSeq: live.driver.snapshot.lastSeq };
  }

  isLive(id: string): boolean {
    return this.#live.has(id);
  }

  get liveCount(): number {
    return this.#live.size;
  }

  /** Lets go of every run without ending it: what the end of the process would do, in good order. */
  stop(): void {
    for (const [id, live] of [...this.#live]) {
      live.driver.stop();
      this.#drop(id);
    }
  }

  plan(hash: string): Plan {
    const parsed = planSchema.safeParse(this.planJson(hash));
    if (parsed.success) return parsed.data;
    throw operationalError(
      'PLAN_UNREADABLE',
      'The plan of this run was written by another version of Bridle and cannot be run by this one.',
    );
  }

  /** The plan as it was stored, for looking at. */
  planJson(hash: string): Json {
    const text = this.#options.store.frozenPlan(hash);
    if (text === null) throw operationalError('PLAN_MISSING', 'The plan of this run is not in the database any more.');
    return JSON.parse(text);
  }

  /** The exact text of the document of a run. */
  document(hash: string): FlowDocument {
    const text = this.#options.store.frozenDocument(hash);
    if (text === null) throw operationalError('DOCUMENT_MISSING', 'The document of this run is not in the database any more.');
    // frozen from a parsed document by `start`
    return JSON.parse(text) as FlowDocument;
  }

  #create(run: NewRun): LiveRun {
    const { store } = this.#options;
    const id = newId('run');
    const record: RunRecord = {
      id,
      flowId: run.flowId,
      flowName: run.plan.flowName,
      status: 'running',
      startedAt: this.#options.now(),
      endedAt: null,
      input: run.input,
      output: null,
      error: null,
      usage: { steps: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpricedCalls: 0, modelCalls: 0, toolCalls: 0 },
      sessionId: run.sessionId,
      workspace: run.workspace,
      options: run.options,
      lastSeq: 0,
      rehearsal: false,
      waiting: 0,
      documentHash: run.document.hash,
      planHash: run.plan.hash,
      origin: run.origin ?? null,
    };
    const driver = this.#build(record, run.plan);
    // what a person typed may hold a secret: the record of a run is redacted like its events
    record.input = driver.host.redact(run.input);
    this.#options.transaction(() => {
      store.freeze(run.document, { hash: run.plan.hash, text: JSON.stringify(run.plan) });
      store.create(record);
      run.alongside?.(id);
    });
    return this.#adopt(record, driver);
  }

  #build(record: RunRecord, plan: Plan): RunDriver {
    const { hub } = this.#options;
    const events: RunEvents = {
      published: (batch) => {
        hub.publish(record.id, batch);
        this.#follow(record.id, batch);
      },
      delta: (delta: ModelDelta) => hub.delta(delta),
      broken: (_id, error) => this.#lose(record.id, error),
    };
    const cassette = record.origin?.kind === 'replay' ? record.origin.runId : null;
    const host = this.#options.buildHost(
      { runId: record.id, flowId: record.flowId, plan, cassette, sessionId: record.sessionId, options: record.options },
      events,
    );
    return new RunDriver(plan, host, record.id);
  }

  #adopt(record: RunRecord, driver: RunDriver): LiveRun {
    const live: LiveRun = { driver, record, letGo: this.#options.hold?.(record.id) ?? (() => {}) };
    this.#live.set(record.id, live);
    return live;
  }

  #drop(id: string): void {
    this.#live.get(id)?.letGo();
    this.#live.delete(id);
  }

  async #restore(record: RunRecord, reason: string): Promise<void> {
    if (this.#options.log.lastSeq(record.id) === 0) throw operationalError('RUN_NOT_BEGUN', 'The server stopped before the run had begun.');
    this.#assertReadable(record.id);
    if (this.#options.isHeld(record.id)) {
      throw operationalError('RUN_HELD', 'Another process of Bridle drives this run. Wait for it to end, or stop that process.');
    }
    const live = this.#adopt(record, this.#build(record, this.plan(record.planHash)));
    try {
      await live.driver.restore(reason);
    } catch (thrown) {
      live.driver.stop();
      this.#drop(record.id);
      throw thrown;
    }
    this.#refresh(record.id);
  }

  /** Throws `TRACE_VERSION_NEWER` when a later build wrote the log. */
  #assertReadable(id: string): void {
    const [start] = this.#options.log.readKinds(id, ['run-start']);
    if (start?.kind !== 'run-start' || start.version <= traceVersion) return;
    const message = `The trace of this run has version ${start.version}; this Bridle reads up to version ${traceVersion}. Update Bridle to go on with it.`;
    throw operationalError('TRACE_VERSION_NEWER', message);
  }

  /** After a restore: the record as the log has it, also when the log had ended already. */
  #refresh(id: string): void {
    const { log } = this.#options;
    const marks = log.readKinds(id, ['model-end', 'run-end']);
    const rehearsal = marks.some((event) => event.kind === 'model-end' && event.rehearsal === true);
    const end = marks.findLast((event) => event.kind === 'run-end');
    this.#patch(id, { rehearsal });
    this.#follow(id, end === undefined ? [] : [end]);
  }

  /** Keeps the record of a run in step with its events. */
  #follow(id: string, batch: readonly TraceEvent[]): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    const { snapshot } = live.driver;
    const standing = statusOf(snapshot);
    const patch: RunPatch = {};
    if (standing !== 'new' && standing !== live.record.status) patch.status = standing;
    if (snapshot.openAsks !== live.record.waiting) patch.waiting = snapshot.openAsks;
    for (const event of batch) {
      if (event.kind === 'model-end' && event.rehearsal === true && !live.record.rehearsal) patch.rehearsal = true;
      if (event.kind === 'run-end') Object.assign(patch, endOf(event));
    }
    this.#patch(id, patch);
    const end = batch.findLast((event): event is TraceEventOf<'run-end'> => event.kind === 'run-end');
    if (end !== undefined) this.#finish(id, end);
  }

  #patch(id: string, patch: RunPatch): void {
    const live = this.#live.get(id);
    if (live === undefined || Object.keys(patch).length === 0) return;
    const lastSeq = live.driver.snapshot.lastSeq;
    live.record = { ...live.record, ...patch, lastSeq };
    this.#options.store.update(id, { ...patch, lastSeq });
    this.#options.hub.announce({ kind: 'run', summary: this.summary(live.record) });
  }

  #finish(id: string, end: TraceEventOf<'run-end'>): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    this.#drop(id);
    for (const listener of this.#ends) {
      try {
        listener(live.record, end);
      } catch (thrown) {
        logLine('error', 'After the end of a run', { runId: id, reason: toErrorRecord(thrown).message });
      }
    }
  }

  /** The log refused an append: the run stands as it was written and can be taken up later. */
  #lose(id: string, error: unknown): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    this.#drop(id);
    this.#interrupt(live.record, error);
  }

  #interrupt(record: RunRecord, thrown: unknown): void {
    const error = toErrorRecord(thrown);
    logLine('error', 'A run was interrupted', { runId: record.id, code: error.code, reason: error.message });
    const changed: RunPatch = { status: 'interrupted', endedAt: this.#options.now(), error };
    try {
      this.#options.store.update(record.id, changed);
    } catch (second) {
      // the disk that refused the event may refuse this too; the next start finds the run `running` and tries again
      logLine('error', 'The interruption could not be recorded', { runId: record.id, reason: toErrorRecord(second).message });
    }
    this.#options.hub.announce({ kind: 'run', summary: this.summary({ ...record, ...changed }) });
  }
}

const endOf = (event: TraceEventOf<'run-end'>): RunPatch => ({
  status: event.outcome,
  endedAt: event.at,
  output: event.output,
  error: event.error ?? null,
  usage: event.usage,
  waiting: 0,
});
