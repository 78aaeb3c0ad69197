import type { PlanNode, PlanTarget } from '../compiler/plan';
import type { ErrorRecord } from '../contract/errors';
import type { Json } from '../contract/json';
import type { TraceEventOf } from '../trace/events';
import type { MergeGroup } from './branches';
import { homeOf, mergeGroup } from './branches';
import { breakpointAsk, breakpointKey } from './breakpoint';
import { endCancelled, limitReached } from './finish';
import type { JoinGroup } from './joins';
import { forkClosedBy, forksAfter, isSatisfied, joinConfig, joinGroup, joinOutput } from './joins';
import { scopeOf, targetsOf } from './plan-lookup';
import type { Token, Visit } from './snapshot';
import { planKey, rootScope } from './snapshot';
import type { Turn } from './turn';
import { inScope } from './turn';

/** A token stands at a node's door: it is let in, passed through, kept waiting or absorbed. */
export function arrive(turn: Turn, token: Token): void {
  const node = turn.node(token.scope, token.node);
  const { caps } = turn.plan;
  if (turn.snapshot.usage.steps >= caps.steps) {
    limitReached(turn, 'steps', turn.snapshot.usage.steps, caps.steps);
    return;
  }
  if (node.role === 'join' && node.disabled !== true) {
    arriveAtJoin(turn, node, token);
    return;
  }
  // A disabled merging node still takes the branches in; it only leaves out what it would do about their differences.
  const branches = node.role === 'merge' ? mergeGroup(turn.snapshot, node, token) : null;
  if (branches) {
    if (branches.coming.length === 0) fireMerge(turn, branches);
    else waitAt(turn, node, { token, arrived: branches.arrived.length, live: branches.arrived.length + branches.coming.length });
    return;
  }
  begin(turn, node, enter(turn, node, token), token);
}

function waitAt(turn: Turn, node: PlanNode, at: { token: Token; arrived: number; live: number }): void {
  const { token, arrived, live } = at;
  turn.emit({ kind: 'join-wait', nodeId: node.id, layer: node.layer, ...inScope(token.scope), token: token.id, arrived, live });
}

/** What becomes of a visit that has just been entered: pinned, passed through, held at a breakpoint, or executed. */
function begin(turn: Turn, node: PlanNode, visit: Visit, token: Pick<Token, 'scope' | 'from'>): void {
  const pin =
    homeOf(turn.snapshot, token.scope).id === rootScope && Object.hasOwn(turn.snapshot.options.pins, node.id)
      ? turn.snapshot.options.pins[node.id]
      : undefined;
  if (pin) {
    const port = pin.port !== undefined && node.ports.includes(pin.port) ? [pin.port] : node.ports.slice(0, 1);
    leave(turn, visit, { outcome: 'pinned', ports: port, output: pin.output, pin: { runId: pin.runId, at: pin.at } });
  } else if (node.disabled === true) {
    leave(turn, visit, { outcome: 'disabled', ports: node.ports.slice(0, 1), output: turn.received(token.scope, token.from) });
  } else if (turn.snapshot.stepping || turn.snapshot.options.breakpoints.includes(node.id)) {
    const askId = `a${turn.snapshot.counters.ask + 1}`;
    turn.emit({ kind: 'ask-open', ...turn.place(visit), askId, key: breakpointKey, ask: breakpointAsk(node), hash: '' });
  } else {
    turn.effect({ kind: 'execute', visit: visit.id });
  }
}

function enter(turn: Turn, node: PlanNode, token: Pick<Token, 'id' | 'scope' | 'via'>, join?: Partial<TraceEventOf<'visit-start'>>): Visit {
  const id = `v${turn.snapshot.counters.visit + 1}`;
  const number = (turn.snapshot.visitCounts[planKey(scopeOf(turn.snapshot, token.scope), node.id)] ?? 0) + 1;
  turn.emit({
    kind: 'visit-start',
    nodeId: node.id,
    visit: id,
    layer: node.layer,
    ...inScope(token.scope),
    type: node.type,
    label: node.label,
    number,
    attempt: 1,
    via: token.via,
    token: token.id,
    ...join,
  });
  const visit = turn.snapshot.visits[id];
  if (!visit) throw new Error('a visit that was just begun is missing');
  return visit;
}

function arriveAtJoin(turn: Turn, node: PlanNode, token: Token): void {
  const fork = forkClosedBy(turn.snapshot, node, token);
  if (fork !== null && turn.snapshot.forks[fork]?.closed.includes(node.id)) {
    turn.emit({ kind: 'token-end', nodeId: node.id, ...inScope(token.scope), token: token.id, reason: 'absorbed' });
    return;
  }
  const group = joinGroup(turn, node, token);
  if (isSatisfied(group)) {
    fireJoin(turn, group);
    return;
  }
  waitAt(turn, node, { token, arrived: group.arrived.length, live: group.arrived.length + group.coming.length });
}

/** All branches of a dispatch have come or ended: their tokens become one visit of the merging node, in the scope they came from. */
export function fireMerge(turn: Turn, group: MergeGroup): void {
  const { node, scopes, arrived } = group;
  const last = arrived.at(-1);
  const branch = scopes[0]?.branch;
  if (!last || !branch) return;
  const visit = enter(
    turn,
    node,
    { id: `t${turn.snapshot.counters.token + 1}`, scope: branch.of, via: last.via },
    {
      joined: arrived.flatMap((token) => (token.sender === null ? [] : [token.sender])),
      forks: [...branch.forks],
      merged: scopes.map(({ id }) => id),
    },
  );
  begin(turn, node, visit, { scope: branch.of, from: last.from });
}

/** The collected tokens become one visit of the join, which leaves at once. */
export function fireJoin(turn: Turn, group: JoinGroup): void {
  const { node, scope } = group;
  const last = group.arrived.at(-1);
  if (!last) return;
  const output = joinOutput(turn, group);
  const forks = forksAfter(turn, group);
  const early = group.coming.length > 0;
  const { mode, count, losers } = joinConfig(node);
  const visit = enter(
    turn,
    node,
    { id: `t${turn.snapshot.counters.token + 1}`, scope, via: last.via },
    {
      joined: group.arrived.flatMap((token) => (token.sender === null ? [] : [token.sender])),
      forks,
      ...(early && group.fork !== null ? { closed: group.fork } : {}),
    },
  );
  turn.note(visit, [
    {
      kind: 'decision',
      decision: {
        rule: `join ${mode}`,
        outcome: early ? `fired before ${group.coming.length} still running` : 'fired',
        because: [
          { name: 'branches arrived', value: group.arrived.length, ...(mode === 'n' ? { operator: '>=' as const, threshold: count } : {}) },
          { name: 'branches still live', value: group.coming.length },
        ],
        alternatives: [],
      },
    },
  ]);
  if (early && losers === 'cancel') for (const token of group.coming) cancelToken(turn, token);
  if (turn.live) leave(turn, visit, { outcome: 'done', ports: ['next'], output });
}

/** Stops a branch that no longer counts, with everything that runs inside it. */
function cancelToken(turn: Turn, token: Token): void {
  if (token.visit !== undefined) cancelVisit(turn, token.visit);
  turn.emit({ kind: 'token-end', nodeId: token.node, ...inScope(token.scope), token: token.id, reason: 'absorbed' });
}

/** What a visit still waits for is waited for no longer: its bodies are cancelled, its requests to people closed. */
export function withdraw(turn: Turn, visit: Visit): void {
  for (const [key, suspension] of Object.entries(visit.suspended)) {
    if (suspension.kind === 'ask') {
      const answer = { choice: withdrawnChoice, by: 'engine' };
      turn.emit({ kind: 'ask-answer', ...turn.place(visit), askId: suspension.askId, key, answer, choice: answer.choice });
    }
    if (suspension.kind !== 'scopes') continue;
    for (const id of suspension.scopes) {
      const state = turn.snapshot.scopes[id]?.state;
      if (state === 'queued' || state === 'running') cancelScope(turn, id);
    }
  }
}

/** The answer of a request that nobody needs to answer any more, because its visit has ended. */
const withdrawnChoice = 'withdrawn';

/** Ends a visit as cancelled, what it opened first. */
function cancelVisit(turn: Turn, id: string): void {
  const visit = turn.snapshot.visits[id];
  if (!visit) return;
  withdraw(turn, visit);
  endCancelled(turn, visit);
}

export function cancelScope(turn: Turn, id: string): void {
  for (const token of Object.values(turn.snapshot.tokens)) if (homeOf(turn.snapshot, token.scope).id === id) cancelToken(turn, token);
  const scope = scopeOf(turn.snapshot, id);
  turn.emit({
    kind: 'scope-end',
    scope: id,
    ...(scope.parent ? { nodeId: scope.parent.node, visit: scope.parent.visit } : {}),
    index: scope.index,
    outcome: 'cancelled',
    output: null,
  });
}

export interface Leaving {
  outcome: 'done' | 'failed' | 'disabled' | 'pinned';
  ports: string[];
  output: Json;
  error?: ErrorRecord;
  pin?: { runId: string | null; at: number };
}

/** A visit ends: its token moves on, forks or ends. A loop edge that has been taken as often as its cap allows ends the run. */
export function leave(turn: Turn, visit: Visit, leaving: Leaving): void {
  const node = turn.nodeOf(visit);
  const scope = scopeOf(turn.snapshot, visit.scope);
  const isLast = homeOf(turn.snapshot, visit.scope).id === rootScope && turn.snapshot.options.until === node.id;
  const targets = isLast || node.role === 'end' ? [] : leaving.ports.flatMap((port) => targetsOf(node, port));
  const spent = targets.find((target) => target.loop !== undefined && (scope.traversals[target.edge] ?? 0) >= target.loop.max);
  const place = turn.place(visit);
  withdraw(turn, visit);
  turn.emit({
    kind: 'visit-end',
    ...place,
    outcome: leaving.outcome,
    ports: leaving.ports,
    edges: spent ? [] : targets.map((target) => target.edge),
    output: leaving.output,
    durationMs: turn.at - visit.startedAt,
    ...(leaving.error ? { error: leaving.error } : {}),
    ...(leaving.pin ? { pin: leaving.pin } : {}),
  });
  if (targets.length > 0 && !spent) return;
  const reason = spent ? 'limit' : isLast ? 'until' : node.role === 'end' ? 'output' : leaving.outcome === 'failed' ? 'failed' : 'no-edge';
  const port = leaving.ports[0];
  turn.emit({ kind: 'token-end', ...place, token: visit.token, reason, ...(port === undefined ? {} : { port }) });
  if (spent) loopLimit(turn, node, spent);
}

function loopLimit(turn: Turn, node: PlanNode, target: PlanTarget): void {
  const max = target.loop?.max ?? 0;
  limitReached(turn, `loop edge from "${node.label}"`, max, max);
}
