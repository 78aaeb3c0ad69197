import type { JsonObject } from '@/harness/contract/json';
import type { AnyManifest } from '@/harness/contract/node';
import type { EdgeShape } from '@/harness/flow/edge-problem';
import type { FlowDocument, FlowEdge, FlowNode } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { cardModelOf } from '../canvas/card-model';
import { indexOf } from './document-index';

const freeId = (taken: ReadonlySet<string>, base: string): string => {
  if (!taken.has(base)) return base;
  let count = 2;
  while (taken.has(`${base}_${count}`)) count += 1;
  return `${base}_${count}`;
};

/** Whether control can get from `from` back to `to`: a new edge to → from would then close a cycle. */
const reaches = (document: FlowDocument, from: string, to: string): boolean => {
  const { outgoing } = indexOf(document);
  const seen = new Set<string>();
  const queue = [from];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    for (const edge of outgoing.get(id) ?? []) queue.push(edge.target);
  }
  return false;
};

export interface NewNode {
  manifest: AnyManifest;
  place: { x: number; y: number };
  parent?: string | null;
}

export function createNode(document: FlowDocument, { manifest, place, parent }: NewNode): { document: FlowDocument; id: string } {
  const { nodes } = indexOf(document);
  const id = freeId(new Set(nodes.keys()), manifest.id.replace(/-/g, '_'));
  const parsed = manifest.config.safeParse({});
  const config: JsonObject = parsed.success ? parsed.data : {};
  const count = document.nodes.filter((node) => node.type === manifest.id).length;
  const node: FlowNode = {
    id,
    type: manifest.id,
    typeVersion: manifest.version,
    label: count === 0 ? manifest.title : `${manifest.title} ${count + 1}`,
    config,
    ...(parent ? { parent } : {}),
  };
  return {
    id,
    document: {
      ...document,
      nodes: [...document.nodes, node],
      layout: { ...document.layout, nodes: { ...document.layout.nodes, [id]: { x: Math.round(place.x), y: Math.round(place.y) } } },
    },
  };
}

export function connectNodes(document: FlowDocument, shape: EdgeShape): FlowDocument {
  const id = freeId(
    new Set(document.edges.map((edge) => edge.id)),
    `${shape.source}_${shape.port ?? 'attach'}_${shape.target}`.slice(0, 200),
  );
  const loop = shape.kind === 'flow' && reaches(document, shape.target, shape.source);
  const edge: FlowEdge = { id, kind: shape.kind, source: shape.source, target: shape.target };
  if (shape.port !== undefined) edge.port = shape.port;
  if (loop) edge.maxTraversals = 25;
  return { ...document, edges: [...document.edges, edge] };
}

export function reconnectEdge(document: FlowDocument, id: string, ends: Pick<FlowEdge, 'source' | 'target' | 'port'>): FlowDocument {
  const edge = indexOf(document).edges.get(id);
  if (!edge || (edge.source === ends.source && edge.target === ends.target && edge.port === ends.port)) return document;
  const without = { ...document, edges: document.edges.filter((other) => other.id !== id) };
  const next: FlowEdge = { ...edge, source: ends.source, target: ends.target };
  if (ends.port !== undefined) next.port = ends.port;
  if (edge.kind === 'flow' && next.maxTraversals === undefined && reaches(without, next.target, next.source)) next.maxTraversals = 25;
  return { ...document, edges: document.edges.map((other) => (other.id === id ? next : other)) };
}

/** Puts a node between the two ends of an edge. */
export function insertOnEdge(document: FlowDocument, edgeId: string, nodeId: string): FlowDocument {
  const { edges, nodes } = indexOf(document);
  const edge = edges.get(edgeId);
  const node = nodes.get(nodeId);
  if (!edge || !node || edge.kind !== 'flow' || edge.source === nodeId || edge.target === nodeId) return document;
  const model = cardModelOf(node, catalogue);
  const port = model.ports[0];
  if (!model.accepts || !port) return document;
  const entered = { ...document, edges: document.edges.map((other) => (other.id === edgeId ? { ...other, target: nodeId } : other)) };
  return connectNodes(entered, { kind: 'flow', source: nodeId, port: port.id, target: edge.target });
}

export interface Placed {
  id: string;
  x: number;
  y: number;
  /** Where it stands from now on; undefined leaves it. */
  parent?: string | null;
}

export function placeNodes(document: FlowDocument, places: readonly Placed[]): FlowDocument {
  if (places.length === 0) return document;
  const layout = { ...document.layout.nodes };
  const parents = new Map<string, string | null>();
  for (const { id, x, y, parent } of places) {
    layout[id] = { ...layout[id], x, y };
    if (parent !== undefined) parents.set(id, parent);
  }
  const nodes = document.nodes.map((node): FlowNode => {
    const parent = parents.get(node.id);
    if (parent === undefined || (node.parent ?? null) === parent) return node;
    const { parent: _left, ...rest } = node;
    return parent === null ? rest : { ...rest, parent };
  });
  const same = nodes.every((node, at) => node === document.nodes[at]);
  return { ...document, nodes: same ? document.nodes : nodes, layout: { ...document.layout, nodes: layout } };
}
