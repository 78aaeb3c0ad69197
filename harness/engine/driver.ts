import type { Plan } from '../compiler/plan';
import type { AskAnswer } from '../contract/ask';
import { timeoutChoice } from '../contract/ask';
import type { ErrorRecord } from '../contract/errors';
import { unexpectedError } from '../contract/errors';
import type { TraceEvent, TraceEventOf } from '../trace/events';
import { advance, findAsk } from './advance';
import { applyEvent } from './apply';
import type { RunHost } from './host';
import type { EngineEffect, EngineInput, RunStart } from './inputs';
import type { RunSnapshot } from './snapshot';
import { isLive, newSnapshot } from './snapshot';
import type { Program } from './turn';
import { VisitRun } from './visit-run';

export type RunEnd = TraceEventOf<'run-end'>;
export type AnswerResult = { accepted: true } | { accepted: false; reason: string };

/** After so many inputs in a row the driver lets other work of the process go first. */
const inputsPerBreath = 100;

/**
 * Drives one run: takes steps, puts their events in the log before anyone sees them, and carries out their effects. All state is in the
 * snapshot and the log; a driver can be thrown away at any moment and another one built with `restore`.
 */
export class RunDriver {
  snapshot: RunSnapshot;
  /** Resolves when the run has ended; never rejects. */
  readonly done: Promise<RunEnd>;
  private readonly program: Program;
  private readonly queue: { input: EngineInput; durable: boolean; settled?: (taken: boolean) => void }[] = [];
  private readonly active = new Map<string, VisitRun>();
  private readonly timers = new Map<string, () => void>();
  private pumping = false;
  private stopped = false;
  private deadline: number | null = null;
  private resolveDone: (end: RunEnd) => void = () => {};

  constructor(
    readonly plan: Plan,
    readonly host: RunHost,
    readonly runId: string,
  ) {
    this.program = { plan, channels: host.runtime.catalogue.channels };
    this.snapshot = newSnapshot(runId);
    this.done = new Promise((resolve) => {
      this.resolveDone = resolve;
    });
  }

  async start(start: RunStart): Promise<void> {
    await this.commit({ kind: 'start', at: this.now(), start });
  }

  /** Rebuilds the snapshot from the log and goes on. A run that has ended only settles `done`. */
  async restore(reason = 'the process was restarted'): Promise<void> {
    await this.load();
    if (isLive(this.snapshot)) await this.commit({ kind: 'resume', at: this.now(), reason });
  }

  /** Rebuilds the snapshot without going on. Throws `LOG_EMPTY` when the log has no event of this run. */
  async load(): Promise<void> {
    let after = 0;
    for (;;) {
      const events = await this.host.log.read(this.runId, { after, limit: 1000 });
      for (const event of events) this.fold(event);
      const last = events.at(-1);
      if (!last) break;
      after = last.seq;
    }
    if (after === 0) throw unexpectedError('LOG_EMPTY', `The log has no events of run "${this.runId}".`);
  }

  private fold(event: TraceEvent): void {
    applyEvent(this.plan, this.snapshot, event);
    if (event.kind === 'run-end') this.resolveDone(event);
  }

  /**
   * Answers an ask. Refused, with the reason logged, when it was answered before, has expired, or was about something else than what `hash`
   * says was shown (design §6).
   */
  async answer(askId: string, hash: string, answer: AskAnswer): Promise<AnswerResult> {
    const reason = this.refusal(askId, hash, answer);
    if (reason !== null) {
      if (isLive(this.snapshot)) await this.commit({ kind: 'refuse-answer', at: this.now(), askId, reason, by: answer.by });
      return { accepted: false, reason };
    }
    const taken = await this.commit({ kind: 'answer', at: this.now(), askId, answer });
    return taken ? { accepted: true } : { accepted: false, reason: notOpen };
  }

  private refusal(askId: string, hash: string, answer: AskAnswer): string | null {
    const found = findAsk(this.snapshot, askId);
    if (!found) return notOpen;
    const { ask } = found;
    if (ask.hash !== hash) return 'What was shown is not what is being decided; open the request again.';
    if (ask.ask.expiresAt !== undefined && this.now() >= ask.ask.expiresAt) return 'This request has expired.';
    if (!ask.ask.choices.some((choice) => choice.id === answer.choice)) {
      return `"${answer.choice}" is not among the choices: ${ask.ask.choices.map((choice) => choice.id).join(', ')}.`;
    }
    return null;
  }

  /** Ends the run as cancelled; a second cancel, or one after the end, changes nothing. */
  async cancel(by: string): Promise<void> {
    await this.commit({ kind: 'cancel', at: this.now(), by });
  }

  /** Ends a run that cannot go on for a reason outside of the flow. */
  async interrupt(error: ErrorRecord): Promise<void> {
    await this.commit({ kind: 'interrupt', at: this.now(), error });
  }

  /** Lets go of everything without ending the run: what the process's own end would do. */
  stop(): void {
    this.stopped = true;
    for (const visit of this.active.values()) visit.abort();
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
    for (const left of this.queue.splice(0)) left.settled?.(false);
  }

  now(): number {
    return this.host.clock.now();
  }

  /** An execution has ended by itself; nothing is left to abort or release. */
  forget(visit: string, run: VisitRun): void {
    if (this.active.get(visit) === run) this.active.delete(visit);
  }

  /**
   * Takes a step; resolves when its events are on disk, with false when there were none because the input came too late. Inputs are taken one
   * at a time, in order.
   */
  commit(input: EngineInput, durable = false): Promise<boolean> {
    if (this.stopped) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.queue.push({ input, durable, settled: resolve });
      if (!this.pumping) void this.pump();
    });
  }

  private async pump(): Promise<void> {
    this.pumping = true;
    let breath = 0;
    let next = this.queue.shift();
    try {
      for (; next && !this.stopped; next = this.queue.shift()) {
        const { events, effects } = advance(this.program, this.snapshot, next.input);
        if (events.length > 0) {
          const written = this.redacted(events);
          const appended = this.host.log.append(this.runId, written, { durable: next.durable });
          if (appended) await appended;
          this.host.published(written);
          // Whoever let the run go meanwhile drives it elsewhere: nothing more may be done from here.
          if (this.stopped) {
            for (const event of events) if (event.kind === 'run-end') this.resolveDone(event);
            next.settled?.(true);
            return;
          }
        }
        next.settled?.(events.length > 0);
        for (const effect of effects) this.perform(effect, events);
        this.watchWallTime();
        breath += 1;
        if (breath % inputsPerBreath === 0) await this.host.breathe();
      }
    } catch (error) {
      // The snapshot is now ahead of the log; only a driver built anew from the log may go on.
      this.stop();
      next?.settled?.(false);
      this.host.broken(this.runId, error);
    } finally {
      this.pumping = false;
    }
  }

  private redacted(events: TraceEvent[]): TraceEvent[] {
    if (Object.keys(this.host.secrets).length === 0) return events;
    // Redaction replaces strings inside JSON and keeps its shape.
    return events.map((event) => this.host.redact(event) as TraceEvent);
  }

  private perform(effect: EngineEffect, events: TraceEvent[]): void {
    switch (effect.kind) {
      case 'execute':
        this.execute(effect.visit);
        return;
      case 'abort':
        this.active.get(effect.visit)?.abort();
        this.active.delete(effect.visit);
        return;
      case 'release':
        this.active.get(effect.visit)?.release(effect.key);
        return;
      case 'wake':
        this.timer(`${effect.visit}/${effect.key}`, effect.at, { kind: 'wake', visit: effect.visit, key: effect.key });
        return;
      case 'retry':
        this.timer(`${effect.visit}/retry`, effect.at, { kind: 'retry-due', visit: effect.visit });
        return;
      case 'expire': {
        const answer = { choice: timeoutChoice, by: 'engine' };
        this.timer(`ask/${effect.askId}`, effect.at, { kind: 'answer', askId: effect.askId, answer });
        return;
      }
      case 'end': {
        for (const cancel of this.timers.values()) cancel();
        this.timers.clear();
        const end = events.at(-1);
        if (end?.kind === 'run-end') this.resolveDone(end);
        return;
      }
      default: {
        const unknown: never = effect;
        throw unexpectedError('ENGINE_EFFECT', `Unknown effect ${String(unknown)}`);
      }
    }
  }

  private execute(id: string): void {
    const visit = this.snapshot.visits[id];
    if (!visit) return;
    const run = new VisitRun(this, visit);
    this.active.set(id, run);
    run.execute();
  }

  private timer(key: string, at: number, input: TimedInput): void {
    this.timers.get(key)?.();
    const cancel = this.host.clock.wakeAt(at, () => {
      this.timers.delete(key);
      void this.commit({ ...input, at: this.now() });
    });
    this.timers.set(key, cancel);
  }

  /** The wall-time cap counts only time in which the run could go on, so it is set anew whenever that changes. */
  private watchWallTime(): void {
    const { snapshot } = this;
    const parked = !isLive(snapshot) || snapshot.parkedSince !== null;
    const deadline = parked ? null : snapshot.startedAt + snapshot.parkedMs + this.plan.caps.wallTimeMs;
    if (deadline === this.deadline) return;
    this.deadline = deadline;
    this.timers.get(wallTimer)?.();
    this.timers.delete(wallTimer);
    if (deadline !== null) this.timer(wallTimer, deadline, { kind: 'wall-time' });
  }
}

const notOpen = 'This request is not open: it was answered before, has expired, or its run has ended.';
const wallTimer = 'wall-time';
type TimedInput =
  | { kind: 'wake'; visit: string; key: string }
  | { kind: 'retry-due'; visit: string }
  | { kind: 'answer'; askId: string; answer: AskAnswer }
  | { kind: 'wall-time' };
