import type { PlanNode } from '../compiler/plan';
import type { Json } from '../contract/json';
import { scopeOf } from './plan-lookup';
import type { RunSnapshot, Scope, Token } from './snapshot';

/** The scope that a branch belongs to in the end: the run, or the body of a container. */
export function homeOf(snapshot: RunSnapshot, id: string): Scope {
  let scope = scopeOf(snapshot, id);
  while (scope.branch) scope = scopeOf(snapshot, scope.branch.of);
  return scope;
}

/** Channel values as a scope sees them: a branch has its own, a body has those of what it stands in. */
export function channelsAt(snapshot: RunSnapshot, id: string): Record<string, Json> {
  let scope: Scope | undefined = snapshot.scopes[id];
  while (scope) {
    if (scope.branch) return scope.branch.channels;
    scope = scope.parent ? snapshot.scopes[scope.parent.scope] : undefined;
  }
  return snapshot.channels;
}

/** Sets a channel where a scope sees it. */
export function setChannel(snapshot: RunSnapshot, id: string, change: { channel: string; value: Json }): void {
  let scope: Scope | undefined = snapshot.scopes[id];
  while (scope && !scope.branch) scope = scope.parent ? snapshot.scopes[scope.parent.scope] : undefined;
  const { branch } = scope ?? {};
  if (!branch) {
    snapshot.channels[change.channel] = change.value;
    return;
  }
  branch.channels[change.channel] = change.value;
  if (!branch.touched.includes(change.channel)) branch.touched.push(change.channel);
}

/** Where a merging node stands with the branches of one dispatch. */
export interface MergeGroup {
  node: PlanNode;
  /** Every branch of the dispatch, in dispatch order; also those that ended elsewhere. */
  scopes: Scope[];
  arrived: Token[];
  /** Tokens of the branches that are still under way. */
  coming: Token[];
}

/** The branches that a token's arrival at a merging node counts for; null when the token is in none. */
export function mergeGroup(snapshot: RunSnapshot, node: PlanNode, token: Token): MergeGroup | null {
  const { branch } = scopeOf(snapshot, token.scope);
  if (!branch) return null;
  const scopes = Object.values(snapshot.scopes)
    .filter((scope) => scope.branch?.group === branch.group)
    .sort((a, b) => a.index - b.index);
  const ids = new Set(scopes.map(({ id }) => id));
  const group: MergeGroup = { node, scopes, arrived: [], coming: [] };
  for (const other of Object.values(snapshot.tokens)) {
    if (!isWithin(snapshot, other.scope, ids)) continue;
    const here = other.node === node.id && ids.has(other.scope) && other.state !== 'visiting';
    (here ? group.arrived : group.coming).push(other);
  }
  return group;
}

/** True when the scope is one of these branches, or stands in one: a branch of a branch, or a body inside it. */
function isWithin(snapshot: RunSnapshot, id: string, branches: ReadonlySet<string>): boolean {
  let scope: Scope | undefined = snapshot.scopes[id];
  while (scope) {
    if (branches.has(scope.id)) return true;
    const outer: string | undefined = scope.branch?.of ?? scope.parent?.scope;
    scope = outer === undefined ? undefined : snapshot.scopes[outer];
  }
  return false;
}
