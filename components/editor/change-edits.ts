import { userError } from '@/harness/contract/errors';
import type { Json, JsonObject } from '@/harness/contract/json';
import { setMaxTraversals } from '@/harness/flow/edits/edges';
import {
  changeNodeId,
  deleteItems,
  renameNode,
  setConfig as writeConfig,
  setDisabled as writeDisabled,
  setNote as writeNote,
} from '@/harness/flow/edits/nodes';
import type { FlowDocument, FlowNode, FlowSettings, NodeLayout } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { indexOf } from './document-index';
import { must, type Placed, placeNodes } from './flow-edits';
import type { Selection } from './store';

/** Sets a config value by path; `undefined` removes it, so that the default holds. */
export function setConfig(
  document: FlowDocument,
  ids: readonly string[],
  path: readonly (string | number)[],
  value: Json | undefined,
): FlowDocument {
  return ids.reduce((current, id) => {
    const node = indexOf(current).nodes.get(id);
    return node ? writeConfig(current, id, setAt(node.config, path, value)) : current;
  }, document);
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

/** Renames what people see; names are unique, except those of notes and frames, which may also be empty (BR-75). */
export function setLabel(document: FlowDocument, id: string, label: string): FlowDocument {
  const node = indexOf(document).nodes.get(id);
  if (!node || node.label === label.trim()) return document;
  if (catalogue.nodes.get(node.type)?.role !== 'annotation') return must(renameNode(document, id, label));
  const renamed: FlowNode = { ...node, label: label.trim().slice(0, 300) };
  return { ...document, nodes: document.nodes.map((other) => (other === node ? renamed : other)) };
}

export const setNodeId = (document: FlowDocument, from: string, to: string): FlowDocument =>
  must(changeNodeId(document, catalogue, { from, to }));

export const setNote = (document: FlowDocument, id: string, note: string): FlowDocument => writeNote(document, id, note);

export const setDisabled = (document: FlowDocument, ids: readonly string[], disabled: boolean): FlowDocument =>
  ids.reduce((current, id) => writeDisabled(current, id, disabled), document);

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

export const setCap = (document: FlowDocument, id: string, max: number | null): FlowDocument => setMaxTraversals(document, id, max);

/** Deletes what is selected and not locked. What stood in a deleted frame stays where it is on the drawing. */
export function removeItems(document: FlowDocument, selection: Selection): FlowDocument {
  const { nodes, children } = indexOf(document);
  const chosen = selection.nodes.filter((id) => nodes.has(id) && !document.layout.nodes[id]?.locked);
  if (chosen.length === 0 && selection.edges.length === 0) return document;
  const gone = new Set(chosen);
  const movedOut = chosen
    .filter((id) => catalogue.nodes.get(nodes.get(id)?.type ?? '')?.role === 'annotation')
    .flatMap((frame) =>
      (children.get(frame) ?? [])
        .filter((child) => !gone.has(child.id))
        .map((child): Placed => {
          let { x, y } = document.layout.nodes[child.id] ?? { x: 0, y: 0 };
          let outer: string | undefined = frame;
          for (
            const seen = new Set<string>();
            outer !== undefined && gone.has(outer) && !seen.has(outer);
            outer = nodes.get(outer)?.parent
          ) {
            seen.add(outer);
            x += document.layout.nodes[outer]?.x ?? 0;
            y += document.layout.nodes[outer]?.y ?? 0;
          }
          return { id: child.id, x, y, parent: outer !== undefined && !gone.has(outer) ? outer : null };
        }),
    );
  return deleteItems(placeNodes(document, movedOut), catalogue, { nodes: chosen, edges: selection.edges });
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
