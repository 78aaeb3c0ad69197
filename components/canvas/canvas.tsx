'use client';

import '@xyflow/react/dist/style.css';
import './canvas.css';
import {
  Background,
  BackgroundVariant,
  MiniMap,
  type OnMove,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
  type ViewportHelperFunctionOptions,
} from '@xyflow/react';
import { type DragEvent, type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useEditor, useEditorStore } from '../editor/store-context';
import { layerColor } from '../ui/layer-chip';
import { Beyond } from './beyond';
import { ContainerNode, FrameNode, NoteNode, PolicyNode } from './box-nodes';
import { fromCanvasId, toCanvasId } from './canvas-id';
import { createCanvasModel, followEditor, takeEdgeChanges, takeNodeChanges } from './canvas-model';
import { CanvasTools } from './canvas-tools';
import { useCanvasUi, useCanvasUiStore } from './canvas-ui';
import { walkCanvas } from './canvas-walk';
import { fitOptions } from './fit-options';
import { AttachEdgePath, FlowEdgePath } from './flow-edge';
import { GhostNode } from './ghost-node';
import { Guides } from './guide-lines';
import { LensLayer } from './lens-layer';
import { NodeCard } from './node-card';
import { paletteMime } from './palette-mime';
import type { Instance } from './places';
import type { CanvasEdge, CanvasNode } from './projection';
import { useConnecting } from './use-connecting';
import { useDragging } from './use-dragging';

const nodeTypes = {
  card: NodeCard,
  unknown: NodeCard,
  policy: PolicyNode,
  container: ContainerNode,
  frame: FrameNode,
  note: NoteNode,
  ghost: GhostNode,
};
const edgeTypes = { flow: FlowEdgePath, attach: AttachEdgePath };
const farZoom = 0.5;
/** Below this a title is no longer text, so cards are colour alone. */
const tinyZoom = 0.2;
const largeFlow = 80;

const smooth = (milliseconds: number): ViewportHelperFunctionOptions =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? {} : { duration: milliseconds };

const miniColor = (node: CanvasNode): string =>
  node.type === 'ghost' ? 'var(--fail)' : node.type === 'frame' ? 'var(--hover)' : layerColor(node.data.model.layer);

export interface CanvasProps {
  /** Handed out once the drawing stands, for commands that move the view. */
  onReady?: (flow: Instance) => void;
  onDropType?: (type: string, place: { x: number; y: number }, edge: string | null) => void;
  onDropFile?: (file: File) => void;
  onMenu?: (at: { x: number; y: number }) => void;
  onOpen?: (id: string) => void;
  /** Key under which the view (place and zoom) is remembered in this browser. */
  viewKey?: string;
  minimap?: boolean;
  snap?: boolean;
}

const readView = (key: string | undefined): { x: number; y: number; zoom: number } | null => {
  if (key === undefined) return null;
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (typeof value !== 'object' || value === null || !('x' in value) || !('y' in value) || !('zoom' in value)) return null;
    const { x, y, zoom } = value;
    return typeof x === 'number' && typeof y === 'number' && typeof zoom === 'number' && zoom > 0 ? { x, y, zoom } : null;
  } catch {
    return null;
  }
};

function Drawing({ onReady, onDropType, onDropFile, onMenu, onOpen, viewKey, minimap = true, snap = false }: CanvasProps) {
  const editor = useEditorStore();
  const ui = useCanvasUiStore();
  const flow = useReactFlow<CanvasNode, CanvasEdge>();
  const readOnly = useEditor((state) => state.readOnly);
  const [model] = useState(() => createCanvasModel(editor));
  const nodes = useStore(model, (state) => state.nodes);
  const edges = useStore(model, (state) => state.edges);
  const connecting = useConnecting(editor, ui, flow);
  const dragging = useDragging(useMemo(() => ({ editor, ui, model, flow }), [editor, ui, model, flow]));
  const far = useCanvasUi((state) => state.far);
  const [beyond, setBeyond] = useState(false);
  const [savedView] = useState(() => readView(viewKey));
  // A large flow opens from afar: its cards begin simple instead of being drawn in full and then again (visual.md).
  useState(() => ui.setState({ far: savedView ? savedView.zoom < farZoom : model.getState().nodes.length > largeFlow }));

  useEffect(() => followEditor(model, editor), [model, editor]);

  const host = useRef<HTMLDivElement>(null);
  const noteZoom = useCallback(
    (zoom: number): void => {
      const next = zoom < farZoom;
      if (ui.getState().far !== next) ui.setState({ far: next });
      host.current?.toggleAttribute('data-tiny', zoom < tinyZoom);
    },
    [ui],
  );
  const onMove: OnMove = useCallback((_event, viewport) => noteZoom(viewport.zoom), [noteZoom]);
  const onMoveEnd: OnMove = useCallback(
    (_event, viewport) => {
      if (viewKey !== undefined) {
        try {
          localStorage.setItem(viewKey, JSON.stringify(viewport));
        } catch {
          // The view is a convenience; without storage it is simply fitted next time.
        }
      }
    },
    [viewKey],
  );

  // Something asked to be looked at (a problem, a row of the outline, a step of a trace).
  useEffect(
    () =>
      editor.subscribe((state, before) => {
        if (!state.focus || state.focus === before.focus) return;
        const edge = state.document.edges.find((candidate) => candidate.id === state.focus?.id);
        const ids = edge ? [edge.source, edge.target] : [state.focus.id];
        void flow.fitView({
          nodes: ids.map((id) => ({ id: toCanvasId(id) })),
          padding: 0.4,
          maxZoom: Math.max(0.8, flow.getZoom()),
          ...smooth(160),
        });
      }),
    [editor, flow],
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    walkCanvas(event, { editor, host: host.current, flow, open: onOpen });
  };

  const onDrop = (event: DragEvent): void => {
    const file = event.dataTransfer.files[0];
    if (file && onDropFile) {
      event.preventDefault();
      onDropFile(file);
      return;
    }
    const type = event.dataTransfer.getData(paletteMime);
    if (type === '' || !onDropType) return;
    event.preventDefault();
    const point = { x: event.clientX, y: event.clientY };
    const edge = document
      .elementsFromPoint(point.x, point.y)
      .map((element) => element.closest<SVGElement>('.react-flow__edge')?.dataset.id);
    const on = edge.find((id) => id !== undefined);
    onDropType(type, flow.screenToFlowPosition(point), on === undefined ? null : fromCanvasId(on));
  };

  return (
    <div
      ref={host}
      className="bridle-canvas h-full w-full"
      data-far={far}
      onKeyDown={onKeyDown}
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDrop={onDrop}
      role="application"
      aria-label="Canvas"
    >
      <ReactFlow<CanvasNode, CanvasEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={(changes) => takeNodeChanges(model, editor, dragging.snap(changes))}
        onEdgesChange={(changes) => takeEdgeChanges(model, editor, changes)}
        {...connecting}
        onNodeDragStart={dragging.onNodeDragStart}
        onNodeDrag={dragging.onNodeDrag}
        onNodeDragStop={dragging.onNodeDragStop}
        onSelectionDragStop={(event, moved) => {
          const first = moved[0];
          // The selection rectangle reports plain mouse events of React; the handler looks at coordinates only.
          if (first) dragging.onNodeDragStop(event.nativeEvent, first, moved);
        }}
        onNodeDoubleClick={(_event, node) => {
          if (!readOnly && node.type !== 'ghost') ui.setState({ renaming: fromCanvasId(node.id) });
        }}
        onPaneClick={() => ui.setState({ picker: null, menu: null })}
        onPaneContextMenu={(event) => {
          event.preventDefault();
          onMenu?.({ x: event.clientX, y: event.clientY });
        }}
        onNodeContextMenu={(event, node) => {
          event.preventDefault();
          const id = fromCanvasId(node.id);
          if (!editor.getState().selection.nodes.includes(id)) editor.getState().select({ nodes: [id], edges: [] });
          onMenu?.({ x: event.clientX, y: event.clientY });
        }}
        onSelectionContextMenu={(event) => {
          event.preventDefault();
          onMenu?.({ x: event.clientX, y: event.clientY });
        }}
        onEdgeContextMenu={(event, edge) => {
          event.preventDefault();
          if (edge.data) editor.getState().select({ nodes: [], edges: [edge.data.edge.id] });
          onMenu?.({ x: event.clientX, y: event.clientY });
        }}
        onEdgeDoubleClick={(event, edge) => {
          if (readOnly || !edge.data) return;
          const point = { x: event.clientX, y: event.clientY };
          ui.setState({ picker: { screen: point, place: flow.screenToFlowPosition(point), connection: null, edge: edge.data.edge.id } });
        }}
        onMove={onMove}
        onMoveEnd={onMoveEnd}
        onInit={(instance) => {
          noteZoom(instance.getZoom());
          onReady?.(instance);
        }}
        {...(savedView ? { defaultViewport: savedView } : { fitView: true, fitViewOptions: fitOptions })}
        minZoom={0.05}
        maxZoom={2.5}
        nodesDraggable={!readOnly}
        nodesConnectable={!readOnly}
        edgesReconnectable={!readOnly}
        elementsSelectable
        edgesFocusable
        nodesFocusable
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={['Shift', 'Meta', 'Control']}
        panActivationKeyCode={['Space', 'Control', 'Meta']}
        selectionOnDrag
        snapToGrid={snap}
        snapGrid={[16, 16]}
        selectionMode={SelectionMode.Partial}
        panOnDrag={[1]}
        panOnScroll
        zoomOnDoubleClick={false}
        connectionRadius={28}
        connectionDragThreshold={4}
        nodeDragThreshold={3}
        nodeClickDistance={4}
        paneClickDistance={4}
        reconnectRadius={12}
        elevateNodesOnSelect={false}
        onlyRenderVisibleElements
      >
        <Beyond onChange={setBeyond} />
        <Background variant={BackgroundVariant.Dots} gap={16} size={1.25} color="var(--grid-dot)" bgColor="var(--canvas)" />
        <LensLayer />
        <Guides />
        {minimap && beyond ? (
          <MiniMap<CanvasNode>
            pannable
            zoomable
            nodeColor={miniColor}
            nodeBorderRadius={6}
            ariaLabel="Minimap"
            className="overflow-hidden rounded-lg border border-line"
            style={{ width: 152, height: 92 }}
          />
        ) : null}
        <CanvasTools fitOptions={fitOptions} />
      </ReactFlow>
    </div>
  );
}

/** The drawing of the flow that is open. Needs an EditorStoreProvider and a CanvasUiProvider around it. */
export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}
