import type { ErrorRecord } from '../contract/errors';
import { toErrorRecord } from '../contract/errors';
import type { Json } from '../contract/json';
import { errorPort } from '../contract/node';
import { applyWrite } from '../state/reduce';
import type { TraceEvent } from '../trace/events';
import { traceVersion } from '../trace/events';
import { leave, withdraw } from './arrive';
import { channelsAt } from './branches';
import { breakpointKey } from './breakpoint';
import { sendOut, settleBranches } from './dispatch';
import { exceedsSpend, finish, limitReached } from './finish';
import type { EngineEffect, EngineInput } from './inputs';
import { settle } from './settle';
import type { RunSnapshot, Suspension, Visit } from './snapshot';
import type { Program } from './turn';
import { inScope, Turn } from './turn';

export interface Advance {
  events: TraceEvent[];
  effects: EngineEffect[];
}

type InputOf<K extends EngineInput['kind']> = Extract<EngineInput, { kind: K }>;

/**
 * Takes one step on an owned snapshot, changing it in place; `step` is the same without the ownership. An input that comes too late (its visit
 * or its run has ended) changes nothing and returns no events.
 */
export function advance(program: Program, snapshot: RunSnapshot, input: EngineInput): Advance {
  const turn = new Turn(program, snapshot, Math.max(input.at, snapshot.lastAt));
  if (input.kind === 'start') start(turn, input);
  else if (turn.live) take(turn, input);
  settle(turn);
  return { events: turn.events, effects: turn.effects };
}

function start(turn: Turn, input: InputOf<'start'>): void {
  if (turn.snapshot.status !== 'new') return;
  const { plan } = turn;
  const initial: Record<string, Json> = {};
  for (const [id, channel] of turn.program.channels) initial[id] = channel.initial;
  turn.emit({
    kind: 'run-start',
    version: traceVersion,
    flowId: plan.flowId,
    flowName: plan.flowName,
    planHash: plan.hash,
    input: input.start.input,
    options: input.start.options,
    sessionId: input.start.sessionId,
    workspace: input.start.workspace,
    channels: { ...initial, ...input.start.channels },
  });
  for (const key of ['from', 'until'] as const) {
    const misplaced = misplacement(turn, input.start.options[key]);
    if (misplaced !== null)
      finish(turn, 'failed', { code: 'RUN_NODE_UNKNOWN', kind: 'user', message: `The run cannot go ${key} ${misplaced}` });
    if (!turn.live) return;
  }
}

/** Why a run cannot begin or end at this node; null when it can. */
function misplacement(turn: Turn, id: string | undefined): string | null {
  if (id === undefined) return null;
  const node = Object.hasOwn(turn.plan.nodes, id) ? turn.plan.nodes[id] : undefined;
  if (!node) return `"${id}": no node with this id runs in this flow. Choose another.`;
  return node.parent === undefined ? null : `"${node.label}": it stands inside "${node.parent}" and runs once per item. Choose that one.`;
}

function take(turn: Turn, input: Exclude<EngineInput, { kind: 'start' }>): void {
  switch (input.kind) {
    case 'resume':
      resume(turn, input.reason);
      return;
    case 'answer':
      answer(turn, input);
      return;
    case 'refuse-answer':
      turn.emit({ kind: 'ask-refused', askId: input.askId, reason: input.reason, by: input.by });
      return;
    case 'cancel':
      turn.emit({ kind: 'cancel-request', by: input.by });
      finish(turn, 'cancelled');
      return;
    case 'wall-time':
      limitReached(turn, 'wallTimeMs', turn.plan.caps.wallTimeMs, turn.plan.caps.wallTimeMs);
      return;
    case 'interrupt':
      finish(turn, 'interrupted', input.error);
      return;
    default: {
      const visit = turn.snapshot.visits[input.visit];
      if (visit) inVisit(turn, visit, input);
    }
  }
}

type VisitInput = Extract<EngineInput, { visit: string }>;

function inVisit(turn: Turn, visit: Visit, input: VisitInput): void {
  if ('notes' in input) turn.note(visit, input.notes);
  const place = turn.place(visit);
  switch (input.kind) {
    case 'visit-done':
      done(turn, visit, input);
      return;
    case 'visit-failed':
      failed(turn, visit, input.error);
      return;
    case 'visit-events':
      exceedsSpend(turn);
      return;
    case 'visit-retry': {
      const until = turn.at + input.delayMs;
      withdraw(turn, visit);
      turn.emit({ kind: 'visit-retry', ...place, attempt: visit.attempt + 1, error: input.error, delayMs: input.delayMs, until });
      turn.effect({ kind: 'retry', visit: visit.id, at: until });
      return;
    }
    case 'retry-due':
      turn.effect({ kind: 'execute', visit: visit.id });
      return;
    case 'ask': {
      const askId = `a${turn.snapshot.counters.ask + 1}`;
      const ask = { body: '', ...input.ask, choices: input.ask.choices.map((choice) => ({ tone: 'neutral' as const, ...choice })) };
      turn.emit({ kind: 'ask-open', ...place, askId, key: input.key, ask, hash: input.hash });
      if (ask.expiresAt !== undefined) turn.effect({ kind: 'expire', askId, at: ask.expiresAt });
      return;
    }
    case 'sleep':
      turn.emit({ kind: 'sleep-start', ...place, key: input.key, until: input.until });
      turn.effect({ kind: 'wake', visit: visit.id, key: input.key, at: input.until });
      return;
    case 'wake':
      if (visit.suspended[input.key]?.kind !== 'sleep') return;
      turn.emit({ kind: 'sleep-end', ...place, key: input.key });
      turn.effect({ kind: 'release', visit: visit.id, key: input.key });
      return;
    case 'scopes': {
      const first = turn.snapshot.counters.scope + 1;
      const scopes = input.items.map((_, index) => `s${first + index}`);
      const { concurrency, onError } = input.options;
      turn.emit({ kind: 'scopes-open', ...place, key: input.key, scopes, items: input.items, concurrency, onError });
      if (scopes.length === 0) turn.effect({ kind: 'release', visit: visit.id, key: input.key });
      return;
    }
    default:
      input satisfies never;
  }
}

function done(turn: Turn, visit: Visit, input: InputOf<'visit-done'>): void {
  const node = turn.nodeOf(visit);
  const [first, ...more] = input.dispatch ?? [];
  const ports = input.dispatch?.map(({ port }) => port) ?? input.ports ?? node.ports.slice(0, 1);
  const stranger = ports.find((port) => !node.ports.includes(port));
  if (stranger !== undefined) {
    failed(turn, visit, {
      code: 'ENGINE_PORT',
      kind: 'unexpected',
      message: `"${node.label}" left through "${stranger}", but its ports are ${node.ports.join(', ')}.`,
    });
    return;
  }
  try {
    for (const [id, value] of Object.entries(input.writes)) write(turn, visit, { id, value });
    settleBranches(turn, visit, input.writes);
    const returned = (input.handBack ?? []).filter((id) => turn.snapshot.inboxRead.includes(id));
    if (returned.length > 0) turn.emit({ kind: 'inbox-return', ...turn.place(visit), ids: returned });
    if (first && more.length > 0) {
      sendOut(turn, visit, { dispatch: [first, ...more], write: (scope, change) => writeIn(turn, visit, { ...change, scope }) });
      return;
    }
    for (const [id, value] of Object.entries(first?.writes ?? {})) write(turn, visit, { id, value });
  } catch (thrown) {
    failed(turn, visit, toErrorRecord(thrown));
    return;
  }
  leave(turn, visit, { outcome: 'done', ports, output: first ? (first.output ?? null) : input.output });
}

const write = (turn: Turn, visit: Visit, change: { id: string; value: Json }): void =>
  writeIn(turn, visit, { ...change, scope: visit.scope });

/** One write of a visit, in its own scope or in that of a branch it sends out. */
function writeIn(turn: Turn, visit: Visit, change: { id: string; value: Json; scope: string }): void {
  const node = turn.nodeOf(visit);
  const channel = turn.program.channels.get(change.id);
  if (!channel || !node.writes.includes(change.id)) {
    const message = `"${node.label}" wrote the channel "${change.id}", which its type does not declare in writes.`;
    throw { code: 'ENGINE_CHANNEL', kind: 'unexpected', message };
  }
  const before = channelsAt(turn.snapshot, change.scope)[change.id] ?? null;
  const { patches } = applyWrite(channel, before, change.value);
  const { scope: _own, ...place } = turn.place(visit);
  if (patches.length > 0) turn.emit({ kind: 'state-patch', ...place, ...inScope(change.scope), channel: change.id, patches });
}

function failed(turn: Turn, visit: Visit, error: ErrorRecord): void {
  const node = turn.nodeOf(visit);
  const caught = (node.next[errorPort]?.length ?? 0) > 0;
  const output = { error: { code: error.code, message: error.message } };
  leave(turn, visit, { outcome: 'failed', ports: caught ? [errorPort] : [], output: caught ? output : null, error });
  if (!caught && error.code === 'BUDGET_REACHED' && turn.live) {
    turn.emit({ kind: 'limit-reached', cap: `budget at "${node.label}"`, value: 0, limit: 0, message: error.message });
    finish(turn, 'limit');
  }
}

/** Takes up a run whose process ended: what was in flight runs again on its memo, what waits goes on waiting. */
function resume(turn: Turn, reason: string): void {
  turn.emit({ kind: 'run-resume', reason });
  for (const visit of Object.values(turn.snapshot.visits)) {
    for (const [key, suspension] of Object.entries(visit.suspended)) rearm(turn, visit, { key, suspension });
    if (visit.retryAt !== undefined && visit.retryAt > turn.at) turn.effect({ kind: 'retry', visit: visit.id, at: visit.retryAt });
    else if (!(breakpointKey in visit.suspended)) turn.effect({ kind: 'execute', visit: visit.id });
  }
}

function rearm(turn: Turn, visit: Visit, entry: { key: string; suspension: Suspension }): void {
  const { key, suspension } = entry;
  if (suspension.kind === 'sleep') turn.effect({ kind: 'wake', visit: visit.id, key, at: suspension.until });
  if (suspension.kind === 'ask' && suspension.ask.expiresAt !== undefined) {
    turn.effect({ kind: 'expire', askId: suspension.askId, at: suspension.ask.expiresAt });
  }
}

export function findAsk(
  snapshot: RunSnapshot,
  askId: string,
): { visit: Visit; key: string; ask: Extract<Suspension, { kind: 'ask' }> } | undefined {
  for (const visit of Object.values(snapshot.visits)) {
    for (const [key, suspension] of Object.entries(visit.suspended)) {
      if (suspension.kind === 'ask' && suspension.askId === askId) return { visit, key, ask: suspension };
    }
  }
  return undefined;
}

function answer(turn: Turn, input: InputOf<'answer'>): void {
  const found = findAsk(turn.snapshot, input.askId);
  if (!found) return;
  const { visit, key } = found;
  turn.emit({ kind: 'ask-answer', ...turn.place(visit), askId: input.askId, key, answer: input.answer, choice: input.answer.choice });
  turn.effect(key === breakpointKey ? { kind: 'execute', visit: visit.id } : { kind: 'release', visit: visit.id, key });
}
