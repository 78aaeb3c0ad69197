'use client';

import { useCallback, useSyncExternalStore } from 'react';
import type { RunOptions } from '@/harness/trace/events';

/*
 * What the chat keeps in this browser: text that was typed and not sent, the session last looked at, the folder chosen. It survives closing the
 * panel, reloading, and a server that is restarted.
 */

const listeners = new Set<() => void>();
/** For browsers that refuse storage: kept at least while the page lives. */
const fallback = new Map<string, string>();

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? fallback.get(key) ?? '';
  } catch {
    return fallback.get(key) ?? '';
  }
}

export function remember(key: string, value: string): void {
  fallback.set(key, value);
  try {
    if (value === '') localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // full or refused: the copy above is used
  }
  if (value === '') fallback.delete(key);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A text under a key. The empty text is "nothing there". */
export function useRemembered(key: string): [string, (value: string) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => '',
  );
  const set = useCallback((next: string) => remember(key, next), [key]);
  return [value, set];
}

export const draftKey = (flowId: string, sessionId: string | null): string => `bridle.chat.draft.${flowId}.${sessionId ?? 'new'}`;
export const sessionKey = (flowId: string): string => `bridle.chat.session.${flowId}`;
export const workspaceKey = (flowId: string): string => `bridle.chat.workspace.${flowId}`;

export type WorkspaceMode = NonNullable<RunOptions['workspaceMode']>;

const modeKey = (flowId: string): string => `bridle.chat.workspace-mode.${flowId}`;

/** Where tools that may write do so, per flow, whether it is run from the chat or from the canvas. A copy until something else is chosen. */
export function useWorkspaceMode(flowId: string): [WorkspaceMode, (mode: WorkspaceMode) => void] {
  const [kept, keep] = useRemembered(modeKey(flowId));
  const mode = kept === 'worktree' || kept === 'folder' ? kept : 'copy';
  return [mode, (next) => keep(next === 'copy' ? '' : next)];
}

/** Messages the server did not take go back to where they were written, when the chat that shows them is closed. */
export function keepUnsent(key: string, messages: readonly { text: string }[]): void {
  const texts = [...messages.map((message) => message.text), read(key)].filter((text) => text !== '');
  remember(key, texts.join('\n\n'));
}

/** What a template suggests to try first: the sample question as a draft, and its sample folder. */
export function rememberSample(flowId: string, sample: { question: string; workspace: string | undefined }): void {
  if (sample.question !== '') remember(draftKey(flowId, null), sample.question);
  if (sample.workspace !== undefined) remember(workspaceKey(flowId), sample.workspace);
}
