import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import { copyPart, pastePart } from '@/harness/flow/edits/copy';
import { connect } from '@/harness/flow/edits/edges';
import {
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  flowDocumentSchema,
  flowEdgeSchema,
  type NodeLayout,
} from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import type { Selection } from './store';

/** What lies on the clipboard: a flow of its own, and the edges that led into it from the flow it was copied in. */
export interface Clip {
  document: FlowDocument;
  origin: string | null;
  incoming: readonly FlowEdge[];
}

const extrasSchema = z.object({ clip: z.object({ origin: z.string(), incoming: z.array(flowEdgeSchema) }) });

export function clipOf(document: FlowDocument, ids: readonly string[]): Clip {
  const part = copyPart(document, ids);
  const taken = new Set(part.nodes.map((node) => node.id));
  const nodes = part.nodes.map((node): FlowNode => {
    if (node.parent === undefined || taken.has(node.parent)) return node;
    const { parent: _left, ...rest } = node;
    return rest;
  });
  return {
    document: { ...document, nodes, edges: [...part.edges], layout: { nodes: { ...part.layout } } },
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
  const { nodes, edges } = clip.document;
  const own = new Set(nodes.map((node) => node.id));
  const tops = nodes.filter((node) => node.parent === undefined || !own.has(node.parent));
  // Nodes without a place (a file written by hand) stand in a staircase rather than on top of each other.
  const layout = Object.fromEntries(
    nodes.map((node, at): [string, NodeLayout] => [node.id, clip.document.layout.nodes[node.id] ?? { x: 40 * at, y: 40 * at }]),
  );
  const corner = {
    x: Math.min(...tops.map((node) => layout[node.id]?.x ?? 0)),
    y: Math.min(...tops.map((node) => layout[node.id]?.y ?? 0)),
  };
  const shift = { x: Math.round(options.place.x - corner.x), y: Math.round(options.place.y - corner.y) };
  const pasted = pastePart(
    document,
    { nodes, edges, layout },
    { catalogue, shift, ...(options.parent == null ? {} : { parent: options.parent }) },
  );
  const selection = { nodes: tops.map((node) => pasted.ids.get(node.id) ?? node.id), edges: [] };
  if (!options.keepIncoming || clip.origin !== document.id) return { document: pasted.document, selection };
  const connected = clip.incoming.reduce((current, edge) => {
    const target = pasted.ids.get(edge.target);
    if (target === undefined) return current;
    const shape = { kind: edge.kind, source: edge.source, target, ...(edge.port === undefined ? {} : { port: edge.port }) };
    const joined = connect(current, catalogue, shape);
    return joined.ok ? joined.document : current;
  }, pasted.document);
  return { document: connected, selection };
}
