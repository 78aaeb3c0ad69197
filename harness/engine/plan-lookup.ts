import type { Plan, PlanNode, PlanTarget } from '../compiler/plan';
import { unexpectedError } from '../contract/errors';
import type { RunSnapshot, Scope } from './snapshot';
import { rootScope } from './snapshot';

/** The plan a scope runs: the run's own, or one embedded by a subflow node. */
export function planOf(plan: Plan, scope: Pick<Scope, 'plan'>): Plan {
  let found = plan;
  for (const key of scope.plan) {
    const next = Object.hasOwn(found.subplans, key) ? found.subplans[key] : undefined;
    if (!next) throw unexpectedError('ENGINE_PLAN', `The plan has no embedded flow "${key}".`);
    found = next;
  }
  return found;
}

export function scopeOf(snapshot: RunSnapshot, id: string): Scope {
  const scope = snapshot.scopes[id];
  if (!scope) throw unexpectedError('ENGINE_SCOPE', `The run has no scope "${id}".`);
  return scope;
}

export function nodeAt(plan: Plan, scope: Pick<Scope, 'plan'>, id: string): PlanNode {
  const found = planOf(plan, scope);
  const node = Object.hasOwn(found.nodes, id) ? found.nodes[id] : undefined;
  if (!node) throw unexpectedError('ENGINE_NODE', `The plan has no node "${id}".`);
  return node;
}

export const targetsOf = (node: PlanNode, port: string): PlanTarget[] => (Object.hasOwn(node.next, port) ? (node.next[port] ?? []) : []);

/** The target an edge of this node leads to. */
export function targetByEdge(node: PlanNode, edge: string): PlanTarget {
  for (const port of Object.keys(node.next)) {
    for (const target of targetsOf(node, port)) if (target.edge === edge) return target;
  }
  throw unexpectedError('ENGINE_EDGE', `Node "${node.id}" has no edge "${edge}".`);
}

/** Nodes a scope begins at: the flow's inputs for a run or an embedded flow, the single entry for a container body. */
export function entriesOf(plan: Plan, snapshot: RunSnapshot, scope: Scope): string[] {
  if (scope.id === rootScope) {
    const { from } = snapshot.options;
    if (from === undefined) return plan.starts;
    return Object.hasOwn(plan.nodes, from) ? [from] : [];
  }
  const container = scope.parent ? nodeAt(plan, scopeOf(snapshot, scope.parent.scope), scope.parent.node) : null;
  if (container?.entry !== undefined) return [container.entry];
  return planOf(plan, scope).starts;
}

/** The plan of the flow a visit belongs to: the run's own, or an embedded one. */
export const flowOf = (plan: Plan, snapshot: RunSnapshot, visit: { scope: string }): Plan => planOf(plan, scopeOf(snapshot, visit.scope));
