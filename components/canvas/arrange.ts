import { Graph, layout } from '@dagrejs/dagre';
import type { FlowDocument, NodeLayout } from '@/harness/flow/schema';
import { indexOf } from '../editor/document-index';

export interface Box {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Places = Readonly<Record<string, { x: number; y: number; width?: number; height?: number }>>;

export type AlignEdge = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

/** Puts boxes on one line; boxes keep their other coordinate. */
export function align(boxes: readonly Box[], edge: AlignEdge): Places {
  if (boxes.length < 2) return {};
  const left = Math.min(...boxes.map((box) => box.x));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const top = Math.min(...boxes.map((box) => box.y));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  const place = (box: Box): { x: number; y: number } => {
    switch (edge) {
      case 'left':
        return { x: left, y: box.y };
      case 'right':
        return { x: right - box.width, y: box.y };
      case 'center':
        return { x: (left + right - box.width) / 2, y: box.y };
      case 'top':
        return { x: box.x, y: top };
      case 'bottom':
        return { x: box.x, y: bottom - box.height };
      case 'middle':
        return { x: box.x, y: (top + bottom - box.height) / 2 };
    }
  };
  return Object.fromEntries(boxes.map((box) => [box.id, place(box)]));
}

/** Equal gaps between boxes along one axis; the outermost two stay. */
export function distribute(boxes: readonly Box[], axis: 'x' | 'y'): Places {
  if (boxes.length < 3) return {};
  const size = axis === 'x' ? 'width' : 'height';
  const sorted = [...boxes].sort((a, b) => a[axis] - b[axis]);
  const first = sorted[0];
  const last = sorted.at(-1);
  if (!first || !last) return {};
  const span = last[axis] + last[size] - first[axis];
  const gap = (span - sorted.reduce((sum, box) => sum + box[size], 0)) / (sorted.length - 1);
  let at = first[axis];
  return Object.fromEntries(
    sorted.map((box) => {
      const entry = [box.id, axis === 'x' ? { x: at, y: box.y } : { x: box.x, y: at }] as const;
      at += box[size] + gap;
      return entry;
    }),
  );
}

/** How big each node is drawn. */
export type SizeOf = (id: string) => { width: number; height: number };

const inset = { left: 40, top: 64, right: 40, bottom: 56 };
const policyGap = 36;

/**
 * Lays a flow out from left to right, the insides of containers and frames first, which then grow around them. Policies hang below what they guard. With
 * `only`, the other nodes stay where they are and the new ones are put below them.
 */
export function autoLayout(document: FlowDocument, sizeOf: SizeOf, only?: ReadonlySet<string>): Places {
  const { children, attached, nodes } = indexOf(document);
  const places: Record<string, { x: number; y: number; width?: number; height?: number }> = {};
  const sizes = new Map<string, { width: number; height: number }>();
  const size = (id: string): { width: number; height: number } => sizes.get(id) ?? sizeOf(id);
  const policies = new Set<string>();
  for (const edges of attached.values()) for (const edge of edges) if (nodes.has(edge.source)) policies.add(edge.source);

  /** How high a node is with the policies under it. */
  const stack = (id: string, group: ReadonlySet<string>): { width: number; height: number; under: string[] } => {
    const own = size(id);
    const under = (attached.get(id) ?? []).map((edge) => edge.source).filter((policy) => group.has(policy));
    const width = Math.max(own.width, under.reduce((sum, policy) => sum + size(policy).width + 12, 0) - (under.length > 0 ? 12 : 0));
    const height = own.height + (under.length > 0 ? policyGap + Math.max(...under.map((policy) => size(policy).height)) : 0);
    return { width, height, under };
  };

  const arrange = (group: readonly string[], origin: { x: number; y: number }): { width: number; height: number } => {
    const members = new Set(group);
    const graph = new Graph();
    graph.setGraph({ rankdir: 'LR', nodesep: 36, ranksep: 84, marginx: 0, marginy: 0 });
    graph.setDefaultEdgeLabel(() => ({}));
    const placedUnder = new Set<string>();
    const stacks = new Map<string, ReturnType<typeof stack>>();
    for (const id of group) {
      if (policies.has(id)) continue;
      const pile = stack(id, members);
      pile.under = pile.under.filter((policy) => !placedUnder.has(policy));
      for (const policy of pile.under) placedUnder.add(policy);
      stacks.set(id, pile);
      graph.setNode(id, { width: pile.width, height: pile.height });
    }
    for (const id of group) {
      if (!policies.has(id) || placedUnder.has(id)) continue;
      graph.setNode(id, { ...size(id) });
    }
    for (const edge of document.edges) {
      if (edge.kind !== 'flow' || edge.maxTraversals !== undefined) continue;
      if (graph.hasNode(edge.source) && graph.hasNode(edge.target) && edge.source !== edge.target) graph.setEdge(edge.source, edge.target);
    }
    layout(graph);
    let width = 0;
    let height = 0;
    for (const id of graph.nodes()) {
      const at = graph.node(id);
      const own = size(id);
      const pile = stacks.get(id);
      // dagre answers centres; a pile is placed by its top left.
      const x = Math.round(origin.x + at.x - at.width / 2);
      const y = Math.round(origin.y + at.y - at.height / 2);
      places[id] = { ...places[id], x, y };
      let policyX = x;
      for (const policy of pile?.under ?? []) {
        places[policy] = { ...places[policy], x: policyX, y: y + own.height + policyGap };
        policyX += size(policy).width + 12;
      }
      width = Math.max(width, x - origin.x + at.width);
      height = Math.max(height, y - origin.y + at.height);
    }
    return { width, height };
  };

  const grow = (id: string, seen: ReadonlySet<string>): void => {
    const body = (children.get(id) ?? []).map((node) => node.id).filter((child) => !seen.has(child));
    if (body.length === 0) return;
    const inside = new Set([...seen, id]);
    for (const child of body) grow(child, inside);
    const content = arrange(body, { x: inset.left, y: inset.top });
    const grown = { width: content.width + inset.left + inset.right, height: content.height + inset.top + inset.bottom };
    const least = sizeOf(id);
    sizes.set(id, { width: Math.max(grown.width, 300), height: Math.max(grown.height, Math.min(least.height, 160)) });
    places[id] = { x: 0, y: 0, ...sizes.get(id) };
  };

  const top = document.nodes.filter((node) => node.parent === undefined || !nodes.has(node.parent)).map((node) => node.id);
  if (only) {
    const fresh = top.filter((id) => only.has(id));
    const settled = top.filter((id) => !only.has(id)).map((id) => ({ at: document.layout.nodes[id], ...sizeOf(id) }));
    const bottom = settled.reduce((low, box) => Math.max(low, (box.at?.y ?? 0) + box.height), 0);
    const left = settled.reduce((low, box) => Math.min(low, box.at?.x ?? 0), settled.length > 0 ? Number.MAX_SAFE_INTEGER : 0);
    for (const id of fresh) grow(id, new Set());
    arrange(fresh, { x: Number.isFinite(left) ? left : 0, y: settled.length > 0 ? bottom + 80 : 0 });
  } else {
    for (const id of top) grow(id, new Set());
    arrange(top, { x: 0, y: 0 });
  }
  return places;
}

/** Writes places into a layout; sizes only where one is given. */
export function withPlaces(document: FlowDocument, places: Places): FlowDocument {
  const entries = Object.entries(places);
  if (entries.length === 0) return document;
  const nodes: Record<string, NodeLayout> = { ...document.layout.nodes };
  for (const [id, place] of entries) nodes[id] = { ...nodes[id], ...place };
  return { ...document, layout: { ...document.layout, nodes } };
}
