import type { Catalogue } from '../../contract/catalogue';
import { rewriteInNode } from '../rewrite-in-flow';
import type { FlowDocument, FlowEdge, FlowNode, NodeLayout } from '../schema';
import { takeId, takeLabel } from './edit';
import { withInsides } from './nodes';

/** A part of a flow: nodes with the edges between them and where they stand. */
export interface FlowPart {
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
  layout: Readonly<Record<string, NodeLayout>>;
}

/** These nodes, what stands inside of them, and the edges among all of those. */
export function copyPart(document: FlowDocument, ids: Iterable<string>): FlowPart {
  const taken = withInsides(document, ids);
  return {
    nodes: document.nodes.filter(({ id }) => taken.has(id)),
    edges: document.edges.filter(({ source, target }) => taken.has(source) && taken.has(target)),
    layout: Object.fromEntries(Object.entries(document.layout.nodes).filter(([id]) => taken.has(id))),
  };
}

export interface PasteOptions {
  catalogue: Catalogue;
  /** How far the pasted nodes stand from the copied ones. */
  shift?: { x: number; y: number };
  /** Where the outermost pasted nodes stand from now on. */
  parent?: string;
}

/**
 * Puts a part into a document under new ids: edges, parents and references inside the part follow, what pointed outside of it stays as it was, and
 * nothing else in the document changes (BR-11, BR-12). Flows that subflow nodes name are shared, not copied (BR-14). `ids` maps old ids to new.
 */
export function pastePart(
  document: FlowDocument,
  part: FlowPart,
  options: PasteOptions,
): { document: FlowDocument; ids: Map<string, string> } {
  const takenNodes = new Set(document.nodes.map(({ id }) => id));
  const takenEdges = new Set(document.edges.map(({ id }) => id));
  const takenLabels = new Set(document.nodes.map(({ label }) => label));
  const ids = new Map(part.nodes.map(({ id }) => [id, takeId(takenNodes, id)]));
  const rename = new Map([...ids].filter(([from, to]) => from !== to));
  const { shift = { x: 0, y: 0 }, catalogue } = options;
  const layout: [string, NodeLayout][] = [];
  const nodes = part.nodes.map((node): FlowNode => {
    const { parent, ...rest } = rewriteInNode(node, catalogue, rename);
    const inside = parent === undefined ? undefined : ids.get(parent);
    const holder = inside ?? options.parent;
    const id = ids.get(node.id) ?? node.id;
    const place = Object.hasOwn(part.layout, node.id) ? part.layout[node.id] : undefined;
    // what stands in something is placed relative to it
    if (place) layout.push([id, inside === undefined ? { ...place, x: place.x + shift.x, y: place.y + shift.y } : place]);
    const label = catalogue.nodes.get(node.type)?.role === 'annotation' ? node.label : takeLabel(takenLabels, node.label);
    return { ...structuredClone(rest), id, label, ...(holder === undefined ? {} : { parent: holder }) };
  });
  const edges = part.edges.map(
    (edge): FlowEdge => ({
      ...edge,
      id: takeId(takenEdges, edge.id),
      source: ids.get(edge.source) ?? edge.source,
      target: ids.get(edge.target) ?? edge.target,
    }),
  );
  return {
    ids,
    document: {
      ...document,
      nodes: [...document.nodes, ...nodes],
      edges: [...document.edges, ...edges],
      layout: { ...document.layout, nodes: { ...document.layout.nodes, ...Object.fromEntries(layout) } },
    },
  };
}

/** Copies of these nodes beside them, in the same container. */
export function duplicate(
  document: FlowDocument,
  catalogue: Catalogue,
  ids: Iterable<string>,
): { document: FlowDocument; ids: Map<string, string> } {
  const part = copyPart(document, ids);
  const within = new Set(part.nodes.map(({ id }) => id));
  const parents = new Map(
    part.nodes.flatMap(({ id, parent }) => (parent !== undefined && !within.has(parent) ? [[id, parent] as const] : [])),
  );
  const pasted = pastePart(document, part, { catalogue, shift: { x: 40, y: 40 } });
  const originals = new Map([...pasted.ids].map(([from, to]) => [to, from]));
  const nodes = pasted.document.nodes.map((node) => {
    const original = originals.get(node.id);
    const parent = original === undefined ? undefined : parents.get(original);
    return parent === undefined ? node : { ...node, parent };
  });
  return { ids: pasted.ids, document: { ...pasted.document, nodes } };
}
