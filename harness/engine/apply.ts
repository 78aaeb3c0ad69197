import type { Plan } from '../compiler/plan';
import type { BodyResult } from '../contract/execute';
import type { Json } from '../contract/json';
import { patchChannel } from '../state/patch';
import type { TraceEvent, TraceEventOf, TraceKind } from '../trace/events';
import { entriesOf, nodeAt, scopeOf, targetByEdge } from './plan-lookup';
import type { RunSnapshot, Scope, Token, Visit } from './snapshot';
import { dictionary, planKey, rootScope, statusOf } from './snapshot';

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

export const breakpointKey = 'breakpoint';

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
    snapshot.channels[event.channel] = patchChannel(snapshot.channels[event.channel] ?? null, event.patches);
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

/**
 * The next attempt begins anew: what failed may be what a finished effect gave, so none of them is taken for the answer again. A visit that has
 * written goes on from where it stands instead.
 */
function visitRetry(_plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'visit-retry'>): void {
  const visit = visitOf(snapshot, event);
  visit.attempt = event.attempt;
  visit.retryAt = event.until;
  visit.suspended = {};
  if (visit.wrote || Object.values(visit.openTools).some((open) => open.effect === 'write')) return;
  visit.memo = {};
  visit.openTools = {};
  visit.notes = 0;
}

function toolEnd(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'tool-end'>): void {
  const visit = visitOf(snapshot, event);
  if (visit.openTools[event.key]?.effect === 'write' && succeeded(event.outcome)) visit.wrote = true;
  delete visit.openTools[event.key];
  visit.memo[event.key] = event.outcome;
  snapshot.usage.toolCalls += 1;
  charge(plan, snapshot, visit, { toolCalls: 1 });
}

const succeeded = (outcome: Json): boolean =>
  typeof outcome === 'object' && outcome !== null && !Array.isArray(outcome) && outcome.status === 'ok';

function askOpen(_plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'ask-open'>): void {
  const { askId, ask, hash, at } = event;
  visitOf(snapshot, event).suspended[event.key] = { kind: 'ask', askId, ask, hash, at };
  snapshot.openAsks += 1;
  snapshot.counters.ask += 1;
}

function askAnswer(_plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'ask-answer'>): void {
  release(snapshot, event, event.answer);
  snapshot.openAsks -= 1;
  if (event.key === breakpointKey) snapshot.stepping = event.choice === 'step';
}

function start(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'run-start'>): void {
  snapshot.status = 'running';
  snapshot.startedAt = event.at;
  snapshot.input = event.input;
  snapshot.options = event.options;
  snapshot.sessionId = event.sessionId;
  snapshot.workspace = event.workspace;
  snapshot.channels = { ...event.channels };
  const scope: Scope = {
    id: rootScope,
    plan: [],
    parent: null,
    index: 0,
    input: event.input,
    state: 'running',
    outputs: { ...event.options.seedOutputs },
    traversals: {},
    result: { output: null, final: false },
  };
  snapshot.scopes[rootScope] = scope;
  placeTokens(plan, snapshot, scope);
}

function placeTokens(plan: Plan, snapshot: RunSnapshot, scope: Scope): void {
  for (const node of entriesOf(plan, snapshot, scope)) {
    addToken(snapshot, {
      scope: scope.id,
      node,
      via: null,
      from: seededSource(plan, snapshot, scope),
      state: 'arriving',
      forks: [],
      sender: null,
    });
  }
}

/** A run that begins in the middle hands its first node what came before it, where that is known: the first seeded node with an edge to it, by id. */
function seededSource(plan: Plan, snapshot: RunSnapshot, scope: Scope): string | null {
  const { from, seedOutputs } = snapshot.options;
  if (scope.id !== rootScope || from === undefined) return null;
  const leadsThere = (id: string): boolean =>
    Object.hasOwn(plan.nodes, id) &&
    Object.values(plan.nodes[id]?.next ?? {}).some((targets) => targets.some((target) => target.node === from));
  return Object.keys(seedOutputs).filter(leadsThere).sort()[0] ?? null;
}

function addToken(snapshot: RunSnapshot, token: Omit<Token, 'id'>): void {
  snapshot.counters.token += 1;
  const id = `t${snapshot.counters.token}`;
  snapshot.tokens[id] = { id, ...token };
}

function visitOf(snapshot: RunSnapshot, event: TraceEvent): Visit {
  const visit = event.visit === undefined ? undefined : snapshot.visits[event.visit];
  if (!visit) throw new Error(`${event.kind} #${event.seq} names no live visit`);
  return visit;
}

function visitStart(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'visit-start'>): void {
  const scope = scopeOf(snapshot, event.scope ?? rootScope);
  const node = event.nodeId ?? '';
  const id = event.visit ?? '';
  snapshot.counters.visit += 1;
  snapshot.usage.steps += 1;
  snapshot.visitCounts[planKey(scope, node)] = event.number;
  if (event.joined) {
    mergeTokens(snapshot, event);
  } else {
    const token = snapshot.tokens[event.token];
    if (token) {
      token.state = 'visiting';
      token.visit = id;
    }
  }
  const visit: Visit = {
    id,
    node,
    scope: scope.id,
    token: event.token,
    number: event.number,
    attempt: event.attempt,
    startedAt: event.at,
    memo: {},
    suspended: {},
    wrote: false,
    openTools: {},
    notes: 0,
  };
  snapshot.visits[id] = visit;
  charge(plan, snapshot, visit, { steps: 1 });
}

/** A join has fired: the collected tokens become one, which stands in the forks the event names. */
function mergeTokens(snapshot: RunSnapshot, event: TraceEventOf<'visit-start'>): void {
  const collected = new Set(event.joined);
  const node = event.nodeId ?? '';
  const scope = event.scope ?? rootScope;
  for (const token of Object.values(snapshot.tokens)) {
    const here = token.node === node && token.scope === scope && token.state !== 'visiting';
    // A token without a sender began here; it is in no fork, so it came alone.
    const taken = token.sender === null ? collected.size === 0 : collected.has(token.sender);
    if (here && taken) delete snapshot.tokens[token.id];
  }
  snapshot.counters.token += 1;
  snapshot.tokens[event.token] = {
    id: event.token,
    scope,
    node,
    via: event.via,
    from: null,
    state: 'visiting',
    visit: event.visit ?? '',
    forks: event.forks ?? [],
    sender: null,
  };
  if (event.closed !== undefined) snapshot.forks[event.closed]?.closed.push(node);
}

function visitEnd(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'visit-end'>): void {
  const visit = visitOf(snapshot, event);
  const scope = scopeOf(snapshot, visit.scope);
  const node = nodeAt(plan, scope, visit.node);
  delete snapshot.visits[visit.id];
  if (event.outcome === 'failed' && event.edges.length === 0 && event.error) {
    if (scope.id === rootScope) snapshot.failure ??= { error: event.error, node: node.id };
    else scope.error ??= event.error;
  }
  if (event.outcome !== 'cancelled') {
    scope.outputs[node.id] = event.output;
    if (node.role === 'end' && event.outcome !== 'failed') {
      scope.result = { output: event.output, final: true };
      if (scope.id === rootScope) snapshot.outputs[node.id] = event.output;
    } else if (!scope.result.final) scope.result = { output: event.output, final: false };
  }
  if (scope.id === rootScope && snapshot.options.until === node.id) snapshot.untilReached = true;
  const token = snapshot.tokens[visit.token];
  if (!token) return;
  if (event.edges.length === 0) {
    delete snapshot.tokens[token.id];
    return;
  }
  const moves = event.edges.map((edge) => targetByEdge(node, edge));
  for (const move of moves) scope.traversals[move.edge] = (scope.traversals[move.edge] ?? 0) + 1;
  const only = moves.length === 1 ? moves[0] : undefined;
  if (only) {
    token.node = only.node;
    token.via = only.edge;
    token.from = node.id;
    token.sender = visit.id;
    token.state = 'arriving';
    delete token.visit;
    return;
  }
  const common = { scope: scope.id, from: node.id, state: 'arriving' as const, sender: visit.id };
  delete snapshot.tokens[token.id];
  snapshot.counters.fork += 1;
  const fork = `f${snapshot.counters.fork}`;
  snapshot.forks[fork] = { id: fork, node: node.id, closed: [] };
  for (const move of moves) addToken(snapshot, { ...common, node: move.node, via: move.edge, forks: [...token.forks, fork] });
}

function modelEnd(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'model-end'>): void {
  const visit = visitOf(snapshot, event);
  if (event.reply !== undefined) visit.memo[event.key] = event.reply;
  const tokens = (event.inputTokens ?? 0) + (event.outputTokens ?? 0);
  const unpriced = event.cost === null && (event.error === undefined || event.inputTokens !== null) ? 1 : 0;
  const { usage } = snapshot;
  usage.modelCalls += 1;
  usage.inputTokens += event.inputTokens ?? 0;
  usage.outputTokens += event.outputTokens ?? 0;
  usage.cost += event.cost ?? 0;
  usage.unpricedCalls += unpriced;
  charge(plan, snapshot, visit, { modelCalls: 1, tokens, cost: event.cost ?? 0, unpricedCalls: unpriced });
}

type Charge = Partial<Record<'steps' | 'tokens' | 'cost' | 'unpricedCalls' | 'modelCalls' | 'toolCalls', number>>;

function charge(plan: Plan, snapshot: RunSnapshot, visit: Visit, amounts: Charge): void {
  const scope = scopeOf(snapshot, visit.scope);
  for (const policy of nodeAt(plan, scope, visit.node).policies) {
    const key = planKey(scope, policy);
    const usage = snapshot.policyUsage[key] ?? {
      steps: 0,
      tokens: 0,
      cost: 0,
      unpricedCalls: 0,
      modelCalls: 0,
      toolCalls: 0,
      elapsedMs: 0,
      since: visit.startedAt,
    };
    snapshot.policyUsage[key] = usage;
    usage.steps += amounts.steps ?? 0;
    usage.tokens += amounts.tokens ?? 0;
    usage.cost += amounts.cost ?? 0;
    usage.unpricedCalls += amounts.unpricedCalls ?? 0;
    usage.modelCalls += amounts.modelCalls ?? 0;
    usage.toolCalls += amounts.toolCalls ?? 0;
  }
}

function release(snapshot: RunSnapshot, event: TraceEvent & { key: string }, value: Json): void {
  const visit = visitOf(snapshot, event);
  delete visit.suspended[event.key];
  visit.memo[event.key] = value;
}

function scopesOpen(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'scopes-open'>): void {
  const visit = visitOf(snapshot, event);
  const outer = scopeOf(snapshot, visit.scope);
  const node = nodeAt(plan, outer, visit.node);
  visit.suspended[event.key] = {
    kind: 'scopes',
    scopes: [...event.scopes],
    concurrency: event.concurrency,
    onError: event.onError,
  };
  event.scopes.forEach((id, index) => {
    snapshot.scopes[id] = {
      id,
      plan: node.subplan === undefined ? outer.plan : [...outer.plan, node.subplan],
      parent: { visit: visit.id, scope: outer.id, node: node.id },
      index,
      input: event.items[index] ?? null,
      state: 'queued',
      outputs: {},
      traversals: {},
      result: { output: null, final: false },
    };
  });
  snapshot.counters.scope += event.scopes.length;
  // An empty list has nothing to wait for.
  if (event.scopes.length === 0) release(snapshot, event, []);
}

function scopeEnd(_plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'scope-end'>): void {
  const scope = scopeOf(snapshot, event.scope ?? rootScope);
  scope.state = event.outcome;
  scope.result = { output: event.output, final: true };
  if (event.error) scope.error = event.error;
  const visit = scope.parent ? snapshot.visits[scope.parent.visit] : undefined;
  if (!visit) {
    delete snapshot.scopes[scope.id];
    return;
  }
  for (const [key, suspension] of Object.entries(visit.suspended)) {
    if (suspension.kind !== 'scopes' || !suspension.scopes.includes(scope.id)) continue;
    const siblings = suspension.scopes.map((id) => scopeOf(snapshot, id));
    if (siblings.some((sibling) => sibling.state === 'queued' || sibling.state === 'running')) return;
    visit.memo[key] = siblings.map((sibling) => resultOf(sibling));
    delete visit.suspended[key];
    for (const sibling of siblings) delete snapshot.scopes[sibling.id];
  }
}

function resultOf(scope: Scope): Json {
  const result: BodyResult = {
    index: scope.index,
    outcome: scope.state === 'done' ? 'done' : 'failed',
    output: scope.result.output,
  };
  if (scope.error) result.error = { code: scope.error.code, message: scope.error.message };
  // BodyResult is plain JSON, but an interface has no index signature to show it.
  return result as unknown as Json;
}
