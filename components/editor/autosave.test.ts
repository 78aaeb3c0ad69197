import { describe, expect, test } from 'vitest';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { type Autosave, type SaveAnswer, startAutosave } from './autosave';
import { createJournal, type DraftStorage, recoverDraft } from './journal';
import { createEditorStore, type EditorStore, isDirty } from './store';

const flow = (name: string): FlowDocument =>
  flowDocumentSchema.parse({ format: 'bridle/flow', version: 1, id: 'flow', name, nodes: [], edges: [] });

const rename =
  (name: string) =>
  (document: FlowDocument): FlowDocument => ({ ...document, name });

/** A server that keeps one document and refuses stale saves, as the host does. */
class Server {
  document = flow('start');
  revision = 1;
  failures = 0;
  saves: string[] = [];
  save = async (request: { document: FlowDocument; baseRevision: number }): Promise<SaveAnswer> => {
    if (this.failures > 0) {
      this.failures -= 1;
      return { kind: 'failed', message: 'The server did not answer.' };
    }
    if (request.baseRevision !== this.revision) return { kind: 'conflict', document: this.document, revision: this.revision };
    this.document = request.document;
    this.revision += 1;
    this.saves.push(request.document.name);
    return { kind: 'saved', revision: this.revision };
  };
  /** What somebody else does. */
  other(name: string): void {
    this.document = flow(name);
    this.revision += 1;
  }
}

class MemoryStorage implements DraftStorage {
  readonly values = new Map<string, string>();
  get length(): number {
    return this.values.size;
  }
  key = (at: number): string | null => [...this.values.keys()][at] ?? null;
  getItem = (key: string): string | null => this.values.get(key) ?? null;
  setItem = (key: string, value: string): void => {
    this.values.set(key, value);
  };
  removeItem = (key: string): void => {
    this.values.delete(key);
  };
}

interface Bench {
  server: Server;
  store: EditorStore;
  autosave: Autosave;
  storage: MemoryStorage;
  /** Lets the pending timer fire and everything settle. */
  tick: () => Promise<void>;
}

const bench = (): Bench => {
  const server = new Server();
  const storage = new MemoryStorage();
  const store = createEditorStore({ document: server.document, revision: 1, now: () => 0 });
  let pending: (() => void) | null = null;
  const autosave = startAutosave({
    store,
    journal: createJournal(storage, 'flow', 'tab', () => 0),
    save: server.save,
    later: (callback) => {
      pending = callback;
      return () => {
        pending = null;
      };
    },
  });
  const tick = async (): Promise<void> => {
    const callback = pending;
    pending = null;
    callback?.();
    await autosave.flush();
  };
  return { server, store, autosave, storage, tick };
};

describe('autosave', () => {
  test('a burst of edits is saved once, with its end', async () => {
    const { server, store, tick } = bench();
    store.getState().edit('Rename', rename('a'));
    store.getState().edit('Rename', rename('b'));
    expect(store.getState().save.status).toBe('dirty');
    await tick();
    expect(server.saves).toEqual(['b']);
    expect(store.getState().save.status).toBe('saved');
    expect(isDirty(store.getState())).toBe(false);
  });

  test('a flow left while a save is under way is whole once the editor says it has ended (BR-22: back on the page, the edit is gone)', async () => {
    const { server, store, autosave } = bench();
    store.getState().edit('Rename', rename('a'));
    void autosave.flush();
    store.getState().edit('Rename', rename('b'));
    await autosave.stop();
    expect(server.document.name).toBe('b');
  });

  test('an edit made while a save is under way is saved next, on the new revision', async () => {
    const { server, store, autosave, tick } = bench();
    store.getState().edit('Rename', rename('a'));
    const first = autosave.flush();
    store.getState().edit('Rename', rename('b'));
    await first;
    expect(store.getState().save.status).toBe('dirty');
    await tick();
    expect(server.saves).toEqual(['a', 'b']);
    expect(store.getState().save.conflict).toBeNull();
  });

  test('BR-19: a stale save does not overwrite; both copies are kept', async () => {
    const { server, store, tick } = bench();
    server.other('theirs');
    store.getState().edit('Rename', rename('mine'));
    await tick();
    expect(server.document.name).toBe('theirs');
    expect(store.getState().document.name).toBe('mine');
    expect(store.getState().save).toMatchObject({ status: 'conflict', conflict: { theirs: { name: 'theirs' }, revision: 2 } });
  });

  test('BR-19: nothing is saved while a conflict stands open', async () => {
    const { server, store, tick } = bench();
    server.other('theirs');
    store.getState().edit('Rename', rename('mine'));
    await tick();
    store.getState().edit('Rename', rename('mine, further'));
    await tick();
    expect(server.saves).toEqual([]);
    expect(store.getState().document.name).toBe('mine, further');
  });

  test('BR-20: a clean tab follows what another tab saved, with an empty history', () => {
    const { store, autosave } = bench();
    autosave.heard(flow('theirs'), 7);
    expect(store.getState().document.name).toBe('theirs');
    expect(store.getState().save).toMatchObject({ status: 'saved', revision: 7 });
    expect(store.getState().undo()).toBeNull();
  });

  test('BR-20: a tab with unsaved edits is asked instead', () => {
    const { store, autosave } = bench();
    store.getState().edit('Rename', rename('mine'));
    autosave.heard(flow('theirs'), 7);
    expect(store.getState().document.name).toBe('mine');
    expect(store.getState().save.status).toBe('conflict');
  });

  test('BR-23: a second conflict while resolving keeps the first resolution', async () => {
    const { server, store, autosave, tick } = bench();
    server.other('theirs');
    store.getState().edit('Rename', rename('mine'));
    await tick();
    store.getState().edit('Rename', rename('mine, merged'));
    server.other('theirs again');
    await autosave.keepMine();
    expect(store.getState().document.name).toBe('mine, merged');
    expect(store.getState().save).toMatchObject({ status: 'conflict', conflict: { theirs: { name: 'theirs again' } } });
    await autosave.keepMine();
    expect(server.document.name).toBe('mine, merged');
    expect(store.getState().save.status).toBe('saved');
  });

  test('taking the server copy gives up the local one and its draft', async () => {
    const { server, store, autosave, storage, tick } = bench();
    server.other('theirs');
    store.getState().edit('Rename', rename('mine'));
    autosave.keep();
    await tick();
    autosave.takeTheirs();
    expect(store.getState().document.name).toBe('theirs');
    expect(storage.length).toBe(0);
  });

  test('a failed save is tried again', async () => {
    const { server, store, tick } = bench();
    server.failures = 1;
    store.getState().edit('Rename', rename('a'));
    await tick();
    if (store.getState().save.status !== 'saved') await tick();
    expect(server.saves).toEqual(['a']);
    expect(store.getState().save.status).toBe('saved');
  });

  test('undoing back to the stored copy leaves nothing to save', async () => {
    const { server, store, tick } = bench();
    store.getState().edit('Rename', rename('a'));
    store.getState().undo();
    expect(store.getState().save.status).toBe('saved');
    await tick();
    expect(server.saves).toEqual([]);
  });
});

describe('BR-22: a draft outlives the page', () => {
  test('an edit followed at once by a reload is found again', () => {
    const { store, autosave, storage } = bench();
    store.getState().edit('Rename', rename('typed just now'));
    autosave.keep();
    expect(recoverDraft(storage, 'flow', 'tab', 1)).toMatchObject({ document: { name: 'typed just now' }, baseRevision: 1 });
  });

  test('a saved draft is not offered again', async () => {
    const { store, autosave, storage, tick } = bench();
    store.getState().edit('Rename', rename('a'));
    autosave.keep();
    await tick();
    expect(recoverDraft(storage, 'flow', 'tab', 1)).toBeNull();
  });

  test('the draft of another living tab is left alone, that of a closed one is taken once', () => {
    const storage = new MemoryStorage();
    createJournal(storage, 'flow', 'other-tab', () => 1000).write(flow('theirs'), 1);
    expect(recoverDraft(storage, 'flow', 'tab', 2000)).toBeNull();
    expect(recoverDraft(storage, 'flow', 'tab', 60_000)?.document.name).toBe('theirs');
    expect(recoverDraft(storage, 'flow', 'tab', 60_000)).toBeNull();
  });

  test('a damaged entry is passed over', () => {
    const storage = new MemoryStorage();
    storage.setItem('bridle.draft:flow:tab', '{"document": {"nodes": 3}, "baseRevision": 1, "at": 1}');
    expect(recoverDraft(storage, 'flow', 'tab', 2)).toBeNull();
  });
});
