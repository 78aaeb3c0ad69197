'use client';

import { isTRPCClientError } from '@trpc/client';
import { useEffect, useEffectEvent, useRef } from 'react';
import { z } from 'zod';
import { flowDocumentSchema } from '@/harness/flow/schema';
import type { AppRouter } from '@/server/trpc/router';
import { codeOf, messageOf } from '../state/api-error';
import { useStreamItems } from '../state/live';
import { useTRPCClient } from '../state/trpc';
import { type Autosave, type SaveAnswer, startAutosave } from './autosave';
import { createJournal } from './journal';
import { type EditorStore, isDirty } from './store';

const conflictSchema = z.object({ current: z.object({ document: flowDocumentSchema, revision: z.number() }) });

/** This tab's name, the same after a reload: drafts are kept per tab. */
export function tabName(): string {
  const key = 'bridle.tab';
  try {
    const known = sessionStorage.getItem(key);
    if (known !== null) return known;
    const fresh = crypto.getRandomValues(new Uint32Array(2)).join('');
    sessionStorage.setItem(key, fresh);
    return fresh;
  } catch {
    return 'tab';
  }
}

const leaving = new Map<string, Promise<void>>();

/** Resolves when an editor of this flow that was just left has stored its last edits: read before, the flow would be the one before them (BR-22). */
export const lastSave = (flowId: string): Promise<void> => leaving.get(flowId) ?? Promise.resolve();

function answerOf(error: unknown): SaveAnswer {
  if (codeOf(error) === 'FLOW_CONFLICT' && isTRPCClientError<AppRouter>(error)) {
    const conflict = conflictSchema.safeParse(error.data?.bridle?.details);
    if (conflict.success) return { kind: 'conflict', ...conflict.data.current };
  }
  return { kind: 'failed', message: messageOf(error) };
}

/** Saves the open flow as it is edited, through reloads, hidden tabs and other people's saves. */
export function useSaving(store: EditorStore, flowId: string): { current: Autosave | null } {
  const client = useTRPCClient();
  const autosave = useRef<Autosave | null>(null);

  useEffect(() => {
    const saver = startAutosave({
      store,
      journal: createJournal(localStorage, flowId, tabName()),
      save: async (request) => {
        try {
          const { revision } = await client.flows.save.mutate(request);
          return { kind: 'saved', revision };
        } catch (error) {
          return answerOf(error);
        }
      },
      later: (callback, delay) => {
        const timer = setTimeout(callback, delay);
        return () => clearTimeout(timer);
      },
    });
    autosave.current = saver;
    // A draft recovered from before the reload is unsaved from the first moment.
    if (isDirty(store.getState())) void saver.flush();
    const onHide = (): void => {
      saver.keep();
      void saver.flush();
    };
    const onVisibility = (): void => {
      if (document.visibilityState === 'hidden') onHide();
    };
    addEventListener('pagehide', onHide);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      removeEventListener('pagehide', onHide);
      document.removeEventListener('visibilitychange', onVisibility);
      const last = saver.stop().finally(() => {
        if (leaving.get(flowId) === last) leaving.delete(flowId);
      });
      leaving.set(flowId, last);
      autosave.current = null;
    };
  }, [client, store, flowId]);

  const readAgain = useEffectEvent(async () => {
    try {
      const view = await client.flows.get.query({ id: flowId });
      autosave.current?.heard(view.document, view.revision);
    } catch {
      // Nothing to compare with; the next save will tell.
    }
  });
  useStreamItems((item) => {
    if (
      item.kind === 'flow' &&
      item.id === flowId &&
      item.revision > store.getState().save.revision &&
      store.getState().save.status !== 'saving'
    )
      void readAgain();
    if (item.kind === 'hello') void readAgain();
  });
  useEffect(() => {
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') void readAgain();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);
  return autosave;
}
