import type { FlowGraph, GraphNode } from '../../flow/flow-graph';
import type { Cycles } from './cycles';

export interface Bodies {
  /** Nodes a body can begin at, in id order: its start nodes, or else nodes that no edge leads to but loop edges. Key null is the flow itself. */
  entries: ReadonlyMap<string | null, readonly string[]>;
  /** Nodes that can be reached from the entry of their body. */
  reachable: ReadonlySet<string>;
}

const takesPart = (entry: GraphNode): boolean => entry.role !== 'policy' && entry.role !== 'annotation';

export function findBodies(graph: FlowGraph, cycles: Cycles): Bodies {
  const entries = new Map<string | null, string[]>();
  const reachable = new Set<string>();
  for (const [container, ids] of graph.bodies) {
    const members = ids.flatMap((id) => {
      const entry = graph.nodes.get(id);
      return entry && takesPart(entry) ? [entry] : [];
    });
    const starts = members.filter(({ role }) => role === 'start');
    const unentered = members.filter((entry) => entry.in.every((edge) => cycles.loopEdges.has(edge.id)));
    const found = (container === null || starts.length > 0 ? starts : unentered).map(({ id }) => id);
    entries.set(container, found);
    // a flow without a start is judged from every candidate, so that one fault is not reported as many
    const from = found.length > 0 ? found : unentered.map(({ id }) => id);
    reach(graph, from, reachable);
  }
  return { entries, reachable };
}

function reach(graph: FlowGraph, from: readonly string[], reached: Set<string>): void {
  const stack = [...from];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const edge of graph.nodes.get(id)?.out ?? []) stack.push(edge.target);
  }
}
