import type { AnyManifest } from '@/harness/contract/node';
import type { FlowDocument } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import type { PickerRequest } from '../canvas/canvas-ui';
import { portThatFits } from '../canvas/connection-rules';
import { absoluteOf, freePlace, parentAt, rectOf, sizeOfNode } from '../canvas/places';
import type { ActionContext } from './actions/action';
import { indexOf } from './document-index';
import { connectNodes, createNode, insertOnEdge } from './flow-edits';

interface Spot {
  place: { x: number; y: number };
  edge?: string | null;
}

const finish = (context: ActionContext, id: string): void => {
  context.layout.setState({ inspectorTab: 'config' });
  // Focus goes to the new node, so that the keyboard goes on from there.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.react-flow__node.selected')?.focus({ preventScroll: true }));
  void id;
};

/** A new node in the smallest container around the place, at coordinates of that container. */
function createAt(document: FlowDocument, manifest: AnyManifest, place: { x: number; y: number }): { document: FlowDocument; id: string } {
  const parent = manifest.id === 'input' ? null : parentAt(document, { x: place.x + 20, y: place.y + 20 });
  const origin = parent === null ? { x: 0, y: 0 } : absoluteOf(document, parent);
  return createNode(document, { manifest, place: { x: place.x - origin.x, y: place.y - origin.y }, parent });
}

function commit(context: ActionContext, label: string, make: (document: FlowDocument) => { document: FlowDocument; id: string }): void {
  const { document, edit } = context.editor.getState();
  let made: { document: FlowDocument; id: string };
  try {
    made = make(document);
  } catch (thrown) {
    context.services.say(thrown instanceof Error ? thrown.message : String(thrown), 'error');
    return;
  }
  const refusal = edit(label, () => made.document, { select: { nodes: [made.id], edges: [] } });
  if (refusal) context.services.say(refusal, 'error');
  else finish(context, made.id);
}

/** Where a node goes when only its type is known: after the selected node, else the middle of the view. */
function nextPlace(context: ActionContext): { x: number; y: number } {
  const { document, selection } = context.editor.getState();
  const selected = selection.nodes.length === 1 ? indexOf(document).nodes.get(selection.nodes[0] ?? '') : undefined;
  if (selected) {
    const rect = rectOf(document, selected.id);
    return freePlace(document, { x: rect.x + rect.width + 84, y: rect.y }, { width: 240, height: 64 });
  }
  const pane = globalThis.document.querySelector('.bridle-canvas')?.getBoundingClientRect();
  const centre = pane && context.flow()?.screenToFlowPosition({ x: pane.left + pane.width / 2 - 120, y: pane.top + pane.height / 2 - 32 });
  return freePlace(document, centre ?? { x: 0, y: 0 }, { width: 240, height: 64 });
}

/** Adds a node from the palette: at a place it was dropped, on an edge, or after what is selected. */
export function addType(context: ActionContext, type: string, spot?: Spot): void {
  const manifest = catalogue.nodes.get(type);
  if (!manifest) return;
  commit(context, `Add ${manifest.title}`, (document) => {
    const size = { width: 240, height: 64 };
    const place = spot ? { x: spot.place.x - size.width / 2, y: spot.place.y - 20 } : nextPlace(context);
    const created = createAt(document, manifest, place);
    return spot?.edge ? { ...created, document: insertOnEdge(created.document, spot.edge, created.id) } : created;
  });
}

/** Adds the node chosen from the list and completes the connection that opened it. */
export function addPicked(context: ActionContext, type: string, request: PickerRequest): void {
  const manifest = catalogue.nodes.get(type);
  if (!manifest) return;
  const { connection, edge, place } = request;
  commit(context, `Add ${manifest.title}`, (document) => {
    const back = connection?.from === 'target' && connection.kind === 'flow';
    const wanted = { x: back ? place.x - 240 : connection ? place.x : place.x - 120, y: place.y - 20 };
    const at = connection ? freePlace(document, wanted, { width: 240, height: 64 }) : wanted;
    const beside = connection ? indexOf(document).nodes.get(connection.node) : undefined;
    const created = beside
      ? createNode(document, { manifest, ...inParentOf(document, beside.parent, at) })
      : createAt(document, manifest, at);
    if (edge !== null) return { ...created, document: insertOnEdge(created.document, edge, created.id) };
    if (!connection) return created;
    const fit = portThatFits(document, connection, manifest);
    if (!fit) return created;
    const shape =
      connection.from === 'source'
        ? {
            kind: connection.kind,
            source: connection.node,
            ...(connection.port === null ? {} : { port: connection.port }),
            target: created.id,
          }
        : { kind: connection.kind, source: created.id, ...(fit.port === null ? {} : { port: fit.port }), target: connection.node };
    return { ...created, document: connectNodes(created.document, shape) };
  });
}

/** A node that continues a connection stands in the same body, wherever it was dropped. */
function inParentOf(
  document: FlowDocument,
  parent: string | undefined,
  place: { x: number; y: number },
): { place: { x: number; y: number }; parent: string | null } {
  if (parent === undefined) return { place, parent: null };
  const origin = absoluteOf(document, parent);
  const size = sizeOfNode(document, parent);
  const x = Math.max(16, Math.min(place.x - origin.x, size.width - 260));
  return { place: { x, y: Math.max(48, place.y - origin.y) }, parent };
}
