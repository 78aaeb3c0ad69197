import { isJsonObject, type JsonObject } from '../../contract/json';
import { errorPort } from '../../contract/node';
import type { FlowGraph, GraphNode } from '../../flow/flow-graph';
import type { FlowEdge } from '../../flow/schema';
import type { Bodies } from './bodies';
import type { Cycles } from './cycles';
import type { Joins } from './joins';

/** A set of the nodes that somebody refers to, one bit each. */
type Bits = Uint32Array;

export interface MustRun {
  /** True when every way to `at` has visited `node` before. Only answered for the nodes it was asked to follow. */
  before(node: string, at: string): boolean;
}

interface Analysis {
  graph: FlowGraph;
  cycles: Cycles;
  bodies: Bodies;
  joins: Joins;
}

/**
 * What must have run before what: dominance, with one addition. At a join for all branches, what ran for certain in any branch has run, unless that
 * branch may end on its way. A container's nodes know what ran before the container.
 */
export function findMustRun(analysis: Analysis, followed: readonly string[]): MustRun {
  const place = new Map(followed.map((id, index) => [id, index]));
  const flow = new Flow(analysis, place);
  flow.run();
  return {
    before: (node, at) => {
      const index = place.get(node);
      const bits = flow.incoming(at);
      return index !== undefined && bits !== null && hasBit(bits, index);
    },
  };
}

const hasBit = (bits: Bits, index: number): boolean => (((bits[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;

class Flow {
  readonly #analysis: Analysis;
  readonly #place: ReadonlyMap<string, number>;
  readonly #words: number;
  readonly #in = new Map<string, Bits>();
  readonly #out = new Map<string, Bits>();

  constructor(analysis: Analysis, place: ReadonlyMap<string, number>) {
    this.#analysis = analysis;
    this.#place = place;
    this.#words = (place.size >>> 5) + 1;
  }

  incoming = (id: string): Bits | null => this.#in.get(id) ?? null;

  run(): void {
    if (this.#place.size === 0) return;
    // outer bodies first: what is inside begins with what ran before its container
    const containers = [...this.#analysis.bodies.entries.keys()].sort((a, b) => this.#depth(a) - this.#depth(b));
    for (const container of containers) this.#body(container);
  }

  #depth(container: string | null): number {
    let depth = 0;
    for (let at = container; at !== null; at = this.#analysis.graph.nodes.get(at)?.container ?? null) depth++;
    return depth;
  }

  #body(container: string | null): void {
    const { graph, bodies } = this.#analysis;
    const around = container === null ? null : this.#in.get(container);
    const atEntry = around ?? new Uint32Array(this.#words);
    const entries = new Set(bodies.entries.get(container) ?? []);
    const order = postorder(graph, [...entries]).reverse();
    for (let changed = true; changed; ) {
      changed = false;
      for (const id of order) {
        const entry = graph.nodes.get(id);
        if (!entry) continue;
        const incoming = entries.has(id) ? atEntry : this.#meet(entry);
        if (incoming === null) continue;
        const before = this.#in.get(id);
        if (before && sameBits(before, incoming)) continue;
        this.#in.set(id, incoming);
        this.#out.set(id, this.#after(id, incoming));
        changed = true;
      }
    }
  }

  #after(id: string, incoming: Bits): Bits {
    const index = this.#place.get(id);
    if (index === undefined) return incoming;
    const bits = incoming.slice();
    bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31));
    return bits;
  }

  #meet(entry: GraphNode): Bits | null {
    const plain = this.#common(entry.in);
    if (plain === null || !waitsForAll(entry)) return plain;
    let joined: Bits | null = null;
    for (const fork of this.#analysis.joins.closes.get(entry.id) ?? []) {
      const gathered = this.#gathered(entry, fork, plain);
      joined = joined ? intersect(joined, gathered) : gathered;
    }
    return joined ?? plain;
  }

  /** What has run when every branch of this fork that leads to the join is resolved. */
  #gathered(join: GraphNode, fork: string, base: Bits): Bits {
    const gathered = base.slice();
    for (const branch of this.#branches(join, fork)) {
      const common = this.#common(branch);
      if (common) for (let word = 0; word < gathered.length; word++) gathered[word] = (gathered[word] ?? 0) | (common[word] ?? 0);
    }
    return gathered;
  }

  readonly #branchCache = new Map<string, FlowEdge[][]>();

  /** For each branch of the fork that must reach the join: the edges by which it may arrive. */
  #branches(join: GraphNode, fork: string): FlowEdge[][] {
    const key = `${join.id}\0${fork}`;
    const known = this.#branchCache.get(key);
    if (known) return known;
    const entry = this.#analysis.graph.nodes.get(fork);
    const found = (entry?.out ?? []).filter((edge) => entry && !isConditional(entry, edge)).map((edge) => this.#arrivals(join, edge));
    this.#branchCache.set(key, found);
    return found;
  }

  #arrivals(join: GraphNode, from: FlowEdge): FlowEdge[] {
    const { graph, cycles } = this.#analysis;
    const arrivals: FlowEdge[] = [];
    const seen = new Set<string>();
    const stack = [from];
    for (let edge = stack.pop(); edge; edge = stack.pop()) {
      if (edge.target === join.id) {
        arrivals.push(edge);
        continue;
      }
      const entry = graph.nodes.get(edge.target);
      if (!entry || seen.has(edge.target)) continue;
      seen.add(edge.target);
      if (mayEnd(entry)) return [];
      for (const next of entry.out) if (!cycles.loopEdges.has(next.id)) stack.push(next);
    }
    return arrivals;
  }

  /** What has run whichever of these edges is taken; null while none of them is known. */
  #common(edges: readonly FlowEdge[]): Bits | null {
    let common: Bits | null = null;
    for (const { source } of edges) {
      const bits = this.#out.get(source);
      if (bits) common = common ? intersect(common, bits) : bits;
    }
    return common;
  }
}

const waitsForAll = (entry: GraphNode): boolean => entry.role === 'join' && entry.config.mode !== 'any' && entry.config.mode !== 'n';

/** A token may end at a node that is an end, or that has a port (other than for failures) with no edge. */
function mayEnd(entry: GraphNode): boolean {
  if (entry.role === 'end' || entry.out.length === 0) return true;
  const left = new Set(entry.out.map(({ port }) => port));
  return (entry.ports ?? []).some(({ id }) => id !== errorPort && !left.has(id));
}

/**
 * A branch that need not be started: by way of a failure, from another port than its siblings, or with a condition of its own (a config row of
 * the port's id with a `when`).
 */
function isConditional(fork: GraphNode, edge: FlowEdge): boolean {
  if (edge.port === errorPort) return true;
  if (fork.role !== 'fork') return fork.out.some(({ port }) => port !== edge.port && port !== errorPort);
  return Object.values(fork.config).some((rows) => Array.isArray(rows) && rows.some((row) => isJsonObject(row) && hasCondition(row, edge)));
}

const hasCondition = (row: JsonObject, edge: FlowEdge): boolean =>
  row.id === edge.port && typeof row.when === 'string' && row.when.trim() !== '';

function intersect(a: Bits, b: Bits): Bits {
  const bits = new Uint32Array(a.length);
  for (let word = 0; word < a.length; word++) bits[word] = (a[word] ?? 0) & (b[word] ?? 0);
  return bits;
}

const sameBits = (a: Bits, b: Bits): boolean => a.every((word, index) => word === b[index]);

function postorder(graph: FlowGraph, roots: readonly string[]): string[] {
  const order: string[] = [];
  const seen = new Set<string>();
  for (const root of roots) {
    if (seen.has(root)) continue;
    seen.add(root);
    const stack = [{ id: root, next: 0 }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = graph.nodes.get(top.id)?.out[top.next++]?.target;
      if (target === undefined) {
        order.push(top.id);
        stack.pop();
      } else if (!seen.has(target)) {
        seen.add(target);
        stack.push({ id: target, next: 0 });
      }
    }
  }
  return order;
}
