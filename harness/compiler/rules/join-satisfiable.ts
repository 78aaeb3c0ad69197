import type { FlowGraph, GraphNode } from '../../flow/flow-graph';
import type { FlowDocument } from '../../flow/schema';
import { nameOf, type Rule, type RuleContext } from '../context';
import type { Diagnostic } from '../diagnostic';

/** A join that waits for more than can come, or that has nothing to bring together. */
export const joinSatisfiable: Rule = (context) =>
  [...context.graph.nodes.values()].flatMap((entry): Diagnostic[] => {
    if (entry.role !== 'join' || entry.in.length === 0 || !context.bodies.reachable.has(entry.id)) return [];
    const forks = context.joins.closes.get(entry.id) ?? [];
    const branches = forks.length === 0 ? 1 : Math.max(...forks.map((fork) => branchesTo(context, fork, entry)));
    const { mode, count } = entry.config;
    if (mode === 'n' && typeof count === 'number' && count > branches) return [tooMany(entry, count, branches)];
    if (forks.length > 0 && branches > 1) return [];
    if (forks.length === 0 && entry.in.length > 1) {
      return [
        {
          code: 'JOIN_WITHOUT_FORK',
          severity: 'info',
          nodeId: entry.id,
          message: `${nameOf(entry)} brings no fork together: only one of the ways to it is ever taken, and each token passes at once.`,
        },
      ];
    }
    return [
      {
        code: 'JOIN_SINGLE_BRANCH',
        severity: 'warning',
        nodeId: entry.id,
        message: `Only one branch leads to ${nameOf(entry)}, so there is nothing to join. Connect the other branches or delete it.`,
      },
    ];
  });

function tooMany(entry: GraphNode, count: number, branches: number): Diagnostic {
  const setCount = (document: FlowDocument): FlowDocument => ({
    ...document,
    nodes: document.nodes.map((node) => (node.id === entry.id ? { ...node, config: { ...node.config, count: branches } } : node)),
  });
  return {
    code: 'JOIN_NEVER_SATISFIED',
    severity: 'error',
    nodeId: entry.id,
    path: 'count',
    message: `${nameOf(entry)} waits for ${count} branches, but at most ${branches} can come.`,
    fix: { title: `Wait for ${branches}`, apply: setCount },
  };
}

/** How many branches of the fork can come to the join. */
const branchesTo = ({ graph, cycles }: RuleContext, fork: string, join: GraphNode): number =>
  (graph.nodes.get(fork)?.out ?? []).filter((edge) => !cycles.loopEdges.has(edge.id) && leadsTo(graph, edge.target, join.id)).length;

function leadsTo(graph: FlowGraph, from: string, to: string): boolean {
  const seen = new Set<string>();
  const stack = [from];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    for (const edge of graph.nodes.get(id)?.out ?? []) stack.push(edge.target);
  }
  return false;
}
