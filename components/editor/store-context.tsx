'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { useStore } from 'zustand';
import type { Editor, EditorStore } from './store';

const EditorContext = createContext<EditorStore | null>(null);

export function EditorStoreProvider({ store, children }: { store: EditorStore; children: ReactNode }) {
  return <EditorContext value={store}>{children}</EditorContext>;
}

export function useEditorStore(): EditorStore {
  const store = useContext(EditorContext);
  if (!store) throw new Error('No flow is open here: wrap this part in EditorStoreProvider.');
  return store;
}

/** Subscribes to one value of the open flow; renders again only when that value changes. */
export const useEditor = <T,>(select: (state: Editor) => T): T => useStore(useEditorStore(), select);
