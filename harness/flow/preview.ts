import type { FlowDocument } from './schema';

/** A flow as a small drawing needs it: boxes in the order they are painted, lines by box index. Plain JSON, a few kilobytes at most. */
export interface FlowPreview {
  boxes: { x: number; y: number; width: number; height: number; layer: string; kind: 'node' | 'box' }[];
  lines: { from: number; to: number; kind: 'flow' | 'attach' }[];
}

/** What a drawing must know of a node type. */
export interface PreviewType {
  layer: string;
  role: string;
}

/** Larger flows are drawn by their first nodes: a thumbnail shows no more anyway. */
const boxLimit = 160;
const size = { node: { width: 240, height: 72 }, container: { width: 520, height: 240 }, annotation: { width: 560, height: 320 } };
const columnWidth = 300;
const rowHeight = 120;

type Point = { x: number; y: number };

/** Columns by distance from the first nodes, for flows that were never laid out. */
function ranked(ids: readonly string[], edges: readonly { source: string; target: string }[]): Map<string, Point> {
  const outgoing = new Map<string, string[]>();
  const incoming = new Set<string>();
  for (const edge of edges) {
    outgoing.set(edge.source, [...(outgoing.get(edge.source) ?? []), edge.target]);
    incoming.add(edge.target);
  }
  const rank = new Map<string, number>();
  const first = ids.filter((id) => !incoming.has(id));
  let wave = first.length > 0 ? first : ids.slice(0, 1);
  for (let column = 0; wave.length > 0; column += 1) {
    const next: string[] = [];
    for (const id of wave) {
      if (rank.has(id)) continue;
      rank.set(id, column);
      next.push(...(outgoing.get(id) ?? []));
    }
    wave = next;
  }
  const rows = new Map<number, number>();
  return new Map(
    ids.map((id) => {
      const column = rank.get(id) ?? 0;
      const row = rows.get(column) ?? 0;
      rows.set(column, row + 1);
      return [id, { x: column * columnWidth, y: row * rowHeight }];
    }),
  );
}

/** The flow as a thumbnail. Positions of nodes inside a container or frame are relative to it, as in the layout. Notes are left out. */
export function previewOf(document: FlowDocument, typeOf: (type: string) => PreviewType | undefined): FlowPreview {
  const nodes = document.nodes
    .map((node) => ({ node, type: typeOf(node.type) }))
    .filter(({ node, type }) => !(type?.role === 'annotation' && node.type !== 'frame'))
    .slice(0, boxLimit);
  const ids = nodes.map(({ node }) => node.id);
  const known = new Set(ids);
  const edges = document.edges.filter((edge) => known.has(edge.source) && known.has(edge.target));
  const placed = ids.filter((id) => Object.hasOwn(document.layout.nodes, id)).length;
  const fallback = placed * 2 < ids.length ? ranked(ids, edges) : null;
  const parents = new Map(nodes.map(({ node }) => [node.id, node.parent]));

  const positionOf = (id: string): Point => {
    const alone = fallback?.get(id);
    if (alone !== undefined) return alone;
    const point = { x: 0, y: 0 };
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = parents.get(at)) {
      seen.add(at);
      const own = Object.hasOwn(document.layout.nodes, at) ? document.layout.nodes[at] : undefined;
      point.x += own?.x ?? 0;
      point.y += own?.y ?? 0;
    }
    return point;
  };

  const drawn = nodes.map(({ node, type }) => {
    const own = Object.hasOwn(document.layout.nodes, node.id) ? document.layout.nodes[node.id] : undefined;
    const isBox = type?.role === 'container' || type?.role === 'annotation';
    const standard = type?.role === 'container' ? size.container : type?.role === 'annotation' ? size.annotation : size.node;
    return {
      id: node.id,
      box: {
        ...positionOf(node.id),
        width: isBox ? (own?.width ?? standard.width) : standard.width,
        height: isBox ? (own?.height ?? standard.height) : standard.height,
        layer: type?.layer ?? 'flow',
        kind: isBox ? ('box' as const) : ('node' as const),
      },
    };
  });
  // Boxes first, so that what stands inside them is painted over them.
  drawn.sort((a, b) => Number(a.box.kind === 'node') - Number(b.box.kind === 'node'));
  const index = new Map(drawn.map(({ id }, at) => [id, at]));
  const lines = edges.flatMap((edge) => {
    const from = index.get(edge.source);
    const to = index.get(edge.target);
    return from === undefined || to === undefined ? [] : [{ from, to, kind: edge.kind }];
  });
  return { boxes: drawn.map(({ box }) => box), lines };
}
