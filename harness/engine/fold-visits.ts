import type { Plan } from '../compiler/plan';
import type { TraceEventOf } from '../trace/events';
import { homeOf } from './branches';
import { dropBranches, takeBranches } from './fold-branches';
import { charge, visitOf } from './fold-effects';
import { entriesOf, nodeAt, scopeOf, targetByEdge } from './plan-lookup';
import type { RunSnapshot, Scope, Token, Visit } from './snapshot';
import { planKey, rootScope } from './snapshot';

/* How visits and tokens change a snapshot; part of `apply.ts`. */

export function start(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'run-start'>): void {
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

export function placeTokens(plan: Plan, snapshot: RunSnapshot, scope: Scope): void {
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

export function visitStart(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'visit-start'>): void {
  const scope = scopeOf(snapshot, event.scope ?? rootScope);
  const node = event.nodeId ?? '';
  const id = event.visit ?? '';
  snapshot.counters.visit += 1;
  snapshot.usage.steps += 1;
  snapshot.visitCounts[planKey(scope, node)] = event.number;
  if (event.merged) {
    takeBranches(snapshot, event);
  } else if (event.joined) {
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
    ...(event.merged ? { merged: event.merged } : {}),
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

export function visitEnd(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'visit-end'>): void {
  const visit = visitOf(snapshot, event);
  const scope = scopeOf(snapshot, visit.scope);
  const node = nodeAt(plan, scope, visit.node);
  const home = homeOf(snapshot, scope.id);
  delete snapshot.visits[visit.id];
  dropBranches(snapshot, visit);
  if (event.outcome === 'failed' && event.edges.length === 0 && event.error) {
    if (home.id === rootScope) snapshot.failure ??= { error: event.error, node: node.id };
    else home.error ??= event.error;
  }
  if (event.outcome !== 'cancelled') {
    scope.outputs[node.id] = event.output;
    if (scope.branch && !scope.branch.ran.includes(node.id)) scope.branch.ran.push(node.id);
    if (node.role === 'end' && event.outcome !== 'failed') {
      home.result = { output: event.output, final: true };
      if (home.id === rootScope) snapshot.outputs[node.id] = event.output;
    } else if (!home.result.final) home.result = { output: event.output, final: false };
  }
  if (home.id === rootScope && snapshot.options.until === node.id) snapshot.untilReached = true;
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

/**
 * The next attempt begins anew: what failed may be what a finished effect gave, so none of them is taken for the answer again. A visit that has
 * written goes on from where it stands instead.
 */
export function visitRetry(_plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'visit-retry'>): void {
  const visit = visitOf(snapshot, event);
  visit.attempt = event.attempt;
  visit.retryAt = event.until;
  visit.suspended = {};
  if (visit.wrote || Object.values(visit.openTools).some((open) => open.effect === 'write')) return;
  visit.memo = {};
  visit.openTools = {};
  visit.notes = 0;
}
