import type { Plan } from '../compiler/plan';
import type { TraceEventOf } from '../trace/events';
import { channelsAt } from './branches';
import { visitOf } from './fold-effects';
import { nodeAt, scopeOf, targetByEdge } from './plan-lookup';
import type { RunSnapshot, Token, Visit } from './snapshot';
import { rootScope } from './snapshot';

/* How the branches of a dispatch change a snapshot; part of `apply.ts`. */

/** The visit ends right after: each branch begins with the channels and outputs as they are, and walks on by itself. */
export function branchesOpen(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'branches-open'>): void {
  const visit = visitOf(snapshot, event);
  const outer = scopeOf(snapshot, visit.scope);
  const node = nodeAt(plan, outer, visit.node);
  const channels = channelsAt(snapshot, outer.id);
  const before = snapshot.tokens[visit.token]?.forks ?? [];
  event.branches.forEach(({ scope: id, edges, output }, index) => {
    const traversals = { ...outer.traversals };
    for (const edge of edges) traversals[edge] = (traversals[edge] ?? 0) + 1;
    snapshot.scopes[id] = {
      id,
      plan: outer.plan,
      parent: outer.parent,
      index,
      input: outer.input,
      state: 'running',
      outputs: { ...outer.outputs, [node.id]: output },
      traversals,
      result: { output: null, final: false },
      branch: { of: outer.id, group: visit.id, channels: { ...channels }, touched: [], ran: [node.id], forks: before, received: null },
    };
    const forks = edges.length > 1 ? [openFork(snapshot, node.id)] : [];
    for (const edge of edges) {
      snapshot.counters.token += 1;
      const token = `t${snapshot.counters.token}`;
      const target = targetByEdge(node, edge);
      snapshot.tokens[token] = {
        id: token,
        scope: id,
        node: target.node,
        via: edge,
        from: node.id,
        state: 'arriving',
        forks,
        sender: visit.id,
      };
    }
  });
  snapshot.counters.scope += event.branches.length;
}

function openFork(snapshot: RunSnapshot, node: string): string {
  snapshot.counters.fork += 1;
  const id = `f${snapshot.counters.fork}`;
  snapshot.forks[id] = { id, node, closed: [] };
  return id;
}

/** A merging node takes the branches in: their tokens become one in the scope they came from, which sees what their nodes put out. */
export function takeBranches(snapshot: RunSnapshot, event: TraceEventOf<'visit-start'>): void {
  const node = event.nodeId ?? '';
  const outer = scopeOf(snapshot, event.scope ?? rootScope);
  let last: Token | undefined;
  for (const id of event.merged ?? []) {
    const scope = scopeOf(snapshot, id);
    for (const token of Object.values(snapshot.tokens)) {
      if (token.scope !== id || token.node !== node) continue;
      if (scope.branch && token.from !== null) scope.branch.received = scope.outputs[token.from] ?? null;
      last = token;
      delete snapshot.tokens[token.id];
    }
    for (const ran of scope.branch?.ran ?? []) outer.outputs[ran] = scope.outputs[ran] ?? null;
    for (const [edge, count] of Object.entries(scope.traversals)) outer.traversals[edge] = Math.max(outer.traversals[edge] ?? 0, count);
  }
  snapshot.counters.token += 1;
  snapshot.tokens[event.token] = {
    id: event.token,
    scope: outer.id,
    node,
    via: event.via,
    from: last?.from ?? null,
    state: 'visiting',
    visit: event.visit ?? '',
    forks: event.forks ?? [],
    sender: null,
  };
}

/** The branches are kept until the merge is done, so that a killed merge finds them again. */
export function dropBranches(snapshot: RunSnapshot, visit: Visit): void {
  for (const id of visit.merged ?? []) delete snapshot.scopes[id];
}
