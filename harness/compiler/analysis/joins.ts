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
  const walker = new Walker(graph, cycles);
  const closes = new Map<string, string[]>(walker.joins.map((at) => [walker.ids[at] ?? '', []]));
  const unjoined: string[] = [];
  for (const fork of walker.forks) {
    const id = walker.ids[fork] ?? '';
    const closing = walker.joinsClosing(fork);
    for (const join of closing) closes.get(walker.ids[join] ?? '')?.push(id);
    if (closing.size === 0) unjoined.push(id);
  }
  const reachableFrom = new Map(walker.joins.map((at) => [walker.ids[at] ?? '', walker.ancestors(at)]));
  return { closes, unjoined, reachableFrom };
}

/** The graph with numbers for nodes, in id order: a flow of a thousand nodes may have hundreds of forks to walk from. */
class Walker {
  readonly ids: string[];
  readonly joins: number[] = [];
  readonly forks: number[] = [];
  /** Targets without loop edges, and sources with them. */
  readonly #out: number[][] = [];
  readonly #in: number[][] = [];
  readonly #isJoin: boolean[] = [];
  readonly #isFork: boolean[] = [];

  constructor(graph: FlowGraph, cycles: Cycles) {
    this.ids = [...graph.nodes.keys()];
    const place = new Map(this.ids.map((id, index) => [id, index]));
    const at = (id: string): number => place.get(id) ?? 0;
    for (const [index, entry] of [...graph.nodes.values()].entries()) {
      this.#out.push(entry.out.filter(({ id }) => !cycles.loopEdges.has(id)).map(({ target }) => at(target)));
      this.#in.push(entry.in.map(({ source }) => at(source)));
      this.#isJoin.push(entry.role === 'join');
      this.#isFork.push(isForkPoint(entry));
      if (this.#isJoin[index]) this.joins.push(index);
      if (this.#isFork[index]) this.forks.push(index);
    }
  }

  joinsClosing(fork: number): Set<number> {
    const closing = new Set<number>();
    const deepest = this.joins.length;
    // one number per node and depth
    const width = deepest + 1;
    const seen = new Set<number>();
    const stack: number[] = (this.#out[fork] ?? []).map((target) => target * width);
    for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      const at = Math.floor(state / width);
      let depth = state % width;
      if (this.#isJoin[at]) {
        if (depth === 0) {
          closing.add(at);
          continue;
        }
        depth--;
      }
      if (this.#isFork[at]) depth++;
      if (depth <= deepest) for (const target of this.#out[at] ?? []) stack.push(target * width + depth);
    }
    return closing;
  }

  ancestors(join: number): string[] {
    const seen = new Uint8Array(this.ids.length);
    const stack = [...(this.#in[join] ?? [])];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen[at]) continue;
      seen[at] = 1;
      for (const source of this.#in[at] ?? []) if (!seen[source]) stack.push(source);
    }
    return this.ids.filter((_, index) => seen[index] === 1);
  }
}
