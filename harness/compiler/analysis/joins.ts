import { errorPort } from '../../contract/node';
import type { FlowGraph, GraphNode } from '../../flow/flow-graph';
import type { Cycles } from './cycles';

export interface Joins {
  /** Fork points that each join closes, in id order. */
  closes: ReadonlyMap<string, readonly string[]>;
  /** Fork points that no join closes. */
  unjoined: readonly string[];
  /** Nodes from which each join can be reached, in id order. */
  reachableFrom: ReadonlyMap<string, readonly string[]>;
}

/** A node whose token can become several: role `fork`, or two edges from one port. */
export function isForkPoint(entry: GraphNode): boolean {
  if (entry.out.length < 2) return false;
  if (entry.role === 'fork') return entry.out.filter(({ port }) => port !== errorPort).length > 1;
  const ports = new Set<string>();
  for (const { port } of entry.out) {
    if (ports.has(port ?? '')) return true;
    ports.add(port ?? '');
  }
  return false;
}

/**
 * Which join closes which fork, by balanced depth: walking from the fork, each further fork point is one level down and each join one
 * level up; a join met at level zero closes it. Loop edges are not followed: they lead back, not on.
 */
export function findJoins(graph: FlowGraph, cycles: Cycles): Joins {
  const joins = [...graph.nodes.values()].filter(({ role }) => role === 'join');
  const closes = new Map<string, string[]>(joins.map(({ id }) => [id, []]));
  const unjoined: string[] = [];
  for (const entry of graph.nodes.values()) {
    if (!isForkPoint(entry)) continue;
    const closing = joinsOf(graph, cycles, entry, joins.length);
    for (const join of closing) closes.get(join)?.push(entry.id);
    if (closing.size === 0) unjoined.push(entry.id);
  }
  const reachableFrom = new Map(joins.map(({ id }) => [id, ancestorsOf(graph, id)]));
  return { closes, unjoined, reachableFrom };
}

function joinsOf(graph: FlowGraph, cycles: Cycles, fork: GraphNode, deepest: number): Set<string> {
  const closing = new Set<string>();
  const seen = new Map<string, Set<number>>();
  const stack: { id: string; depth: number }[] = [];
  const push = (entry: GraphNode, depth: number) => {
    for (const edge of entry.out) if (!cycles.loopEdges.has(edge.id)) stack.push({ id: edge.target, depth });
  };
  push(fork, 0);
  for (let at = stack.pop(); at; at = stack.pop()) {
    const entry = graph.nodes.get(at.id);
    const depths = seen.get(at.id) ?? new Set<number>();
    if (!entry || depths.has(at.depth) || at.depth > deepest) continue;
    seen.set(at.id, depths.add(at.depth));
    let depth = at.depth;
    if (entry.role === 'join') {
      if (depth === 0) {
        closing.add(entry.id);
        continue;
      }
      depth--;
    }
    push(entry, isForkPoint(entry) ? depth + 1 : depth);
  }
  return closing;
}

function ancestorsOf(graph: FlowGraph, join: string): string[] {
  const found = new Set<string>();
  const stack = (graph.nodes.get(join)?.in ?? []).map(({ source }) => source);
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    for (const edge of graph.nodes.get(id)?.in ?? []) stack.push(edge.source);
  }
  return [...found].sort();
}
