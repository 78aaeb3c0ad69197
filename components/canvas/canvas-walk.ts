import type { KeyboardEvent } from 'react';
import type { FlowDocument } from '@/harness/flow/schema';
import { indexOf } from '../editor/document-index';
import type { EditorStore } from '../editor/store';
import { fromCanvasId, toCanvasId } from './canvas-id';
import { flowOrder } from './flow-order';
import type { Instance } from './places';

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

export interface WalkParts {
  editor: EditorStore;
  host: HTMLElement | null;
  flow: Instance;
  open?: ((id: string) => void) | undefined;
}

const stopOf = (element: EventTarget | null): Stop | null => {
  if (!(element instanceof Element)) return null;
  const id = element.getAttribute('data-id');
  if (id === null) return null;
  if (element.classList.contains('react-flow__node')) return { kind: 'node', id: fromCanvasId(id) };
  return element.classList.contains('react-flow__edge') ? { kind: 'edge', id: fromCanvasId(id) } : null;
};

const elementOf = (host: HTMLElement, stop: Stop): Element | null => {
  const id = toCanvasId(stop.id);
  for (const element of host.querySelectorAll(stop.kind === 'node' ? '.react-flow__node' : '.react-flow__edge')) {
    if (element.getAttribute('data-id') === id) return element;
  }
  return null;
};

/** Moves the focus to a stop, bringing it into view first: what is out of sight is not in the page. */
function focusStop(parts: WalkParts, stop: Stop): void {
  const { host, flow, editor } = parts;
  if (!host) return;
  const focus = (): boolean => {
    const element = elementOf(host, stop);
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return false;
    element.focus({ preventScroll: true });
    return true;
  };
  const node = stop.kind === 'node' ? stop.id : indexOf(editor.getState().document).edges.get(stop.id)?.source;
  const rect = node === undefined ? undefined : flow.getNodesBounds([toCanvasId(node)]);
  const corner = rect ? flow.flowToScreenPosition({ x: rect.x, y: rect.y }) : null;
  const far = rect ? flow.flowToScreenPosition({ x: rect.x + rect.width, y: rect.y + rect.height }) : null;
  const view = host.getBoundingClientRect();
  const inView = corner && far && corner.x >= view.left && corner.y >= view.top && far.x <= view.right && far.y <= view.bottom;
  if (inView && focus()) return;
  if (rect) void flow.setCenter(rect.x + rect.width / 2, rect.y + rect.height / 2, { zoom: flow.getZoom() });
  let tries = 0;
  const later = (): void => {
    tries += 1;
    if (!focus() && tries < 20) requestAnimationFrame(later);
  };
  requestAnimationFrame(later);
}

const arrows = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']);

/**
 * Keyboard on the drawing: Tab in flow order, arrows along edges, Enter opens, Escape lets go. Arrows with something selected are left to the nudging
 * command.
 */
export function walkCanvas(event: KeyboardEvent, parts: WalkParts): void {
  const stop = stopOf(event.target);
  if (!stop || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const { editor } = parts;
  const { document, selection } = editor.getState();
  if (event.key === 'Tab') {
    const order = focusOrder(document);
    const at = order.findIndex((candidate) => candidate.kind === stop.kind && candidate.id === stop.id);
    const next = order[at + (event.shiftKey ? -1 : 1)];
    if (at < 0 || !next) return;
    event.preventDefault();
    focusStop(parts, next);
    return;
  }
  const selected = selection.nodes.length + selection.edges.length > 0;
  if (arrows.has(event.key) && !selected) {
    const next = arrowStep(document, stop, event.key);
    event.preventDefault();
    event.stopPropagation();
    if (next) focusStop(parts, next);
    return;
  }
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    event.stopPropagation();
    editor.getState().select(stop.kind === 'node' ? { nodes: [stop.id], edges: [] } : { nodes: [], edges: [stop.id] });
    if (event.key === 'Enter') parts.open?.(stop.id);
  }
}
