import { applyEdgeChanges, applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { catalogue } from '@/nodes/catalog';
import type { EditorStore, Selection } from '../editor/store';
import { fromCanvasId } from './canvas-id';
import { type CanvasEdge, type CanvasNode, project } from './projection';

/** What React Flow is given: the projection of the document, plus what a gesture under way does to it. */
export interface CanvasModel {
  nodes: CanvasNode[];
  edges: CanvasEdge[];
}

export type CanvasModelStore = StoreApi<CanvasModel>;

const withSelection = (model: CanvasModel, selection: Selection): CanvasModel => {
  const nodeIds = new Set(selection.nodes);
  const edgeIds = new Set(selection.edges);
  let changed = false;
  const nodes = model.nodes.map((node) => {
    const selected = node.type !== 'ghost' && nodeIds.has(node.data.id);
    if ((node.selected ?? false) === selected) return node;
    changed = true;
    return { ...node, selected };
  });
  const edges = model.edges.map((edge) => {
    const selected = edge.data !== undefined && edgeIds.has(edge.data.edge.id);
    if ((edge.selected ?? false) === selected) return edge;
    changed = true;
    return { ...edge, selected };
  });
  return changed ? { nodes, edges } : model;
};

const draw = (editor: EditorStore, before?: CanvasModel): CanvasModel => {
  const { document, run, readOnly, selection } = editor.getState();
  const drawn = project({ document, catalogue, footer: run.status !== 'idle', readOnly }, before);
  return withSelection({ nodes: [...drawn.nodes], edges: [...drawn.edges] }, selection);
};

export const createCanvasModel = (editor: EditorStore): CanvasModelStore => createStore<CanvasModel>()(() => draw(editor));

/** Keeps the model in step with the editor until the returned function is called. */
export function followEditor(model: CanvasModelStore, editor: EditorStore): () => void {
  model.setState(draw(editor, model.getState()), true);
  return editor.subscribe((state, before) => {
    const footer = (state.run.status === 'idle') !== (before.run.status === 'idle');
    if (state.document !== before.document || footer) model.setState(draw(editor, model.getState()), true);
    else if (state.selection !== before.selection) {
      const next = withSelection(model.getState(), state.selection);
      if (next !== model.getState()) model.setState(next, true);
    }
  });
}

/** Positions and sizes of a gesture under way go into the model alone; selection goes to the editor. */
export function takeNodeChanges(model: CanvasModelStore, editor: EditorStore, changes: NodeChange<CanvasNode>[]): void {
  const moves = changes.filter((change) => change.type === 'position' || change.type === 'dimensions');
  if (moves.length > 0) model.setState({ nodes: applyNodeChanges(moves, model.getState().nodes) });
  const picks = changes.filter((change) => change.type === 'select');
  if (picks.length === 0) return;
  const chosen = new Set(editor.getState().selection.nodes);
  for (const { id, selected } of picks) {
    const documentId = fromCanvasId(id);
    if (selected) chosen.add(documentId);
    else chosen.delete(documentId);
  }
  editor.getState().select({ nodes: [...chosen], edges: editor.getState().selection.edges });
}

export function takeEdgeChanges(model: CanvasModelStore, editor: EditorStore, changes: EdgeChange<CanvasEdge>[]): void {
  const picks = changes.filter((change) => change.type === 'select');
  if (picks.length > 0) {
    const chosen = new Set(editor.getState().selection.edges);
    for (const { id, selected } of picks) {
      const documentId = fromCanvasId(id);
      if (selected) chosen.add(documentId);
      else chosen.delete(documentId);
    }
    editor.getState().select({ nodes: editor.getState().selection.nodes, edges: [...chosen] });
  }
  const others = changes.filter((change) => change.type === 'replace');
  if (others.length > 0) model.setState({ edges: applyEdgeChanges(others, model.getState().edges) });
}
