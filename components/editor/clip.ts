import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import { rewriteReferences } from '@/harness/expression/rewrite';
import { mapConfigTexts } from '@/harness/flow/config-texts';
import {
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  flowDocumentSchema,
  flowEdgeSchema,
  type NodeLayout,
} from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { descendantsOf, indexOf } from './document-index';
import type { Selection } from './store';

/** What lies on the clipboard: a flow of its own, and the edges that led into it from the flow it was copied in. */
export interface Clip {
  document: FlowDocument;
  origin: string | null;
  incoming: readonly FlowEdge[];
}

const extrasSchema = z.object({ clip: z.object({ origin: z.string(), incoming: z.array(flowEdgeSchema) }) });

/** The ids that copying these takes along: the insides of containers come with them. */
export const withInsides = (document: FlowDocument, ids: readonly string[]): Set<string> =>
  new Set(ids.flatMap((id) => [id, ...descendantsOf(document, id)]));

export function clipOf(document: FlowDocument, ids: readonly string[]): Clip {
  const taken = withInsides(document, ids);
  const nodes = document.nodes
    .filter((node) => taken.has(node.id))
    .map((node): FlowNode => {
      if (node.parent === undefined || taken.has(node.parent)) return node;
      const { parent: _left, ...rest } = node;
      return rest;
    });
  const layout: Record<string, NodeLayout> = {};
  for (const { id } of nodes) {
    const own = document.layout.nodes[id];
    if (own) layout[id] = own;
  }
  const edges = document.edges.filter((edge) => taken.has(edge.source) && taken.has(edge.target));
  return {
    document: { ...document, nodes, edges, layout: { nodes: layout } },
    origin: document.id,
    incoming: document.edges.filter((edge) => !taken.has(edge.source) && taken.has(edge.target)),
  };
}

/** The clipboard text is a flow document that can be pasted anywhere, also into a file. */
export const clipText = (clip: Clip): string =>
  JSON.stringify({ ...clip.document, clip: { origin: clip.origin, incoming: clip.incoming } }, null, 2);

/** Reads clipboard text; null when it is not about a flow at all, a thrown user error when it is one that cannot be read. */
export function readClip(text: string): Clip | null {
  if (!text.trimStart().startsWith('{') || !text.includes('bridle/flow')) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw userError('CLIP_INVALID', 'The text on the clipboard is a flow that was cut off. Copy it again, whole.');
  }
  const parsed = flowDocumentSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw userError(
      'CLIP_INVALID',
      `The flow on the clipboard cannot be read at "${issue?.path.map(String).join('.') ?? ''}": ${issue?.message ?? 'unknown'}`,
    );
  }
  const extras = extrasSchema.safeParse(value);
  return {
    document: parsed.data,
    origin: extras.success ? extras.data.clip.origin : null,
    incoming: extras.success ? extras.data.clip.incoming : [],
  };
}

const freeId = (taken: Set<string>, base: string): string => {
  const stem = base.replace(/_\d+$/, '');
  let id = base;
  for (let count = 2; taken.has(id); count += 1) id = `${stem}_${count}`;
  taken.add(id);
  return id;
};

const freeLabel = (taken: Set<string>, base: string): string => {
  const stem = base.replace(/ \d+$/, '');
  let label = base;
  for (let count = 2; label !== '' && taken.has(label); count += 1) label = `${stem} ${count}`;
  taken.add(label);
  return label;
};

export interface PasteOptions {
  /** Top left of the pasted group in coordinates of `parent` (or the canvas). */
  place: { x: number; y: number };
  parent?: string | null;
  /** Also connect the copies to what led into the originals; only where that is still there in the same flow (BR-12). */
  keepIncoming?: boolean;
}

/**
 * Puts a clip into a document under new ids. Edges and references inside the clip follow the new ids; nothing else in the document is touched, and nothing
 * is connected to what was selected (BR-11, BR-12).
 */
export function pasteClip(document: FlowDocument, clip: Clip, options: PasteOptions): { document: FlowDocument; selection: Selection } {
  const nodeIds = new Set(document.nodes.map((node) => node.id));
  const labels = new Set(document.nodes.map((node) => node.label));
  const edgeIds = new Set(document.edges.map((edge) => edge.id));
  const ids = new Map(clip.document.nodes.map((node) => [node.id, freeId(nodeIds, node.id)]));
  const renamed = new Map([...ids].filter(([from, to]) => from !== to));
  const tops = clip.document.nodes.filter((node) => node.parent === undefined || !ids.has(node.parent));
  const corner = tops.reduce(
    (least, node) => {
      const own = clip.document.layout.nodes[node.id];
      return own ? { x: Math.min(least.x, own.x), y: Math.min(least.y, own.y) } : least;
    },
    { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY },
  );
  const shift = {
    x: options.place.x - (Number.isFinite(corner.x) ? corner.x : 0),
    y: options.place.y - (Number.isFinite(corner.y) ? corner.y : 0),
  };
  const layout: Record<string, NodeLayout> = { ...document.layout.nodes };
  const topIds = new Set(tops.map((node) => node.id));
  const nodes = clip.document.nodes.map((node, at): FlowNode => {
    const id = ids.get(node.id) ?? node.id;
    const own = clip.document.layout.nodes[node.id] ?? { x: 40 * at, y: 40 * at };
    layout[id] = topIds.has(node.id) ? { ...own, x: Math.round(own.x + shift.x), y: Math.round(own.y + shift.y) } : own;
    const manifest = catalogue.nodes.get(node.type);
    const config =
      renamed.size === 0 || !manifest
        ? node.config
        : mapConfigTexts(manifest, node.config, ({ text, kind }) => rewriteReferences(text, kind, renamed));
    const { parent: _old, ...rest } = node;
    const parent = topIds.has(node.id) ? (options.parent ?? undefined) : ids.get(node.parent ?? '');
    const annotation = manifest?.role === 'annotation';
    return {
      ...rest,
      id,
      label: annotation ? node.label : freeLabel(labels, node.label),
      config,
      ...(parent === undefined ? {} : { parent }),
    };
  });
  const target = indexOf(document);
  const incoming =
    options.keepIncoming && clip.origin === document.id
      ? clip.incoming.filter((edge) => target.nodes.has(edge.source) && ids.has(edge.target))
      : [];
  const edges = [...clip.document.edges, ...incoming].map(
    (edge): FlowEdge => ({
      ...edge,
      id: freeId(edgeIds, edge.id),
      source: ids.get(edge.source) ?? edge.source,
      target: ids.get(edge.target) ?? edge.target,
    }),
  );
  return {
    document: {
      ...document,
      nodes: [...document.nodes, ...nodes],
      edges: [...document.edges, ...edges],
      layout: { ...document.layout, nodes: layout },
    },
    selection: { nodes: tops.map((node) => ids.get(node.id) ?? node.id), edges: [] },
  };
}
