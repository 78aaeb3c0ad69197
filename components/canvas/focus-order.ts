import type { FlowDocument } from '@/harness/flow/schema';
import { indexOf } from '../editor/document-index';
import { flowOrder } from './flow-order';

/** One stop of the focus: a node, or an edge that leaves it. */
export interface Stop {
  kind: 'node' | 'edge';
  id: string;
}

/** The order Tab goes in: nodes along the flow, each followed by the edges that leave it (BR-76). */
export function focusOrder(document: FlowDocument): Stop[] {
  const { outgoing } = indexOf(document);
  const collapsed = new Set(document.nodes.filter((node) => document.layout.nodes[node.id]?.collapsed).map((node) => node.id));
  const hidden = (parent: string | undefined): boolean => parent !== undefined && collapsed.has(parent);
  return flowOrder(document)
    .filter((node) => !hidden(node.parent))
    .flatMap((node): Stop[] => [
      { kind: 'node', id: node.id },
      ...(outgoing.get(node.id) ?? []).map((edge): Stop => ({ kind: 'edge', id: edge.id })),
    ]);
}

/** Where an arrow key leads from a stop: along the edges, and between the branches of a node. */
export function arrowStep(document: FlowDocument, from: Stop, key: string): Stop | null {
  const { nodes, edges, outgoing, incoming } = indexOf(document);
  const edge = from.kind === 'edge' ? edges.get(from.id) : undefined;
  if (from.kind === 'edge') {
    if (!edge) return null;
    if (key === 'ArrowRight') return nodes.has(edge.target) ? { kind: 'node', id: edge.target } : null;
    if (key === 'ArrowLeft') return nodes.has(edge.source) ? { kind: 'node', id: edge.source } : null;
    const siblings = outgoing.get(edge.source) ?? [];
    const next = siblings[siblings.indexOf(edge) + (key === 'ArrowDown' ? 1 : -1)];
    return next ? { kind: 'edge', id: next.id } : null;
  }
  if (key === 'ArrowRight') {
    const next = outgoing.get(from.id)?.[0];
    return next ? { kind: 'edge', id: next.id } : null;
  }
  if (key === 'ArrowLeft') {
    const last = incoming.get(from.id)?.[0];
    return last ? { kind: 'edge', id: last.id } : null;
  }
  const order = focusOrder(document).filter((stop) => stop.kind === 'node');
  const at = order.findIndex((stop) => stop.id === from.id);
  return order[at + (key === 'ArrowDown' ? 1 : -1)] ?? null;
}
