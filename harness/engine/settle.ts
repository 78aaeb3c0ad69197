import { arrive, cancelScope, fireJoin, fireMerge } from './arrive';
import { homeOf, mergeGroup } from './branches';
import { conclude } from './finish';
import { forkClosedBy, isSatisfied, joinGroup } from './joins';
import { scopeOf } from './plan-lookup';
import type { Scope, Suspension, Visit } from './snapshot';
import type { Turn } from './turn';

/** Moves everything that can move without the outside world, until nothing can; then the run either waits or ends. */
export function settle(turn: Turn): void {
  while (turn.live && (moveTokens(turn) || fireJoins(turn) || tendBodies(turn) || breakTie(turn))) {
    // Each pass goes on from the state the last one left.
  }
  if (turn.live && Object.keys(turn.snapshot.tokens).length === 0) conclude(turn);
}

function moveTokens(turn: Turn): boolean {
  let moved = false;
  for (const id of Object.keys(turn.snapshot.tokens)) {
    const token = turn.snapshot.tokens[id];
    if (!turn.live) return true;
    if (token?.state !== 'arriving') continue;
    arrive(turn, token);
    moved = true;
  }
  return moved;
}

/** A branch that ended or went elsewhere can satisfy a join that nobody new has come to. */
function fireJoins(turn: Turn): boolean {
  const looked = new Set<string>();
  for (const token of Object.values(turn.snapshot.tokens)) {
    if (token.state !== 'waiting') continue;
    const join = turn.node(token.scope, token.node);
    if (join.role === 'merge') {
      const branches = mergeGroup(turn.snapshot, join, token);
      if (branches === null || branches.coming.length > 0) continue;
      fireMerge(turn, branches);
      return true;
    }
    // All tokens of one fork at one join stand for the same question; a wide fork would ask it once per branch.
    const question = JSON.stringify([token.scope, join.id, forkClosedBy(turn.snapshot, join, token) ?? `alone ${token.id}`]);
    if (looked.has(question)) continue;
    looked.add(question);
    const group = joinGroup(turn, join, token);
    if (!isSatisfied(group)) continue;
    fireJoin(turn, group);
    return true;
  }
  return false;
}

/**
 * Joins that each wait for a token at the other, with nothing else under way, would wait for ever: the one whose token came first goes on with
 * what it has.
 */
function breakTie(turn: Turn): boolean {
  if (Object.keys(turn.snapshot.visits).length > 0) return false;
  const [token] = Object.values(turn.snapshot.tokens);
  if (token?.state !== 'waiting') return false;
  const node = turn.node(token.scope, token.node);
  const branches = node.role === 'merge' ? mergeGroup(turn.snapshot, node, token) : null;
  if (branches) fireMerge(turn, branches);
  else fireJoin(turn, joinGroup(turn, node, token));
  return true;
}

type Bodies = Extract<Suspension, { kind: 'scopes' }>;

function tendBodies(turn: Turn): boolean {
  let busy: Set<string> | null = null;
  for (const visit of Object.values(turn.snapshot.visits)) {
    for (const [key, suspension] of Object.entries(visit.suspended)) {
      if (suspension.kind !== 'scopes') continue;
      // One look over the tokens serves all containers: the first that acts ends this pass.
      busy ??= new Set(Object.values(turn.snapshot.tokens).map((token) => homeOf(turn.snapshot, token.scope).id));
      if (tend(turn, visit, { key, bodies: suspension, busy })) return true;
    }
  }
  return false;
}

/** Ends bodies that have run out, stops the rest after a failure if so asked, and starts queued ones up to the concurrency. */
function tend(turn: Turn, visit: Visit, entry: { key: string; bodies: Bodies; busy: ReadonlySet<string> }): boolean {
  const { bodies, busy } = entry;
  const scopes = bodies.scopes.map((id) => scopeOf(turn.snapshot, id));
  const spent = scopes.filter((scope) => scope.state === 'running' && !busy.has(scope.id));
  for (const scope of spent) endBody(turn, scope);
  const broken = bodies.onError === 'stop' && scopes.some((scope) => scope.state === 'failed');
  const queued = scopes.filter((scope) => scope.state === 'queued');
  let acted = spent.length > 0;
  if (broken) {
    for (const scope of scopes) {
      if (scope.state !== 'queued' && scope.state !== 'running') continue;
      cancelScope(turn, scope.id);
      acted = true;
    }
  } else {
    const room = bodies.concurrency - scopes.filter((scope) => scope.state === 'running').length;
    for (const scope of queued.slice(0, Math.max(0, room))) {
      const layer = turn.nodeOf(visit).layer;
      turn.emit({ kind: 'scope-start', scope: scope.id, nodeId: visit.node, visit: visit.id, layer, index: scope.index });
      acted = true;
    }
  }
  if (turn.snapshot.visits[visit.id] && entry.key in visit.memo) turn.effect({ kind: 'release', visit: visit.id, key: entry.key });
  return acted;
}

function endBody(turn: Turn, scope: Scope): void {
  turn.emit({
    kind: 'scope-end',
    scope: scope.id,
    ...(scope.parent ? { nodeId: scope.parent.node, visit: scope.parent.visit } : {}),
    index: scope.index,
    outcome: scope.error ? 'failed' : 'done',
    output: scope.result.output,
    ...(scope.error ? { error: scope.error } : {}),
  });
}
