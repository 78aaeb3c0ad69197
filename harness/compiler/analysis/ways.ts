import type { FlowGraph, GraphNode } from '../../flow/flow-graph';
import type { FlowEdge } from '../../flow/schema';
import type { Bodies } from './bodies';

export interface Walk {
  graph: FlowGraph;
  bodies: Bodies;
  /** Nodes that the walk stands on at first, and edges that it takes first. */
  from: { nodes?: readonly string[]; edges?: readonly FlowEdge[] };
  /** False: a token that comes to this node is not followed beyond it. */
  through?: (entry: GraphNode) => boolean;
  /** False: this edge is not taken. */
  along?: (edge: FlowEdge, source: GraphNode) => boolean;
}

/**
 * Every node a token can come to by such ways, with the edge it was first reached by (null where it began, or where a body begins). A
 * disabled node passes tokens on through its first port only, and does not run its body. Linear in nodes and edges.
 */
export function ways({ graph, bodies, from, through, along }: Walk): Map<string, FlowEdge | null> {
  const reached = new Map<string, FlowEdge | null>();
  const stack: GraphNode[] = [];
  const reach = (id: string, by: FlowEdge | null): void => {
    const entry = graph.nodes.get(id);
    if (!entry || reached.has(id)) return;
    reached.set(id, by);
    if (through?.(entry) !== false) stack.push(entry);
  };
  for (const id of from.nodes ?? []) reach(id, null);
  for (const edge of from.edges ?? []) reach(edge.target, edge);
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const source = entry;
    for (const edge of outOf(source)) if (along?.(edge, source) !== false) reach(edge.target, edge);
    if (source.role === 'container' && !source.node.disabled) for (const id of bodies.entries.get(source.id) ?? []) reach(id, null);
  }
  return reached;
}

/** The edges a token can leave by. */
export function outOf(entry: GraphNode): readonly FlowEdge[] {
  if (!entry.node.disabled || entry.ports === null) return entry.out;
  const first = entry.ports[0]?.id;
  return entry.out.filter(({ port }) => port === first);
}

/** Where tokens of the flow begin: its start nodes; in a flow without any, every node that nothing leads to. */
export function beginnings(graph: FlowGraph, bodies: Bodies): string[] {
  const entries = bodies.entries.get(null) ?? [];
  if (entries.length > 0) return [...entries];
  return [...graph.nodes.values()].flatMap(({ id, container, in: incoming }) =>
    container === null && incoming.length === 0 && bodies.reachable.has(id) ? [id] : [],
  );
}
