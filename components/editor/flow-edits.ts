import { userError } from '@/harness/contract/errors';
import type { AnyManifest } from '@/harness/contract/node';
import type { EdgeShape } from '@/harness/flow/edge-problem';
import { connect, insertOnEdge as insert, reconnect } from '@/harness/flow/edits/edges';
import type { Edit } from '@/harness/flow/edits/edit';
import { addNode, moveNodes, setParent } from '@/harness/flow/edits/nodes';
import type { FlowDocument } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { indexOf } from './document-index';

/*
 * The edits of `harness/flow/edits` as the editor's store takes them: under the app's catalogue, with a refusal thrown as a user error, which
 * `EditorStore.edit` turns into its message.
 */

/** The document of an edit that may be refused. */
export function must(edit: Edit): FlowDocument {
  if (!edit.ok) throw userError(edit.code, edit.message);
  return edit.document;
}

export interface NewNode {
  manifest: AnyManifest;
  place: { x: number; y: number };
  parent?: string | null;
}

export const createNode = (document: FlowDocument, { manifest, place, parent }: NewNode): { document: FlowDocument; id: string } =>
  addNode(document, { manifest, place, ...(parent == null ? {} : { parent }) });

export const connectNodes = (document: FlowDocument, shape: EdgeShape): FlowDocument => must(connect(document, catalogue, shape));

export const reconnectEdge = (document: FlowDocument, id: string, shape: EdgeShape): FlowDocument =>
  must(reconnect(document, catalogue, { id, shape }));

/** Puts a node into an edge where that can be; elsewhere the node simply stays where it was dropped. */
export function insertOnEdge(document: FlowDocument, edge: string, node: string): FlowDocument {
  const inserted = insert(document, catalogue, { edge, node });
  return inserted.ok ? inserted.document : document;
}

export interface Placed {
  id: string;
  x: number;
  y: number;
  /** Where it stands from now on; undefined leaves it. */
  parent?: string | null;
}

export function placeNodes(document: FlowDocument, places: readonly Placed[]): FlowDocument {
  if (places.length === 0) return document;
  const { nodes } = indexOf(document);
  const moved = moveNodes(document, Object.fromEntries(places.map(({ id, x, y }) => [id, { x, y }])));
  return places.reduce((current, { id, parent }) => {
    if (parent === undefined || (nodes.get(id)?.parent ?? null) === parent) return current;
    return must(setParent(current, id, parent));
  }, moved);
}
