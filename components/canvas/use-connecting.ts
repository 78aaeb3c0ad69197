'use client';

import type {
  Connection,
  FinalConnectionState,
  HandleType,
  IsValidConnection,
  OnConnectStartParams,
  ReactFlowInstance,
} from '@xyflow/react';
import { useMemo } from 'react';
import { connectNodes, reconnectEdge } from '../editor/flow-edits';
import type { EditorStore } from '../editor/store';
import { toast } from '../ui/toast';
import { fromCanvasId } from './canvas-id';
import type { CanvasUiStore } from './canvas-ui';
import { connectionFrom, edgeBetween, edgeOnDrop, fitsConnection } from './connection-rules';
import type { CanvasEdge, CanvasNode } from './projection';

export interface ConnectingHandlers {
  isValidConnection: IsValidConnection<CanvasEdge>;
  onConnectStart: (event: MouseEvent | TouchEvent, start: OnConnectStartParams) => void;
  onConnect: (connection: Connection) => void;
  onConnectEnd: (event: MouseEvent | TouchEvent, state: FinalConnectionState) => void;
  onReconnectStart: (event: unknown, edge: CanvasEdge, fixed: HandleType) => void;
  onReconnect: (edge: CanvasEdge, connection: Connection) => void;
  onReconnectEnd: () => void;
}

const pointOf = (event: MouseEvent | TouchEvent): { x: number; y: number } => {
  const touch = 'changedTouches' in event ? event.changedTouches[0] : event;
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 };
};

/** The node under a point of the window, whatever lies over it there. */
const nodeUnder = (point: { x: number; y: number }): string | null => {
  for (const element of document.elementsFromPoint(point.x, point.y)) {
    const id = element.closest<HTMLElement>('.react-flow__node')?.dataset.id;
    if (id !== undefined && !element.closest('.react-flow__node-frame')) return fromCanvasId(id);
  }
  return null;
};

/** Drawing connections: typed, large targets, and a list of what fits where one is dropped on nothing. */
export function useConnecting(editor: EditorStore, ui: CanvasUiStore, flow: ReactFlowInstance<CanvasNode, CanvasEdge>): ConnectingHandlers {
  return useMemo(() => {
    let done = false;
    let reconnecting: string | null = null;
    const open = (event: MouseEvent | TouchEvent, start: OnConnectStartParams): void => {
      void event;
      done = false;
      if (start.nodeId === null || start.handleId === null || start.handleType === null) return;
      ui.setState({ connecting: connectionFrom(fromCanvasId(start.nodeId), { id: start.handleId, type: start.handleType }), picker: null });
    };
    return {
      isValidConnection: (connection) => {
        const { connecting } = ui.getState();
        if (!connecting || !connection.sourceHandle || !connection.targetHandle) return false;
        const other =
          connecting.from === 'source'
            ? { node: connection.target, spot: { id: connection.targetHandle, type: 'target' as const } }
            : { node: connection.source, spot: { id: connection.sourceHandle, type: 'source' as const } };
        const { document } = editor.getState();
        if (reconnecting !== null) return edgeBetween(connecting, fromCanvasId(other.node), other.spot) !== null;
        return fitsConnection(document, connecting, { node: fromCanvasId(other.node), spot: other.spot });
      },
      onConnectStart: open,
      onConnect: (connection) => {
        const { connecting } = ui.getState();
        if (!connecting || !connection.sourceHandle || !connection.targetHandle) return;
        const other =
          connecting.from === 'source'
            ? edgeBetween(connecting, fromCanvasId(connection.target), { id: connection.targetHandle, type: 'target' })
            : edgeBetween(connecting, fromCanvasId(connection.source), { id: connection.sourceHandle, type: 'source' });
        if (!other) return;
        done = true;
        const refusal = editor.getState().edit('Connect', (current) => connectNodes(current, other));
        if (refusal) toast.error(refusal);
      },
      onConnectEnd: (event, state) => {
        const { connecting } = ui.getState();
        ui.setState({ connecting: null });
        if (!connecting || done || reconnecting !== null) return;
        const point = pointOf(event);
        const node =
          state.toNode && state.toNode.type !== 'ghost' && state.isValid === false ? fromCanvasId(state.toNode.id) : nodeUnder(point);
        if (node !== null) {
          if (node === connecting.node && !state.toHandle) return;
          const drop = edgeOnDrop(editor.getState().document, connecting, node);
          const refusal = 'edge' in drop ? editor.getState().edit('Connect', (current) => connectNodes(current, drop.edge)) : drop.refusal;
          if (refusal) toast.error(refusal);
          return;
        }
        if (document.elementsFromPoint(point.x, point.y).some((element) => element.closest('.react-flow__pane, .react-flow__node-frame'))) {
          ui.setState({ picker: { screen: point, place: flow.screenToFlowPosition(point), connection: connecting, edge: null } });
        }
      },
      onReconnectStart: (_event, edge, fixed) => {
        done = false;
        reconnecting = edge.data?.edge.id ?? null;
        const node = fixed === 'source' ? edge.source : edge.target;
        const handle = fixed === 'source' ? edge.sourceHandle : edge.targetHandle;
        if (handle) ui.setState({ connecting: connectionFrom(fromCanvasId(node), { id: handle, type: fixed }), picker: null });
      },
      onReconnect: (edge, connection) => {
        const id = edge.data?.edge.id;
        if (id === undefined || !connection.sourceHandle) return;
        done = true;
        const source = fromCanvasId(connection.source);
        const target = fromCanvasId(connection.target);
        const kind = edge.data?.edge.kind ?? 'flow';
        const port = kind === 'flow' ? fromCanvasId(connection.sourceHandle) : undefined;
        const refusal = editor.getState().edit('Reconnect', (current) => reconnectEdge(current, id, { kind, source, target, port }));
        if (refusal) toast.error(refusal);
      },
      onReconnectEnd: () => {
        reconnecting = null;
        ui.setState({ connecting: null });
      },
    };
  }, [editor, ui, flow]);
}
