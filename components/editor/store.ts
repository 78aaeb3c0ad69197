import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '@/harness/contract/errors';
import type { FlowDocument } from '@/harness/flow/schema';
import type { Pin, TraceEvent } from '@/harness/trace/events';
import type { Compiled } from './compile-loop';
import { indexOf } from './document-index';
import type { Mark } from './flow-diff';
import { emptyHistory, endBurst, type History, recordEdit, redoStep, undoStep } from './history';
import { foldOverlay, idleOverlay, type RunOverlay } from './run-overlay';
import type { SaveState } from './save-state';

export interface Selection {
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
}

export const noSelection: Selection = { nodes: [], edges: [] };

/** Which outputs and channels the lens draws: nobody's, everybody's, or those of the selected nodes. */
export type Lens = 'off' | 'all' | 'selection';

export interface EditOptions {
  /** Edits of one burst become one undo step; name the field or the gesture. */
  burst?: string | undefined;
  /** Selection after the edit. */
  select?: Selection | undefined;
}

export interface EditorState {
  /** The one truth: canvas, inspector and outline are views of it. */
  document: FlowDocument;
  history: History;
  selection: Selection;
  /** True for the frozen canvas of a past run. */
  readOnly: boolean;
  save: SaveState;
  compiled: Compiled | null;
  run: RunOverlay;
  pins: Readonly<Record<string, Pin>>;
  breakpoints: readonly string[];
  lens: Lens;
  /** What a comparison says of nodes, for their outline; empty in the editor itself. */
  marks: ReadonlyMap<string, Mark>;
  /** Bumped to ask the canvas to bring something into view. */
  focus: { id: string; at: number } | null;
}

export interface EditorActions {
  /** Applies one pure edit; returns the message of the refusal, or null when it was applied (or changed nothing). */
  edit(label: string, change: (document: FlowDocument) => FlowDocument, options?: EditOptions): string | null;
  endBurst(): void;
  undo(): string | null;
  redo(): string | null;
  /** Opens a document: empty history, nothing selected (BR-01, BR-12). */
  load(document: FlowDocument, revision: number): void;
  select(selection: Selection): void;
  setSave(change: Partial<SaveState>): void;
  setCompiled(compiled: Compiled): void;
  foldRun(events: readonly TraceEvent[]): void;
  showRun(overlay: RunOverlay): void;
  pin(nodeId: string, pin: Pin | null): void;
  setPins(pins: Readonly<Record<string, Pin>>): void;
  setBreakpoints(ids: readonly string[]): void;
  setLens(lens: Lens): void;
  goTo(id: string): void;
}

export type Editor = EditorState & EditorActions;
export type EditorStore = StoreApi<Editor>;

export interface EditorStoreOptions {
  document: FlowDocument;
  revision?: number;
  readOnly?: boolean;
  now?: () => number;
}

const sameList = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((id, at) => id === b[at]);

/** Drops what the document no longer holds. */
const prune = (selection: Selection, document: FlowDocument): Selection => {
  const index = indexOf(document);
  const nodes = selection.nodes.filter((id) => index.nodes.has(id));
  const edges = selection.edges.filter((id) => index.edges.has(id));
  return nodes.length === selection.nodes.length && edges.length === selection.edges.length ? selection : { nodes, edges };
};

/** The state of one open flow. Every change of the document passes through `edit`, `undo`, `redo` or `load`; runs never touch it. */
export function createEditorStore(options: EditorStoreOptions): EditorStore {
  const now = options.now ?? Date.now;
  return createStore<Editor>()((set, get) => {
    const travel = (step: typeof undoStep): string | null => {
      const { history, document, selection, readOnly } = get();
      const travelled = readOnly ? null : step(history, document);
      if (!travelled) return null;
      set({ document: travelled.document, history: travelled.history, selection: prune(selection, travelled.document) });
      return travelled.label;
    };
    return {
      document: options.document,
      history: emptyHistory,
      selection: noSelection,
      readOnly: options.readOnly ?? false,
      save: { status: 'saved', revision: options.revision ?? 0, savedDocument: options.document, conflict: null, message: null },
      compiled: null,
      run: idleOverlay,
      pins: {},
      breakpoints: [],
      lens: 'off',
      marks: new Map(),
      focus: null,

      edit(label, change, editOptions = {}) {
        const { document, history, selection, readOnly } = get();
        if (readOnly) return 'This canvas is read-only.';
        let next: FlowDocument;
        try {
          next = change(document);
        } catch (thrown) {
          return toErrorRecord(thrown).message;
        }
        if (next === document) {
          if (editOptions.select) get().select(editOptions.select);
          return null;
        }
        set({
          document: next,
          history: recordEdit(history, document, { label, burst: editOptions.burst, at: now() }),
          selection: prune(editOptions.select ?? selection, next),
        });
        return null;
      },
      endBurst: () => set({ history: endBurst(get().history) }),
      undo: () => travel(undoStep),
      redo: () => travel(redoStep),
      load(document, revision) {
        set({
          document,
          history: emptyHistory,
          selection: noSelection,
          compiled: null,
          save: { status: 'saved', revision, savedDocument: document, conflict: null, message: null },
        });
      },
      select(selection) {
        const current = get().selection;
        if (sameList(current.nodes, selection.nodes) && sameList(current.edges, selection.edges)) return;
        set({ selection });
      },
      setSave: (change) => set({ save: { ...get().save, ...change } }),
      setCompiled: (compiled) => set({ compiled }),
      foldRun(events) {
        const run = foldOverlay(get().run, events);
        if (run !== get().run) set({ run });
      },
      showRun: (run) => set({ run }),
      pin(nodeId, pin) {
        const { [nodeId]: _dropped, ...rest } = get().pins;
        set({ pins: pin ? { ...rest, [nodeId]: pin } : rest });
      },
      setPins: (pins) => set({ pins }),
      setBreakpoints: (breakpoints) => set({ breakpoints }),
      setLens: (lens) => set({ lens }),
      goTo(id) {
        const index = indexOf(get().document);
        if (index.nodes.has(id)) get().select({ nodes: [id], edges: [] });
        else if (index.edges.has(id)) get().select({ nodes: [], edges: [id] });
        set({ focus: { id, at: now() } });
      },
    };
  });
}

export const canUndo = (state: Editor): boolean => !state.readOnly && state.history.past.length > 0;
export const canRedo = (state: Editor): boolean => !state.readOnly && state.history.future.length > 0;
/** True while something is not in the server's copy yet. */
export const isDirty = (state: Editor): boolean => state.document !== state.save.savedDocument;
