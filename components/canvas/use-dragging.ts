'use client';

import type { NodeChange, OnNodeDrag } from '@xyflow/react';
import { useMemo } from 'react';
import { indexOf } from '../editor/document-index';
import { insertOnEdge, placeNodes } from '../editor/flow-edits';
import type { EditorStore } from '../editor/store';
import { fromCanvasId } from './canvas-id';
import type { CanvasModelStore } from './canvas-model';
import type { CanvasUiStore } from './canvas-ui';
import { snapToNeighbours } from './guides';
import { absoluteOf, type Instance, parentAt, rectOfInternal } from './places';
import type { CanvasNode } from './projection';

export interface DraggingHandlers {
  /** Adjusts positions of a drag under way so that cards catch on their neighbours' lines. */
  snap(changes: NodeChange<CanvasNode>[]): NodeChange<CanvasNode>[];
  onNodeDragStart: OnNodeDrag<CanvasNode>;
  onNodeDrag: OnNodeDrag<CanvasNode>;
  onNodeDragStop: OnNodeDrag<CanvasNode>;
}

const catchWithin = 5;

const edgeUnder = (event: MouseEvent | TouchEvent): string | null => {
  const point = 'clientX' in event ? event : event.changedTouches[0];
  if (!point) return null;
  for (const element of document.elementsFromPoint(point.clientX, point.clientY)) {
    const id = element.closest<SVGElement>('.react-flow__edge')?.dataset.id;
    if (id !== undefined) return fromCanvasId(id);
  }
  return null;
};

interface Parts {
  editor: EditorStore;
  ui: CanvasUiStore;
  model: CanvasModelStore;
  flow: Instance;
}

/** Dragging nodes: one undo step, into and out of containers, onto edges, along helper lines. */
export function useDragging({ editor, ui, model, flow }: Parts): DraggingHandlers {
  return useMemo(() => {
    /** A node with no edges may be dropped on an edge to stand in it. */
    const insertable = (id: string): boolean => {
      const { document } = editor.getState();
      return !document.edges.some((edge) => edge.source === id || edge.target === id);
    };
    const centreOf = (node: CanvasNode): { x: number; y: number } | null => {
      const internal = flow.getInternalNode(node.id);
      if (!internal) return null;
      const rect = rectOfInternal(internal);
      return { x: rect.x + rect.width / 2, y: rect.y + Math.min(rect.height / 2, 40) };
    };
    const targetOf = (node: CanvasNode, moved: readonly CanvasNode[]): string | null => {
      const centre = centreOf(node);
      return centre
        ? parentAt(
            editor.getState().document,
            centre,
            moved.map((entry) => fromCanvasId(entry.id)),
          )
        : null;
    };
    return {
      snap(changes) {
        const moves = changes.filter((change) => change.type === 'position' && change.dragging === true);
        const only = moves.length === 1 ? moves[0] : undefined;
        if (only?.type !== 'position' || !only.position) return changes;
        const internal = flow.getInternalNode(only.id);
        if (!internal) return changes;
        const own = rectOfInternal(internal);
        const shift = { x: own.x - internal.position.x, y: own.y - internal.position.y };
        const box = { ...own, x: only.position.x + shift.x, y: only.position.y + shift.y };
        const zoom = flow.getZoom();
        const neighbours = model
          .getState()
          .nodes.filter((node) => node.id !== only.id && node.parentId === internal.parentId && !node.hidden && node.type !== 'ghost')
          .map((node) => flow.getInternalNode(node.id))
          .filter((node) => node !== undefined)
          .map(rectOfInternal)
          .filter((rect) => Math.abs(rect.x - box.x) < 1600 && Math.abs(rect.y - box.y) < 1200);
        const snapped = snapToNeighbours(box, neighbours, catchWithin / zoom);
        ui.setState({ guides: { x: snapped.guideX, y: snapped.guideY } });
        const position = { x: snapped.x - shift.x, y: snapped.y - shift.y };
        return changes.map((change) => (change === only ? { ...only, position } : change));
      },
      onNodeDragStart: () => {
        editor.getState().endBurst();
        ui.setState({ picker: null, menu: null });
      },
      onNodeDrag: (event, node, moved) => {
        const parent = targetOf(node, moved);
        const id = fromCanvasId(node.id);
        const current = indexOf(editor.getState().document).nodes.get(id)?.parent ?? null;
        const dropTarget = parent === current ? null : parent;
        const dropEdge = moved.length === 1 && insertable(id) ? edgeUnder(event) : null;
        const now = ui.getState();
        if (now.dropTarget !== dropTarget || now.dropEdge !== dropEdge) ui.setState({ dropTarget, dropEdge });
      },
      onNodeDragStop: (event, node, moved) => {
        ui.setState({ dropTarget: null, dropEdge: null, guides: { x: null, y: null } });
        const id = fromCanvasId(node.id);
        const parent = targetOf(node, moved);
        const edge = moved.length === 1 && insertable(id) ? edgeUnder(event) : null;
        const { document } = editor.getState();
        const index = indexOf(document);
        const movedIds = new Set(moved.map((entry) => fromCanvasId(entry.id)));
        const places = moved.flatMap((entry) => {
          const entryId = fromCanvasId(entry.id);
          const own = index.nodes.get(entryId);
          const internal = flow.getInternalNode(entry.id);
          if (!own || !internal) return [];
          // What is carried along by its parent keeps its place inside it.
          if (own.parent !== undefined && movedIds.has(own.parent)) return [];
          const origin = parent === null ? { x: 0, y: 0 } : absoluteOf(document, parent);
          const { x, y } = internal.internals.positionAbsolute;
          return [{ id: entryId, x: Math.round(x - origin.x), y: Math.round(y - origin.y), parent }];
        });
        editor.getState().edit(moved.length === 1 ? 'Move node' : `Move ${moved.length} nodes`, (current) => {
          const placed = placeNodes(current, places);
          return edge === null ? placed : insertOnEdge(placed, edge, id);
        });
      },
    };
  }, [editor, ui, model, flow]);
}
