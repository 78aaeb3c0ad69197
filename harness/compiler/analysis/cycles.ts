import { byText, type FlowGraph, type GraphNode } from '../../flow/flow-graph';
import type { FlowEdge } from '../../flow/schema';

export interface Cycles {
  /** Edges that close a cycle, by id: those with a cap of their own on a cycle, and the back edges that are left. */
  loopEdges: ReadonlyMap<string, FlowEdge>;
  /** Loop edges without `maxTraversals`. */
  uncapped: readonly FlowEdge[];
}

/**
 * Which edges close a cycle, whatever the drawing order. An edge with `maxTraversals` on a cycle is taken for its loop edge; what cycles are left
 * without those are closed by the back edges of a depth-first search from the start nodes, then from nodes nothing leads to, then from the
 * rest, each in id order.
 */
export function findCycles(graph: FlowGraph): Cycles {
  const component = components(graph);
  const capped = (edge: FlowEdge): boolean => edge.maxTraversals !== undefined && component.get(edge.source) === component.get(edge.target);
  const search = new Search(graph, capped);
  for (const root of roots(graph, capped)) search.from(root);
  const loopEdges = new Map<string, FlowEdge>();
  for (const edge of search.setAside) if (!search.entered.has(edge.id)) loopEdges.set(edge.id, edge);
  for (const edge of search.back) loopEdges.set(edge.id, edge);
  return { loopEdges, uncapped: [...search.back].sort((a, b) => byText(a.id, b.id)) };
}

function roots(graph: FlowGraph, capped: (edge: FlowEdge) => boolean): string[] {
  const entries = [...graph.nodes.values()];
  const starts = entries.filter(({ role }) => role === 'start');
  const unentered = entries.filter((entry) => entry.role !== 'start' && entry.in.every(capped));
  return [...starts, ...unentered, ...entries].map(({ id }) => id);
}

/** Edges out of a node in an order that does not depend on drawing: by port, then target, then edge id. */
export const orderedOut = (edges: readonly FlowEdge[]): FlowEdge[] =>
  edges.length < 2
    ? [...edges]
    : [...edges].sort((a, b) => byText(a.port ?? '', b.port ?? '') || byText(a.target, b.target) || byText(a.id, b.id));

class Search {
  readonly back: FlowEdge[] = [];
  /** Capped cycle edges met on the way. */
  readonly setAside: FlowEdge[] = [];
  /** Those of them that turned out to be the only way to their target. */
  readonly entered = new Set<string>();
  readonly #state = new Map<string, 'open' | 'done'>();
  readonly #graph: FlowGraph;
  readonly #isSetAside: (edge: FlowEdge) => boolean;

  constructor(graph: FlowGraph, isSetAside: (edge: FlowEdge) => boolean) {
    this.#graph = graph;
    this.#isSetAside = isSetAside;
  }

  from(root: string): void {
    const first = this.setAside.length;
    this.#walk(root);
    for (let index = first; index < this.setAside.length; index++) {
      const edge = this.setAside[index];
      if (!edge || this.#state.has(edge.target)) continue;
      this.entered.add(edge.id);
      this.#walk(edge.target);
    }
  }

  #walk(root: string): void {
    if (this.#state.has(root)) return;
    const stack = [this.#open(root)];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = top.edges[top.next++];
      if (!edge) {
        this.#state.set(top.id, 'done');
        stack.pop();
      } else if (this.#isSetAside(edge)) {
        this.setAside.push(edge);
      } else {
        const seen = this.#state.get(edge.target);
        if (seen === 'open') this.back.push(edge);
        else if (seen === undefined) stack.push(this.#open(edge.target));
      }
    }
  }

  #open(id: string): { id: string; edges: FlowEdge[]; next: number } {
    this.#state.set(id, 'open');
    return { id, edges: orderedOut(this.#graph.nodes.get(id)?.out ?? []), next: 0 };
  }
}

/**
 * Strongly connected components (Tarjan's algorithm with a stack of its own, so that long chains do not overflow), along all edges or along
 * those that `out` gives for a node.
 */
export function components(graph: FlowGraph, out: (entry: GraphNode) => readonly FlowEdge[] = (entry) => entry.out): Map<string, number> {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const component = new Map<string, number>();
  const open: string[] = [];
  let counter = 0;
  let count = 0;
  for (const root of graph.nodes.keys()) {
    if (order.has(root)) continue;
    const stack: { id: string; edges: readonly FlowEdge[]; next: number }[] = [];
    const enter = (id: string) => {
      order.set(id, counter);
      low.set(id, counter++);
      open.push(id);
      const entry = graph.nodes.get(id);
      stack.push({ id, edges: entry ? out(entry) : [], next: 0 });
    };
    enter(root);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = top.edges[top.next++]?.target;
      if (target !== undefined) {
        if (!order.has(target)) enter(target);
        else if (!component.has(target)) low.set(top.id, Math.min(low.get(top.id) ?? 0, order.get(target) ?? 0));
        continue;
      }
      stack.pop();
      const parent = stack.at(-1);
      if (parent) low.set(parent.id, Math.min(low.get(parent.id) ?? 0, low.get(top.id) ?? 0));
      if (low.get(top.id) !== order.get(top.id)) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        component.set(member, count);
        if (member === top.id) break;
      }
      count++;
    }
  }
  return component;
}
