import { describe, expect, test } from 'vitest';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { canRedo, canUndo, createEditorStore, type EditorStore } from './store';

const empty = (id = 'flow'): FlowDocument =>
  flowDocumentSchema.parse({ format: 'bridle/flow', version: 1, id, name: 'Test flow', nodes: [], edges: [] });

const addNode =
  (id: string) =>
  (document: FlowDocument): FlowDocument => ({
    ...document,
    nodes: [...document.nodes, { id, type: 'transform', typeVersion: 1, label: id, config: {} }],
    layout: { ...document.layout, nodes: { ...document.layout.nodes, [id]: { x: 0, y: 0 } } },
  });

const setField =
  (id: string, key: string, value: string) =>
  (document: FlowDocument): FlowDocument => ({
    ...document,
    nodes: document.nodes.map((node) => (node.id === id ? { ...node, config: { ...node.config, [key]: value } } : node)),
  });

const removeNode =
  (id: string) =>
  (document: FlowDocument): FlowDocument => ({ ...document, nodes: document.nodes.filter((node) => node.id !== id) });

/** A clock moved by hand, so that bursts are told apart by the test and not by its speed. */
const setup = (document = empty()): { store: EditorStore; wait: (milliseconds: number) => void } => {
  let time = 1_000_000;
  const store = createEditorStore({ document, revision: 1, now: () => time });
  return {
    store,
    wait: (milliseconds) => {
      time += milliseconds;
    },
  };
};

const configOf = (store: EditorStore, id: string): unknown => store.getState().document.nodes.find((node) => node.id === id)?.config;

describe('undo and redo over the whole document', () => {
  test('BR-01: undo on a freshly loaded flow leaves it as it is and is not offered', () => {
    const { store } = setup();
    store.getState().edit('Add', addNode('a'));
    const loaded = addNode('b')(empty('other'));
    store.getState().load(loaded, 3);
    for (let at = 0; at < 10; at += 1) expect(store.getState().undo()).toBeNull();
    expect(store.getState().document).toBe(loaded);
    expect(canUndo(store.getState())).toBe(false);
  });

  test('BR-03: an edit after three undos empties redo at once', () => {
    const { store } = setup();
    for (const id of ['a', 'b', 'c']) store.getState().edit('Add', addNode(id));
    for (let at = 0; at < 3; at += 1) store.getState().undo();
    expect(canRedo(store.getState())).toBe(true);
    store.getState().edit('Add', addNode('d'));
    expect(canRedo(store.getState())).toBe(false);
    expect(store.getState().redo()).toBeNull();
    expect(store.getState().document.nodes.map((node) => node.id)).toEqual(['d']);
  });

  test('BR-03: an edit that joins a burst also empties redo', () => {
    const { store } = setup();
    store.getState().edit('Add', addNode('a'));
    store.getState().edit('Edit', setField('a', 'text', 'x'), { burst: 'a.text' });
    store.getState().undo();
    store.getState().edit('Edit', setField('a', 'text', 'y'), { burst: 'a.text' });
    expect(store.getState().redo()).toBeNull();
    expect(configOf(store, 'a')).toEqual({ text: 'y' });
  });

  test('BR-04: the fields of a deleted node come back with it', () => {
    const { store, wait } = setup();
    store.getState().edit('Add', addNode('a'));
    for (const key of ['f1', 'f2', 'f3', 'f4', 'f5']) {
      store.getState().edit('Edit', setField('a', key, `value of ${key}`), { burst: `a.${key}` });
      wait(50);
    }
    store.getState().edit('Delete', removeNode('a'));
    store.getState().undo();
    expect(configOf(store, 'a')).toEqual(Object.fromEntries(['f1', 'f2', 'f3', 'f4', 'f5'].map((key) => [key, `value of ${key}`])));
  });

  test('BR-04: redoing past the adding of a node brings its fields back', () => {
    const { store } = setup();
    store.getState().edit('Add', addNode('a'));
    store.getState().edit('Edit', setField('a', 'text', 'kept'), { burst: 'a.text' });
    store.getState().undo();
    store.getState().undo();
    expect(store.getState().document.nodes).toEqual([]);
    store.getState().redo();
    store.getState().redo();
    expect(configOf(store, 'a')).toEqual({ text: 'kept' });
  });

  test('BR-07: forty characters typed in one field are one step', () => {
    const { store, wait } = setup();
    store.getState().edit('Add', addNode('a'));
    for (let length = 1; length <= 40; length += 1) {
      store.getState().edit('Edit', setField('a', 'text', 'x'.repeat(length)), { burst: 'a.text' });
      wait(120);
    }
    expect(store.getState().history.past).toHaveLength(2);
    store.getState().undo();
    expect(configOf(store, 'a')).toEqual({});
  });

  test('typing in another field, or after a pause, begins a new step', () => {
    const { store, wait } = setup();
    store.getState().edit('Add', addNode('a'));
    store.getState().edit('Edit', setField('a', 'text', 'x'), { burst: 'a.text' });
    store.getState().edit('Edit', setField('a', 'other', 'x'), { burst: 'a.other' });
    wait(5000);
    store.getState().edit('Edit', setField('a', 'other', 'xy'), { burst: 'a.other' });
    expect(store.getState().history.past).toHaveLength(4);
  });

  test('BR-07: a run neither enters history nor makes the flow dirty', () => {
    const { store } = setup();
    store.getState().edit('Add', addNode('a'));
    const { document, history } = store.getState();
    store.getState().foldRun([
      {
        runId: 'r',
        seq: 1,
        at: 1,
        nodeId: 'a',
        visit: 'v',
        kind: 'visit-start',
        type: 'transform',
        label: 'a',
        number: 1,
        attempt: 1,
        via: null,
        token: 't',
      },
    ]);
    expect(store.getState().run.nodes.get('a')?.status).toBe('running');
    expect(store.getState().document).toBe(document);
    expect(store.getState().history).toBe(history);
  });

  test('a refused edit says why and changes nothing', () => {
    const { store } = setup();
    const before = store.getState().document;
    const message = store.getState().edit('Rename', () => {
      throw new Error('A node called "a" is there already.');
    });
    expect(message).toBe('A node called "a" is there already.');
    expect(store.getState().document).toBe(before);
    expect(canUndo(store.getState())).toBe(false);
  });

  test('an edit that changes nothing is no step', () => {
    const { store } = setup();
    store.getState().edit('Nothing', (document) => document);
    expect(canUndo(store.getState())).toBe(false);
  });
});

describe('selection', () => {
  test('BR-12: opening another flow forgets the selection, so nothing is connected to it', () => {
    const { store } = setup();
    store.getState().edit('Add', addNode('a'), { select: { nodes: ['a'], edges: [] } });
    store.getState().load(addNode('a')(empty('other')), 1);
    expect(store.getState().selection.nodes).toEqual([]);
  });

  test('undoing the adding of a selected node leaves no ghost selected', () => {
    const { store } = setup();
    store.getState().edit('Add', addNode('a'), { select: { nodes: ['a'], edges: [] } });
    expect(store.getState().selection.nodes).toEqual(['a']);
    store.getState().undo();
    expect(store.getState().selection.nodes).toEqual([]);
  });

  test('a frozen canvas refuses edits', () => {
    const store = createEditorStore({ document: empty(), readOnly: true });
    expect(store.getState().edit('Add', addNode('a'))).not.toBeNull();
    expect(store.getState().document.nodes).toEqual([]);
  });
});
