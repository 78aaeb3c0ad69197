'use client';

import { useEffect, useMemo, useState } from 'react';
import type { FlowDocument } from '@/harness/flow/schema';
import type { TraceEvent } from '@/harness/trace/events';
import { Canvas } from '../canvas/canvas';
import { CanvasUiProvider } from '../canvas/canvas-ui';
import { foldOverlay, idleOverlay, type RunOverlay } from '../editor/run-overlay';
import { createEditorStore } from '../editor/store';
import { EditorStoreProvider } from '../editor/store-context';

export interface FrozenCanvasProps {
  /** The exact flow that ran. */
  document: FlowDocument;
  events: readonly TraceEvent[];
  /** Badges show the run as it stood after this event. */
  at: number;
  selectedNode: string | null;
  onSelectNode: (nodeId: string | null) => void;
}

/** Remembers the last fold, so that following a run folds only what is new and going back folds once from the start. */
function createOverlayFolder(): (events: readonly TraceEvent[], at: number) => RunOverlay {
  let overlay = idleOverlay;
  return (events, at) => {
    if (overlay.lastSeq > at || (overlay.runId !== null && overlay.runId !== events[0]?.runId)) overlay = idleOverlay;
    if (at > overlay.lastSeq) overlay = foldOverlay(overlay, events.slice(overlay.lastSeq, at));
    return overlay;
  };
}

/** The flow as it was when it ran, read-only, with badges at the chosen moment. */
export function FrozenCanvas({ document, events, at, selectedNode, onSelectNode }: FrozenCanvasProps) {
  const store = useMemo(() => createEditorStore({ document, readOnly: true }), [document]);
  const [fold] = useState(createOverlayFolder);
  useEffect(() => store.getState().showRun(fold(events, at)), [store, fold, events, at]);
  useEffect(() => {
    const selected = store.getState().selection.nodes;
    if (selectedNode === null) {
      if (selected.length > 0) store.getState().select({ nodes: [], edges: [] });
    } else if (selected.length !== 1 || selected[0] !== selectedNode) store.getState().select({ nodes: [selectedNode], edges: [] });
  }, [store, selectedNode]);
  useEffect(
    () =>
      store.subscribe((state, before) => {
        if (state.selection !== before.selection) onSelectNode(state.selection.nodes[0] ?? null);
      }),
    [store, onSelectNode],
  );
  return (
    <EditorStoreProvider store={store}>
      <CanvasUiProvider>
        <Canvas />
      </CanvasUiProvider>
    </EditorStoreProvider>
  );
}
