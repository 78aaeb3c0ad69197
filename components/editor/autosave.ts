import type { FlowDocument } from '@/harness/flow/schema';
import type { Journal } from './journal';
import { type EditorStore, isDirty } from './store';

export type SaveAnswer =
  | { kind: 'saved'; revision: number }
  | { kind: 'conflict'; document: FlowDocument; revision: number }
  | { kind: 'failed'; message: string };

export interface AutosaveParts {
  store: EditorStore;
  journal: Journal;
  /** Must not throw; a refusal is an answer. */
  save(request: { id: string; document: FlowDocument; baseRevision: number }): Promise<SaveAnswer>;
  later(callback: () => void, delayMs: number): () => void;
}

export interface Autosave {
  /** Saves what is unsaved now; resolves when the server has answered. */
  flush(): Promise<void>;
  /** For `pagehide`: puts the draft where the next page load finds it, synchronously. */
  keep(): void;
  /** Takes the server's copy; local edits since the last save are given up. */
  takeTheirs(): void;
  /** Keeps the local copy and saves it over the server's. Should somebody save again meanwhile, the local copy still stands (BR-23). */
  keepMine(): Promise<void>;
  /** Another tab or person saved. Follows at once when nothing is unsaved here (BR-20), else opens the conflict (BR-19). */
  heard(document: FlowDocument, revision: number): void;
  /** Saves once more and ends; resolves when that save has been answered. */
  stop(): Promise<void>;
}

export const quietMs = 600;
const retryMs = 5000;

/** Saves the draft after a pause, one save at a time, and never over somebody else's work. */
export function startAutosave(parts: AutosaveParts): Autosave {
  const { store, journal } = parts;
  let cancel: (() => void) | null = null;
  let running: Promise<void> | null = null;
  let stopped = false;

  const schedule = (delay: number): void => {
    cancel?.();
    cancel = parts.later(() => {
      cancel = null;
      void flush();
    }, delay);
  };

  const saveOnce = async (): Promise<void> => {
    const { document, save, setSave } = store.getState();
    setSave({ status: 'saving', message: null });
    const answer = await parts.save({ id: document.id, document, baseRevision: save.revision });
    switch (answer.kind) {
      case 'saved': {
        setSave({ status: 'saved', revision: answer.revision, savedDocument: document, conflict: null });
        if (isDirty(store.getState())) {
          setSave({ status: 'dirty' });
          journal.write(store.getState().document, answer.revision);
          schedule(quietMs);
        } else journal.clear();
        return;
      }
      case 'conflict':
        setSave({ status: 'conflict', conflict: { theirs: answer.document, revision: answer.revision } });
        return;
      case 'failed':
        setSave({ status: 'failed', message: answer.message });
        if (!stopped) schedule(retryMs);
    }
  };

  const flush = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    if (running) {
      await running;
      if (!isDirty(store.getState())) return;
    }
    const state = store.getState();
    if (state.readOnly || state.save.conflict || !isDirty(state)) return;
    running = saveOnce().finally(() => {
      running = null;
    });
    await running;
  };

  const keep = (): void => {
    const state = store.getState();
    if (isDirty(state)) journal.write(state.document, state.save.revision);
  };

  const unsubscribe = store.subscribe((state, before) => {
    if (state.document === before.document || state.readOnly) return;
    if (state.save.conflict) return;
    if (isDirty(state)) {
      if (state.save.status !== 'saving' && state.save.status !== 'dirty') state.setSave({ status: 'dirty' });
      schedule(quietMs);
    } else if (state.save.status === 'dirty' || state.save.status === 'failed') {
      // Undone back to what is stored: nothing to save.
      cancel?.();
      cancel = null;
      state.setSave({ status: 'saved', message: null });
      journal.clear();
    }
  });

  return {
    flush,
    keep,
    takeTheirs() {
      const { save, load } = store.getState();
      if (!save.conflict) return;
      journal.clear();
      load(save.conflict.theirs, save.conflict.revision);
    },
    async keepMine() {
      const { save, setSave } = store.getState();
      if (!save.conflict) return;
      setSave({ status: 'dirty', revision: save.conflict.revision, savedDocument: save.conflict.theirs, conflict: null });
      await flush();
    },
    heard(document, revision) {
      const state = store.getState();
      if (revision <= state.save.revision) return;
      if (state.save.status === 'saving') return;
      if (state.save.conflict || isDirty(state)) {
        cancel?.();
        cancel = null;
        state.setSave({ status: 'conflict', conflict: { theirs: document, revision } });
      } else {
        journal.clear();
        state.load(document, revision);
      }
    },
    stop() {
      keep();
      stopped = true;
      cancel?.();
      unsubscribe();
      return flush();
    },
  };
}
