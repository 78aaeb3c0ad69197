import { userError } from '@/harness/contract/errors';
import type { Json, JsonObject } from '@/harness/contract/json';
import type { FlowDocument, FlowEdge, FlowNode, FlowSettings, NodeLayout } from '@/harness/flow/schema';
import { descendantsOf, indexOf } from './document-index';
import type { Selection } from './store';

/** Changes one node by id; the same document when the node did not change. */
export function changeNode(document: FlowDocument, id: string, change: (node: FlowNode) => FlowNode): FlowDocument {
  const node = indexOf(document).nodes.get(id);
  if (!node) return document;
  const next = change(node);
  return next === node ? document : { ...document, nodes: document.nodes.map((other) => (other === node ? next : other)) };
}

/** Sets a config value by path; `undefined` removes it, so that the default holds. */
export function setConfig(
  document: FlowDocument,
  ids: readonly string[],
  path: readonly (string | number)[],
  value: Json | undefined,
): FlowDocument {
  return ids.reduce((current, id) => changeNode(current, id, (node) => ({ ...node, config: setAt(node.config, path, value) })), document);
}

function setAt(root: JsonObject, path: readonly (string | number)[], value: Json | undefined): JsonObject {
  const [head, ...rest] = path;
  if (typeof head !== 'string') return root;
  const copy: JsonObject = { ...root };
  const inner = Object.hasOwn(root, head) ? root[head] : undefined;
  const next = rest.length === 0 ? value : setIn(inner, rest, value);
  if (next === undefined) delete copy[head];
  else copy[head] = next;
  return copy;
}

function setIn(node: Json | undefined, path: readonly (string | number)[], value: Json | undefined): Json {
  const [head] = path;
  if (typeof head === 'number') {
    const list = Array.isArray(node) ? [...node] : [];
    const rest = path.slice(1);
    const next = rest.length === 0 ? value : setIn(list[head], rest, value);
    if (next === undefined) list.splice(head, 1);
    else list[head] = next;
    return list;
  }
  return setAt(typeof node === 'object' && node !== null && !Array.isArray(node) ? node : {}, path, value);
}

/** Renames what people see. Nodes may share no name, or a reader could not tell them apart (BR-75). */
export function setLabel(document: FlowDocument, id: string, label: string): FlowDocument {
  const name = label.trim();
  const node = indexOf(document).nodes.get(id);
  if (!node || node.label === name) return document;
  const free = node.type === 'note' || node.type === 'frame';
  if (name === '' && !free) throw userError('NODE_NAME_EMPTY', 'A node needs a name.');
  if (!free && document.nodes.some((other) => other.id !== id && other.label === name)) {
    throw userError('NODE_NAME_TAKEN', `Another node is called "${name}". Choose a different name.`);
  }
  return changeNode(document, id, (current) => ({ ...current, label: name }));
}

export const setNote = (document: FlowDocument, id: string, note: string): FlowDocument =>
  changeNode(document, id, ({ note: _old, ...rest }) => (note === '' ? rest : { ...rest, note }));

export function setDisabled(document: FlowDocument, ids: readonly string[], disabled: boolean): FlowDocument {
  return ids.reduce(
    (current, id) =>
      changeNode(current, id, (node) => {
        if ((node.disabled ?? false) === disabled) return node;
        const { disabled: _old, ...rest } = node;
        return disabled ? { ...rest, disabled } : rest;
      }),
    document,
  );
}

/** Merges into the layout of nodes; a value of `undefined` clears the key. */
export function setLayout(
  document: FlowDocument,
  ids: readonly string[],
  change: { [K in keyof NodeLayout]?: NodeLayout[K] | undefined },
): FlowDocument {
  const nodes: Record<string, NodeLayout> = { ...document.layout.nodes };
  for (const id of ids) {
    const merged = { x: 0, y: 0, ...nodes[id], ...change };
    // Cleared keys are left out of the file, not stored as nothing. Coordinates are never cleared.
    nodes[id] = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as NodeLayout;
  }
  return { ...document, layout: { ...document.layout, nodes } };
}

export function changeEdge(document: FlowDocument, id: string, change: (edge: FlowEdge) => FlowEdge): FlowDocument {
  return { ...document, edges: document.edges.map((edge) => (edge.id === id ? change(edge) : edge)) };
}

export const setCap = (document: FlowDocument, id: string, max: number | null): FlowDocument =>
  changeEdge(document, id, ({ maxTraversals: _old, ...rest }) => (max === null ? rest : { ...rest, maxTraversals: max }));

/** Removes nodes with their edges, and edges; what stood in a removed frame stays where it is, what stood in a removed container goes with it. */
export function removeItems(document: FlowDocument, selection: Selection): FlowDocument {
  const locked = (id: string): boolean => document.layout.nodes[id]?.locked === true;
  const gone = new Set<string>();
  const index = indexOf(document);
  for (const id of selection.nodes) {
    if (locked(id) || !index.nodes.has(id)) continue;
    gone.add(id);
    if (index.nodes.get(id)?.type !== 'frame') for (const inner of descendantsOf(document, id)) gone.add(inner);
  }
  const goneEdges = new Set(selection.edges);
  const layout: Record<string, NodeLayout> = Object.fromEntries(Object.entries(document.layout.nodes).filter(([id]) => !gone.has(id)));
  const nodes = document.nodes
    .filter((node) => !gone.has(node.id))
    .map((node): FlowNode => {
      if (node.parent === undefined || !gone.has(node.parent)) return node;
      const own = document.layout.nodes[node.id];
      const frame = document.layout.nodes[node.parent];
      if (own && frame) layout[node.id] = { ...own, x: own.x + frame.x, y: own.y + frame.y };
      const outer = index.nodes.get(node.parent)?.parent;
      const { parent: _left, ...rest } = node;
      return outer === undefined ? rest : { ...rest, parent: outer };
    });
  const edges = document.edges.filter((edge) => !goneEdges.has(edge.id) && !gone.has(edge.source) && !gone.has(edge.target));
  if (nodes.length === document.nodes.length && edges.length === document.edges.length) return document;
  return { ...document, nodes, edges, layout: { ...document.layout, nodes: layout } };
}

export const setName = (document: FlowDocument, name: string): FlowDocument => {
  const next = name.trim();
  if (next === '') throw userError('FLOW_NAME_EMPTY', 'A flow needs a name.');
  return next === document.name ? document : { ...document, name: next };
};

export const setDescription = (document: FlowDocument, description: string): FlowDocument => ({ ...document, description });
export const setSettings = (document: FlowDocument, change: Partial<FlowSettings>): FlowDocument => ({
  ...document,
  settings: { ...document.settings, ...change },
});
