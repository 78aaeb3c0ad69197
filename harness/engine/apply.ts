import type { Plan } from '../compiler/plan';
import { patchChannel } from '../state/patch';
import type { TraceEvent, TraceEventOf, TraceKind } from '../trace/events';
import { channelsAt, setChannel } from './branches';
import { scopeEnd, scopesOpen } from './fold-bodies';
import { branchesOpen } from './fold-branches';
import { askAnswer, askOpen, modelEnd, release, toolEnd, visitOf } from './fold-effects';
import { placeTokens, start, visitEnd, visitRetry, visitStart } from './fold-visits';
import { scopeOf } from './plan-lookup';
import type { RunSnapshot } from './snapshot';
import { dictionary, rootScope, statusOf } from './snapshot';

/**
 * Folds one event into an owned snapshot, changing it in place. The only code that changes a snapshot: live runs and runs rebuilt from
 * the log go through it alike, so they cannot differ (design §6).
 */
export function applyEvent(plan: Plan, snapshot: RunSnapshot, event: TraceEvent): void {
  // The handler of an event's own kind takes exactly that event; the table's type cannot say so for a union.
  const handle = handlers[event.kind] as (plan: Plan, snapshot: RunSnapshot, event: TraceEvent) => void;
  handle(plan, snapshot, event);
  snapshot.lastSeq = event.seq;
  snapshot.lastAt = event.at;
  if (snapshot.openAsks > 0 || snapshot.parkedSince !== null) updateParked(snapshot, event.at);
}

function updateParked(snapshot: RunSnapshot, at: number): void {
  const waiting = statusOf(snapshot) === 'waiting';
  if (waiting && snapshot.parkedSince === null) snapshot.parkedSince = at;
  if (!waiting && snapshot.parkedSince !== null) {
    snapshot.parkedMs += at - snapshot.parkedSince;
    snapshot.parkedSince = null;
  }
}

type Handlers = { [K in TraceKind]: (plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<K>) => void };

const nothing = (): void => {};

const noted = (_plan: Plan, snapshot: RunSnapshot, event: TraceEvent): void => {
  if (event.visit !== undefined) visitOf(snapshot, event).notes += 1;
};

const handlers: Handlers = {
  'run-start': start,
  'run-resume': runResume,
  'visit-start': visitStart,
  'visit-end': visitEnd,
  'visit-retry': visitRetry,
  'join-wait': (_plan, snapshot, event) => {
    const token = snapshot.tokens[event.token];
    if (token) token.state = 'waiting';
  },
  'token-end': (_plan, snapshot, event) => {
    delete snapshot.tokens[event.token];
  },
  'state-patch': (_plan, snapshot, event) => {
    const scope = event.scope ?? rootScope;
    const value = patchChannel(channelsAt(snapshot, scope)[event.channel] ?? null, event.patches);
    setChannel(snapshot, scope, { channel: event.channel, value });
  },
  decision: noted,
  log: noted,
  'guard-verdict': nothing,
  'model-start': nothing,
  'model-retry': nothing,
  'model-end': modelEnd,
  'tool-start': (_plan, snapshot, event) => {
    visitOf(snapshot, event).openTools[event.key] = { tool: event.tool, effect: event.effect };
  },
  'tool-end': toolEnd,
  'effect-end': (_plan, snapshot, event) => {
    visitOf(snapshot, event).memo[event.key] = event.value;
  },
  'ask-open': askOpen,
  'ask-answer': askAnswer,
  'ask-refused': nothing,
  'sleep-start': (_plan, snapshot, event) => {
    visitOf(snapshot, event).suspended[event.key] = { kind: 'sleep', until: event.until };
  },
  'sleep-end': (_plan, snapshot, event) => release(snapshot, event, true),
  'branches-open': branchesOpen,
  'inbox-read': (_plan, snapshot, event) => {
    visitOf(snapshot, event).memo[event.key] = event.messages;
    snapshot.inboxRead.push(...event.messages.map(({ id }) => id));
  },
  'inbox-return': (_plan, snapshot, event) => {
    snapshot.inboxReturned.push(...event.ids);
  },
  'scopes-open': scopesOpen,
  'scope-start': (plan, snapshot, event) => {
    const scope = scopeOf(snapshot, event.scope ?? rootScope);
    scope.state = 'running';
    placeTokens(plan, snapshot, scope);
  },
  'scope-end': scopeEnd,
  'limit-reached': (_plan, snapshot, event) => {
    snapshot.limit = { cap: event.cap, message: event.message };
  },
  'cancel-request': nothing,
  'run-end': (_plan, snapshot, event) => {
    snapshot.status = event.outcome;
    snapshot.tokens = dictionary();
    snapshot.visits = dictionary();
    snapshot.openAsks = 0;
  },
};

function runResume(_plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'run-resume'>): void {
  // Time without a process is not the run's; parked time already counts its own gap.
  if (snapshot.parkedSince === null) snapshot.parkedMs += Math.max(0, event.at - snapshot.lastAt);
}
