'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RunOptions } from '@/harness/trace/events';

export type DockTab = 'problems' | 'trace' | 'chat' | 'outline';
export type DockSide = 'bottom' | 'right';
export type DialogName = 'commands' | 'shortcuts' | 'versions' | 'run' | 'find' | 'import' | 'compare';
export type InspectorTab = 'config' | 'ports' | 'last' | 'docs';

/** What is open and where; belongs to this browser, not to the flow. */
export interface EditorLayout {
  palette: boolean;
  inspector: boolean;
  /** The flow's own settings stand in the inspector while nothing is selected; otherwise the drawing has that room. */
  flowSettings: boolean;
  dock: boolean;
  dockTab: DockTab;
  dockSide: DockSide;
  inspectorTab: InspectorTab;
  snap: boolean;
  minimap: boolean;
  dialog: DialogName | null;
  /** What the run that is being asked for shall do besides running the whole flow. */
  runOptions: Partial<RunOptions>;
}

export type LayoutStore = StoreApi<EditorLayout>;

const key = 'bridle.editor-layout';
const remembered = ['palette', 'inspector', 'dock', 'dockTab', 'dockSide', 'snap', 'minimap'] as const;

const initial: EditorLayout = {
  palette: true,
  inspector: true,
  flowSettings: false,
  dock: true,
  dockTab: 'chat',
  dockSide: 'bottom',
  inspectorTab: 'config',
  snap: false,
  minimap: true,
  dialog: null,
  runOptions: {},
};

const tabs: readonly DockTab[] = ['problems', 'trace', 'chat', 'outline'];

function readLayout(): EditorLayout {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    if (typeof value !== 'object' || value === null) return initial;
    const read = new Map(Object.entries(value));
    const flag = (name: 'palette' | 'inspector' | 'dock' | 'snap' | 'minimap'): boolean => {
      const stored: unknown = read.get(name);
      return typeof stored === 'boolean' ? stored : initial[name];
    };
    return {
      ...initial,
      palette: flag('palette'),
      inspector: flag('inspector'),
      dock: flag('dock'),
      snap: flag('snap'),
      minimap: flag('minimap'),
      dockTab: tabs.find((tab) => tab === read.get('dockTab')) ?? initial.dockTab,
      dockSide: read.get('dockSide') === 'right' ? 'right' : 'bottom',
    };
  } catch {
    return initial;
  }
}

export function createLayoutStore(): LayoutStore {
  const store = createStore<EditorLayout>()(() => readLayout());
  store.subscribe((state, before) => {
    if (remembered.every((name) => state[name] === before[name])) return;
    try {
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(remembered.map((name) => [name, state[name]]))));
    } catch {
      // Not remembered, then.
    }
  });
  return store;
}

const LayoutContext = createContext<LayoutStore | null>(null);

export function LayoutProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createLayoutStore);
  return <LayoutContext value={store}>{children}</LayoutContext>;
}

export function useLayoutStore(): LayoutStore {
  const store = useContext(LayoutContext);
  if (!store) throw new Error('No editor here: wrap this part in LayoutProvider.');
  return store;
}

export const useLayout = <T,>(select: (state: EditorLayout) => T): T => useStore(useLayoutStore(), select);
