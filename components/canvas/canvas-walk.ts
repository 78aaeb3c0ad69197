import type { KeyboardEvent } from 'react';
import { indexOf } from '../editor/document-index';
import type { EditorStore } from '../editor/store';
import { fromCanvasId, toCanvasId } from './canvas-id';
import { arrowStep, focusOrder, type Stop } from './focus-order';
import type { Instance } from './places';

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
