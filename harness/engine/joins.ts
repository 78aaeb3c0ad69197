import type { PlanNode } from '../compiler/plan';
import type { Json } from '../contract/json';
import { scopeOf } from './plan-lookup';
import type { RunSnapshot, Token } from './snapshot';
import type { Turn } from './turn';

/** Where a join stands with the tokens of one fork. */
export interface JoinGroup {
  node: PlanNode;
  scope: string;
  /** The fork it closes for these tokens; null when the token stands in none that this join closes. */
  fork: string | null;
  /** Tokens at the join, in the order they were made. */
  arrived: Token[];
  /** Tokens of the fork that may still come. */
  coming: Token[];
}

const tokenOrder = (a: Token, b: Token): number => Number(a.id.slice(1)) - Number(b.id.slice(1));

/**
 * The fork a token's arrival counts for: the outermost one it stands in that this join closes. Outermost, because a branch that forked again
 * and comes here without a join of its own still brings only one branch of the outer fork.
 */
export function forkClosedBy(snapshot: RunSnapshot, join: PlanNode, token: Token): string | null {
  const closes = join.closes ?? [];
  for (const fork of token.forks) {
    const instance = snapshot.forks[fork];
    if (instance && closes.includes(instance.node)) return fork;
  }
  return null;
}

const reachSets = new WeakMap<PlanNode, ReadonlySet<string>>();

/** The nodes from which a join can be reached, made once per plan: deep flows ask at every step. */
function reachesOf(join: PlanNode): ReadonlySet<string> {
  const known = reachSets.get(join);
  if (known) return known;
  const made = new Set(join.reachableFrom ?? []);
  reachSets.set(join, made);
  return made;
}

export function joinGroup(turn: Turn, join: PlanNode, token: Token): JoinGroup {
  const fork = forkClosedBy(turn.snapshot, join, token);
  const group: JoinGroup = { node: join, scope: token.scope, fork, arrived: [], coming: [] };
  if (fork === null) {
    group.arrived.push(token);
    return group;
  }
  const reaches = reachesOf(join);
  for (const other of Object.values(turn.snapshot.tokens)) {
    if (other.scope !== token.scope || !other.forks.includes(fork)) continue;
    if (other.node === join.id && other.state !== 'visiting') group.arrived.push(other);
    else if (reaches.has(other.node)) group.coming.push(other);
  }
  group.arrived.sort(tokenOrder);
  return group;
}

interface JoinConfig {
  mode: 'all' | 'any' | 'n';
  count: number;
  losers: 'cancel' | 'finish';
}

/** Joins are the engine's own, so it reads their config without an executor. */
export function joinConfig(node: PlanNode): JoinConfig {
  const { mode, count, losers } = node.config;
  return {
    mode: mode === 'any' || mode === 'n' ? mode : 'all',
    count: typeof count === 'number' ? count : 1,
    losers: losers === 'finish' ? 'finish' : 'cancel',
  };
}

/** True when nothing is to be waited for: enough came, or nobody else can come (a branch that ended counts as resolved). */
export function isSatisfied(group: JoinGroup): boolean {
  if (group.coming.length === 0) return true;
  const { mode, count } = joinConfig(group.node);
  if (mode === 'any') return group.arrived.length >= 1;
  return mode === 'n' && group.arrived.length >= count;
}

/** The outputs of the collected branches by the id of the node that sent each token. */
export function joinOutput(turn: Turn, group: JoinGroup): Json {
  const { outputs } = scopeOf(turn.snapshot, group.scope);
  const collected: Record<string, Json> = {};
  for (const token of group.arrived) {
    if (token.from !== null) collected[token.from] = outputs[token.from] ?? null;
  }
  return collected;
}

/**
 * The forks the merged token still stands in. It leaves the closed fork when no other live token of it can ever be collected elsewhere; a
 * join that took only some branches (another join takes the rest) keeps its token inside the fork.
 */
export function forksAfter(turn: Turn, group: JoinGroup): string[] {
  const first = group.arrived[0];
  if (!first) return [];
  const { fork } = group;
  if (fork === null) return [...first.forks];
  const outer = first.forks.slice(0, first.forks.indexOf(fork));
  const settled = new Set([...group.arrived, ...group.coming].map((token) => token.id));
  const others = Object.values(turn.snapshot.tokens).some((token) => token.forks.includes(fork) && !settled.has(token.id));
  return others ? [...outer, fork] : outer;
}
