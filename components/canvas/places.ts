import type { InternalNode, ReactFlowInstance } from '@xyflow/react';
import type { FlowDocument } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { descendantsOf, indexOf } from '../editor/document-index';
import { cardModelOf } from './card-model';
import { geometryOf } from './geometry';
import type { Rect } from './guides';
import type { CanvasEdge, CanvasNode } from './projection';

export type Instance = ReactFlowInstance<CanvasNode, CanvasEdge>;

/** Size a node is drawn at, from the document alone. */
export function sizeOfNode(document: FlowDocument, id: string, footer = false): { width: number; height: number } {
  const node = indexOf(document).nodes.get(id);
  if (!node) return { width: 0, height: 0 };
  const model = cardModelOf(node, catalogue);
  const { width, height } = geometryOf({ model, ports: model.ports, layout: document.layout.nodes[id], footer, accepts: model.accepts });
  return { width, height };
}

/** Top left of a node in flow coordinates; layout positions are relative to the parent. */
export function absoluteOf(document: FlowDocument, id: string): { x: number; y: number } {
  const { nodes } = indexOf(document);
  const place = { x: 0, y: 0 };
  const seen = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = nodes.get(at)?.parent) {
    seen.add(at);
    const own = document.layout.nodes[at];
    place.x += own?.x ?? 0;
    place.y += own?.y ?? 0;
  }
  return place;
}

export const rectOf = (document: FlowDocument, id: string): Rect => ({ ...absoluteOf(document, id), ...sizeOfNode(document, id) });

/** The smallest open container or frame around a point that may take these nodes; null is the canvas itself. */
export function parentAt(document: FlowDocument, point: { x: number; y: number }, moved: readonly string[] = []): string | null {
  const barred = new Set(moved.flatMap((id) => [id, ...descendantsOf(document, id)]));
  let best: { id: string; area: number } | null = null;
  for (const node of document.nodes) {
    const { kind } = cardModelOf(node, catalogue);
    if ((kind !== 'container' && kind !== 'frame') || barred.has(node.id) || document.layout.nodes[node.id]?.collapsed) continue;
    const rect = rectOf(document, node.id);
    if (point.x < rect.x || point.y < rect.y || point.x > rect.x + rect.width || point.y > rect.y + rect.height) continue;
    const area = rect.width * rect.height;
    if (!best || area < best.area) best = { id: node.id, area };
  }
  return best?.id ?? null;
}

export const rectOfInternal = (node: InternalNode<CanvasNode>): Rect => ({
  ...node.internals.positionAbsolute,
  width: node.measured.width ?? node.width ?? 0,
  height: node.measured.height ?? node.height ?? 0,
});

/** A place for a new node that covers no other: from `wanted` downwards. */
export function freePlace(
  document: FlowDocument,
  wanted: { x: number; y: number },
  size: { width: number; height: number },
): { x: number; y: number } {
  const solid = document.nodes
    .filter((node) => !['container', 'frame'].includes(cardModelOf(node, catalogue).kind))
    .map((node) => rectOf(document, node.id));
  const place = { ...wanted };
  const gap = 16;
  for (let tries = 0; tries < 60; tries += 1) {
    const hit = solid.find(
      (rect) =>
        place.x < rect.x + rect.width + gap &&
        rect.x < place.x + size.width + gap &&
        place.y < rect.y + rect.height + gap &&
        rect.y < place.y + size.height + gap,
    );
    if (!hit) return place;
    place.y = hit.y + hit.height + gap * 2;
  }
  return place;
}
