import type { Catalogue } from '../../contract/catalogue';
import { isJsonObject, type JsonObject } from '../../contract/json';
import type { AnyManifest } from '../../contract/node';
import { forbiddenNames } from '../../expression/reserved';
import { rewriteInNode } from '../rewrite-in-flow';
import type { FlowDocument, FlowNode, NodeLayout } from '../schema';
import { done, type Edit, refused, takeId, takeLabel } from './edit';

export interface AddNode {
  manifest: AnyManifest;
  place: { x: number; y: number };
  parent?: string;
  config?: JsonObject;
  label?: string;
}

/** A new node with the defaults of its type; `id` is what it was given. */
export function addNode(
  document: FlowDocument,
  { manifest, place, parent, config = {}, label }: AddNode,
): { document: FlowDocument; id: string } {
  const id = takeId(new Set(document.nodes.map((node) => node.id)), manifest.id.replaceAll('-', '_'));
  const parsed = manifest.config.safeParse(config);
  const node: FlowNode = {
    id,
    type: manifest.id,
    typeVersion: manifest.version,
    label: takeLabel(new Set(document.nodes.map((other) => other.label)), label ?? manifest.title),
    config: parsed.success && isJsonObject(parsed.data) ? parsed.data : config,
    ...(parent === undefined ? {} : { parent }),
  };
  const layout = { ...document.layout, nodes: { ...document.layout.nodes, [id]: { x: Math.round(place.x), y: Math.round(place.y) } } };
  return { id, document: { ...document, nodes: [...document.nodes, node], layout } };
}

/** These nodes and all that stands inside of them. */
export function withInsides(document: FlowDocument, ids: Iterable<string>): Set<string> {
  const children = new Map<string, string[]>();
  for (const { id, parent } of document.nodes) {
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const all = new Set<string>();
  const stack = [...ids];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (all.has(id)) continue;
    all.add(id);
    stack.push(...(children.get(id) ?? []));
  }
  return all;
}

/** Deletes nodes with what stands inside of them, every edge at them, and edges by id. What stood in a deleted frame stays, moved out. */
export function deleteItems(
  document: FlowDocument,
  catalogue: Catalogue,
  ids: { nodes?: Iterable<string>; edges?: Iterable<string> },
): FlowDocument {
  const chosen = new Set(ids.nodes ?? []);
  const types = new Map(document.nodes.map(({ id, type }) => [id, type]));
  const isFrame = (id: string): boolean => catalogue.nodes.get(types.get(id) ?? '')?.role === 'annotation';
  const frames = [...chosen].filter(isFrame);
  const gone = withInsides(
    document,
    [...chosen].filter((id) => !isFrame(id)),
  );
  for (const id of frames) gone.add(id);
  const goneEdges = new Set(ids.edges ?? []);
  return {
    ...document,
    nodes: document.nodes
      .filter(({ id }) => !gone.has(id))
      .map((node) => (node.parent !== undefined && gone.has(node.parent) ? withoutParent(node) : node)),
    edges: document.edges.filter(({ id, source, target }) => !goneEdges.has(id) && !gone.has(source) && !gone.has(target)),
    layout: { ...document.layout, nodes: layoutOf(document, (id) => !gone.has(id)) },
  };
}

const layoutOf = (document: FlowDocument, keep: (id: string) => boolean): Record<string, NodeLayout> =>
  Object.fromEntries(Object.entries(document.layout.nodes).filter(([id]) => keep(id)));

function withoutParent({ parent, ...node }: FlowNode): FlowNode {
  return node;
}

const changeNode = (document: FlowDocument, id: string, change: (node: FlowNode) => FlowNode): FlowDocument => ({
  ...document,
  nodes: document.nodes.map((node) => (node.id === id ? change(node) : node)),
});

/** Changes what people call a node. Its id, and so every reference to it, stays. */
export function renameNode(document: FlowDocument, id: string, label: string): Edit {
  const wanted = label.trim();
  if (wanted === '') return refused('LABEL_EMPTY', 'A node needs a name. Type one, or press Escape to keep the old one.');
  if (wanted.length > 300) return refused('LABEL_TOO_LONG', 'A name has at most 300 characters.');
  const other = document.nodes.find((node) => node.id !== id && node.label === wanted);
  if (other) return refused('LABEL_TAKEN', `Another node is called "${wanted}" already. Choose a different name.`);
  return done(changeNode(document, id, (node) => ({ ...node, label: wanted })));
}

/** Changes the id of a node, with every edge, parent, layout entry and reference that names it (BR-75). */
export function changeNodeId(document: FlowDocument, catalogue: Catalogue, change: { from: string; to: string }): Edit {
  const { from, to } = change;
  if (from === to) return done(document);
  if (to.trim() === '' || to.length > 300) return refused('ID_LENGTH', 'An id has 1 to 300 characters.');
  if (forbiddenNames.has(to)) return refused('ID_RESERVED', `"${to}" cannot be an id. Choose another.`);
  if (document.nodes.some(({ id }) => id === to)) return refused('ID_TAKEN', `Another node has the id "${to}" already. Choose another.`);
  const moved = (id: string): string => (id === from ? to : id);
  const rename = new Map([[from, to]]);
  return done({
    ...document,
    nodes: document.nodes.map((node) => {
      const next = rewriteInNode(node, catalogue, rename);
      return { ...next, id: moved(node.id), ...(node.parent === undefined ? {} : { parent: moved(node.parent) }) };
    }),
    edges: document.edges.map((edge) => ({ ...edge, source: moved(edge.source), target: moved(edge.target) })),
    layout: {
      ...document.layout,
      nodes: Object.fromEntries(Object.entries(document.layout.nodes).map(([id, layout]) => [moved(id), layout])),
    },
  });
}

export const setConfig = (document: FlowDocument, id: string, config: JsonObject): FlowDocument =>
  changeNode(document, id, (node) => ({ ...node, config }));

export const setDisabled = (document: FlowDocument, id: string, disabled: boolean): FlowDocument =>
  changeNode(document, id, ({ disabled: _was, ...node }) => (disabled ? { ...node, disabled } : node));

export const setNote = (document: FlowDocument, id: string, note: string): FlowDocument =>
  changeNode(document, id, ({ note: _was, ...node }) => (note === '' ? node : { ...node, note }));

/** Puts a node into a container or frame, or out of any (`null`). A node cannot stand inside of itself. */
export function setParent(document: FlowDocument, id: string, parent: string | null): Edit {
  if (parent === null) return done(changeNode(document, id, withoutParent));
  if (!document.nodes.some((node) => node.id === parent)) return refused('PARENT_MISSING', `There is no node "${parent}" to put it into.`);
  if (withInsides(document, [id]).has(parent)) return refused('PARENT_CYCLE', 'A node cannot stand inside of itself.');
  return done(changeNode(document, id, (node) => ({ ...node, parent })));
}

/** Moves nodes: the layout changes and nothing else. */
export function moveNodes(document: FlowDocument, places: Readonly<Record<string, { x: number; y: number }>>): FlowDocument {
  const nodes = { ...document.layout.nodes };
  for (const [id, { x, y }] of Object.entries(places)) nodes[id] = { ...nodes[id], x, y };
  return { ...document, layout: { ...document.layout, nodes } };
}
