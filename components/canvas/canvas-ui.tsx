'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** A connection that is being drawn, or that a picker is to complete. Ids are document ids. */
export interface OpenConnection {
  node: string;
  /** The port it leaves by; null when it starts at a node's incoming side. */
  port: string | null;
  kind: 'flow' | 'attach';
  /** `source`: drawn from a port towards a target; `target`: drawn backwards. */
  from: 'source' | 'target';
}

/** The list of node types opened where a connection was dropped, a `+` pressed or the canvas double-clicked. */
export interface PickerRequest {
  /** Where it opens, in pixels of the window. */
  screen: { x: number; y: number };
  /** Where the node goes, in flow coordinates. */
  place: { x: number; y: number };
  connection: OpenConnection | null;
  /** Insert on this edge. */
  edge: string | null;
}

export interface CanvasUi {
  connecting: OpenConnection | null;
  picker: PickerRequest | null;
  /** Node whose title is being edited in place. */
  renaming: string | null;
  /** Below half size cards show colour, icon and title only (visual.md). */
  far: boolean;
  /** Container or frame that a dragged node would fall into. */
  dropTarget: string | null;
  /** Edge that a dragged node would be inserted on. */
  dropEdge: string | null;
  /** Lines that a dragged node snaps to, in flow coordinates. */
  guides: { x: number | null; y: number | null };
  menu: { x: number; y: number } | null;
}

const initial: CanvasUi = {
  connecting: null,
  picker: null,
  renaming: null,
  far: false,
  dropTarget: null,
  dropEdge: null,
  guides: { x: null, y: null },
  menu: null,
};

export type CanvasUiStore = StoreApi<CanvasUi>;
export const createCanvasUi = (): CanvasUiStore => createStore<CanvasUi>()(() => initial);

const CanvasUiContext = createContext<CanvasUiStore | null>(null);

export function CanvasUiProvider({ store, children }: { store?: CanvasUiStore; children: ReactNode }) {
  const [own] = useState(() => store ?? createCanvasUi());
  return <CanvasUiContext value={own}>{children}</CanvasUiContext>;
}

export function useCanvasUiStore(): CanvasUiStore {
  const store = useContext(CanvasUiContext);
  if (!store) throw new Error('No canvas here: wrap this part in CanvasUiProvider.');
  return store;
}

export const useCanvasUi = <T,>(select: (state: CanvasUi) => T): T => useStore(useCanvasUiStore(), select);
