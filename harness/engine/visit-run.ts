import type { AskAnswer, AskInput } from '../contract/ask';
import type { ErrorRecord } from '../contract/errors';
import { operationalError, toErrorRecord, unexpectedError, userError } from '../contract/errors';
import type { BodyOptions, BodyResult, VisitResult } from '../contract/execute';
import type { Json } from '../contract/json';
import type { EndedCall, GuardVerdict } from '../contract/policy';
import { stableJson } from '../flow/stable-json';
import type { TraceDraft } from '../trace/events';
import type { RunDriver } from './driver';
import type { Viewpoint } from './expression-scope';
import { nodeAt, scopeOf } from './plan-lookup';
import type { AttachedPolicy } from './policies';
import { policiesOf } from './policies';
import type { Visit } from './snapshot';
import { VisitContext } from './visit-context';

type GuardSubject = 'visit' | 'model' | 'tool';

/** Thrown inside an executor when its visit has ended from outside; nothing is reported for it. */
const gone = Symbol('visit is gone');

/**
 * One execution of one visit's executor. Notes (decisions, verdicts, log lines) are kept back and written with the next effect or the
 * visit's end, so a visit without effects costs one transaction.
 */
export class VisitRun {
  readonly policies: AttachedPolicy[];
  /** Tool calls of this execution that have ended, those answered from an earlier execution too. */
  readonly calls: EndedCall[] = [];
  readonly view: Viewpoint;
  private ownController: AbortController | null = null;
  private aborted = false;
  private notes: TraceDraft[] = [];
  /** Decisions and log lines that an earlier execution has already written. */
  private toSkip: number;
  private readonly waiters = new Map<string, (value: Json) => void>();
  private timeout: (() => void) | null = null;
  private timeoutError: unknown = null;
  /** Requests to people that are open: meanwhile no time is counted. */
  private asking = 0;
  /** This attempt has been reported as done or failed; what its executor still does is not heard. */
  private over = false;

  constructor(
    readonly driver: RunDriver,
    readonly visit: Visit,
  ) {
    const { plan, snapshot, host } = driver;
    const scope = scopeOf(snapshot, visit.scope);
    const token = snapshot.tokens[visit.token];
    const from = token?.from ?? null;
    const received = from === null ? scope.input : (scope.outputs[from] ?? null);
    this.view = { plan, snapshot, visit, received, secrets: host.secrets };
    this.policies = policiesOf(this.view, host.runtime.policies, { runId: driver.runId, calls: this.calls });
    this.toSkip = visit.notes;
  }

  /** Made when somebody first wants to listen: most visits end without. */
  get controller(): AbortController {
    if (this.ownController === null) {
      this.ownController = new AbortController();
      if (this.aborted) this.ownController.abort();
    }
    return this.ownController;
  }

  get node() {
    return nodeAt(this.driver.plan, scopeOf(this.driver.snapshot, this.visit.scope), this.visit.node);
  }

  /** True while this execution is the one whose result counts. */
  get current(): boolean {
    return this.driver.snapshot.visits[this.visit.id] === this.visit && !this.aborted;
  }

  abort(): void {
    this.timeout?.();
    this.stopListening(userError('CANCELLED', 'The run was cancelled.'));
  }

  private stopListening(reason: unknown): void {
    this.aborted = true;
    this.ownController?.abort(reason);
  }

  execute(): void {
    void this.run()
      .then((result) => this.finished(result))
      // An executor that gives back what cannot be used has failed, like one that throws.
      .catch((thrown: unknown) => this.failed(thrown));
  }

  private async run(): Promise<VisitResult> {
    const implementation = this.driver.host.runtime.executors.get(this.node.type);
    if (!implementation) throw unexpectedError('ENGINE_EXECUTOR', `Nothing runs nodes of type "${this.node.type}".`);
    this.armTimeout();
    for (const policy of this.policies) {
      const verdict = policy.hooks.beforeVisit?.(policy.context());
      if (verdict) await this.obey(policy, verdict, { subject: 'visit', key: `visit:${policy.id}` });
    }
    // The plan's config was parsed with this type's own schema; the erased type cannot say so.
    return implementation.execute(new VisitContext(this) as never);
  }

  private finished(result: VisitResult): void {
    if (this.over || !this.current) return;
    this.timeout?.();
    this.driver.forget(this.visit.id, this);
    const ports = result.ports ?? (result.port === undefined ? null : [result.port]);
    const output = result.output ?? null;
    const writes = result.writes ?? {};
    const more = {
      ...(result.dispatch ? { dispatch: result.dispatch } : {}),
      ...(result.handBack ? { handBack: result.handBack } : {}),
    };
    this.over = true;
    const base = { at: this.now(), visit: this.visit.id, notes: this.takeNotes() };
    void this.driver.commit({ kind: 'visit-done', ...base, ports, output, writes, ...more });
  }

  private failed(thrown: unknown): void {
    this.timeout?.();
    const timedOut = this.timeoutError !== null;
    if (this.over || thrown === gone || (!this.current && !timedOut)) return;
    if (this.driver.snapshot.visits[this.visit.id] !== this.visit) return;
    const error = toErrorRecord(timedOut ? this.timeoutError : thrown);
    const delayMs = this.retryDelay(error);
    this.over = true;
    // What a failed executor left running must not write into the next attempt.
    this.stopListening(error);
    this.driver.forget(this.visit.id, this);
    const base = { at: this.now(), visit: this.visit.id, error, notes: this.takeNotes() };
    void this.driver.commit(delayMs === null ? { kind: 'visit-failed', ...base } : { kind: 'visit-retry', ...base, delayMs });
  }

  /** How long to wait before the next attempt, as the first policy says that asks for one; null when none does. */
  private retryDelay(error: ErrorRecord): number | null {
    for (const policy of this.policies) {
      try {
        const verdict = policy.hooks.onError?.(policy.context(), error);
        if (verdict?.decision) this.note({ kind: 'decision', decision: { alternatives: [], ...verdict.decision } });
        if (verdict?.verdict === 'retry') return verdict.delayMs;
      } catch (thrown) {
        this.note({ kind: 'log', level: 'warning', message: `The policy "${policy.id}" failed: ${toErrorRecord(thrown).message}` });
      }
    }
    return null;
  }

  now(): number {
    return this.driver.now();
  }

  /** Keeps a note for the next write. A decision or log line that is already in the trace is not repeated. */
  note(draft: TraceDraft): void {
    const repeats = draft.kind === 'decision' || draft.kind === 'log';
    if (repeats && this.toSkip > 0) this.toSkip -= 1;
    else this.notes.push(draft);
  }

  takeNotes(): TraceDraft[] {
    const taken = this.notes;
    this.notes = [];
    return taken;
  }

  /** Writes the notes so far and these; resolves when they are on disk. Throws when the visit has ended meanwhile. */
  async record(drafts: TraceDraft[], durable = false): Promise<void> {
    this.check();
    const notes = [...this.takeNotes(), ...drafts];
    await this.driver.commit({ kind: 'visit-events', at: this.now(), visit: this.visit.id, notes }, durable);
    this.check();
  }

  check(): void {
    if (this.timeoutError !== null) throw this.timeoutError;
    if (!this.current) throw gone;
  }

  memo(key: string): { value: Json } | null {
    const { memo } = this.visit;
    return Object.hasOwn(memo, key) ? { value: memo[key] ?? null } : null;
  }

  async ask(key: string, ask: AskInput): Promise<AskAnswer> {
    const hash = this.driver.host.hash(stableJson({ run: this.driver.runId, visit: this.visit.id, key, ask }));
    this.timeout?.();
    this.asking += 1;
    const value = await this.suspend(key, (notes) => ({ kind: 'ask', at: this.now(), visit: this.visit.id, key, notes, ask, hash }));
    this.asking -= 1;
    this.armTimeout();
    // Only `ask-answer` events write this key, and they carry an AskAnswer.
    return value as unknown as AskAnswer;
  }

  async sleep(key: string, milliseconds: number): Promise<void> {
    const until = this.now() + Math.max(0, milliseconds);
    await this.suspend(key, (notes) => ({ kind: 'sleep', at: this.now(), visit: this.visit.id, key, notes, until }));
  }

  async each(key: string, items: Json[], options: BodyOptions): Promise<BodyResult[]> {
    const value = await this.suspend(key, (notes) => ({
      kind: 'scopes',
      at: this.now(),
      visit: this.visit.id,
      key,
      notes,
      items,
      options,
    }));
    // Only the engine writes this key, from BodyResult values.
    return value as unknown as BodyResult[];
  }

  /** Waits until the engine has put an answer under the key; opens the wait unless an earlier execution did. */
  private async suspend(key: string, open: (notes: TraceDraft[]) => Parameters<RunDriver['commit']>[0]): Promise<Json> {
    this.check();
    const known = this.memo(key);
    if (known) return known.value;
    const answered = new Promise<Json>((resolve) => this.waiters.set(key, resolve));
    if (!Object.hasOwn(this.visit.suspended, key)) await this.driver.commit(open(this.takeNotes()));
    const value = await answered;
    this.check();
    return value;
  }

  release(key: string): void {
    const waiter = this.waiters.get(key);
    this.waiters.delete(key);
    waiter?.(this.visit.memo[key] ?? null);
  }

  /** Writes a policy's verdict and acts on it. Resolves when the guarded thing may go on; throws or returns the refusal otherwise. */
  async obey(
    policy: AttachedPolicy,
    verdict: GuardVerdict,
    about: { subject: GuardSubject; key: string; tool?: string },
  ): Promise<string | null> {
    const { decision } = verdict;
    if (decision || verdict.verdict !== 'allow') {
      this.note({
        kind: 'guard-verdict',
        policy: policy.id,
        subject: about.subject,
        verdict: verdict.verdict,
        ...(about.tool === undefined ? {} : { tool: about.tool }),
        ...('message' in verdict ? { message: verdict.message } : {}),
        ...(decision ? { decision: { alternatives: [], ...decision } } : {}),
      });
    }
    if (verdict.verdict === 'allow') return null;
    if (verdict.verdict === 'limit') throw userError('BUDGET_REACHED', verdict.message, { cap: verdict.cap });
    if (verdict.verdict === 'ask') {
      const answer = await this.ask(`${about.key}:${policy.id}`, verdict.ask);
      const accepted = verdict.ask.choices.find((choice) => choice.id === answer.choice)?.tone === 'accept';
      if (accepted) return null;
      const comment = answer.comment === undefined || answer.comment === '' ? '' : ` They said: ${answer.comment}`;
      const said = answer.choice === timeoutWord ? 'Nobody answered in time.' : `A person refused this.${comment}`;
      const message = verdict.refusal === undefined ? said : `${verdict.refusal}${answer.choice === timeoutWord ? ` ${said}` : comment}`;
      return this.refuse(about.subject, message);
    }
    return this.refuse(about.subject, verdict.message);
  }

  /** A refused tool call is told to the caller; anything else that is refused fails the visit. */
  private refuse(subject: GuardSubject, message: string): string {
    if (subject === 'tool') return message;
    throw userError('POLICY_DENIED', message);
  }

  private armTimeout(): void {
    const limits = this.policies.flatMap((policy) => policy.hooks.timeoutMs?.(policy.context().config) ?? []);
    if (limits.length === 0 || this.asking > 0 || this.over) return;
    this.timeout?.();
    const limit = Math.min(...limits);
    this.timeout = this.driver.host.clock.wakeAt(this.now() + limit, () => {
      this.timeoutError = operationalError('TIMEOUT', `"${this.node.label}" took longer than ${limit} ms.`, { limit });
      this.stopListening(this.timeoutError);
      // An executor that does not heed the signal must not hold the run; its later result is not heard.
      this.failed(this.timeoutError);
    });
  }
}

const timeoutWord = 'timeout';
