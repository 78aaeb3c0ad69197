import type { Edge, Node, NodeHandle, Position } from '@xyflow/react';
import type { Catalogue } from '@/harness/contract/catalogue';
import { errorPort } from '@/harness/contract/node';
import type { FlowDocument, FlowEdge, FlowNode, NodeLayout } from '@/harness/flow/schema';
import { descendantsOf, indexOf } from '../editor/document-index';
import { attachHandle, guardHandle, inHandle, toCanvasId } from './canvas-id';
import { type CardModel, type CardPort, cardModelOf } from './card-model';
import { flowOrder } from './flow-order';
import { type CardGeometry, geometryOf, handleSize, type Side } from './geometry';

export interface PolicyTab {
  id: string;
  title: string;
  icon: string;
}

export type CardData = {
  id: string;
  model: CardModel;
  geometry: CardGeometry;
  ports: readonly CardPort[];
  /** Ports that no edge leaves from. */
  free: readonly string[];
  errorUsed: boolean;
  policies: readonly PolicyTab[];
  layout: NodeLayout | undefined;
  footer: boolean;
  /** How many nodes a collapsed container hides. */
  hidden: number;
};

export type GhostData = { id: string; missing: string };
export type CanvasNode = Node<CardData, 'card' | 'policy' | 'container' | 'frame' | 'note' | 'unknown'> | Node<GhostData, 'ghost'>;

export type EdgeData = {
  edge: FlowEdge;
  /** Said at the source when the node has several ports. */
  label: string | null;
  loop: boolean;
  broken: string | null;
};
export type CanvasEdge = Edge<EdgeData, 'flow' | 'attach'>;

export interface Projection {
  nodes: readonly CanvasNode[];
  edges: readonly CanvasEdge[];
}

export interface ProjectionInput {
  document: FlowDocument;
  catalogue: Catalogue;
  /** A run is on view. */
  footer: boolean;
  readOnly: boolean;
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
const ghostId = (edge: FlowEdge, end: 'source' | 'target'): string => `ghost:${end}:${toCanvasId(edge.id)}`;

/** React Flow's enum has these very words as values; importing it as a value would bring React into what must run without it. */
const positionOf = (side: Side): Position => side as Position;

const handlesOf = (geometry: CardGeometry): NodeHandle[] =>
  geometry.handles.map((spot) => ({
    id: spot.id,
    type: spot.type,
    position: positionOf(spot.side),
    x: spot.x - handleSize / 2,
    y: spot.y - handleSize / 2,
    width: handleSize,
    height: handleSize,
  }));

/** Ports as drawn: the declared ones, then those that only a broken edge still names. */
function portsWithBroken(model: CardModel, edges: readonly FlowEdge[]): readonly CardPort[] {
  const declared = new Set(model.ports.map((port) => port.id));
  const broken: CardPort[] = [];
  for (const edge of edges) {
    const port = edge.port ?? 'next';
    if (declared.has(port) || (port === errorPort && model.fails)) continue;
    declared.add(port);
    broken.push({ id: port, title: port, broken: model.kind !== 'unknown' });
  }
  return broken.length === 0 ? model.ports : [...model.ports, ...broken];
}

const zOf = (model: CardModel): number => (model.kind === 'frame' ? -2 : model.kind === 'container' ? -1 : 0);

/** A node after the parent it stands in, as React Flow wants it; a parent that does not exist, or stands inside its own child, is passed over. */
function parentOf(node: FlowNode, document: FlowDocument): string | undefined {
  if (node.parent === undefined || !indexOf(document).nodes.has(node.parent)) return undefined;
  return descendantsOf(document, node.id).has(node.parent) || node.parent === node.id ? undefined : node.parent;
}

const hiddenBy = (node: FlowNode, document: FlowDocument): boolean => {
  const { nodes } = indexOf(document);
  const seen = new Set<string>();
  for (let id = node.parent; id !== undefined && !seen.has(id); id = nodes.get(id)?.parent) {
    seen.add(id);
    if (document.layout.nodes[id]?.collapsed) return true;
  }
  return false;
};

function projectNodes(input: ProjectionInput, before: ReadonlyMap<string, CanvasNode>): CanvasNode[] {
  const { document, catalogue } = input;
  const index = indexOf(document);
  const ordered = flowOrder(document);
  const collapsed = document.nodes.some((node) => document.layout.nodes[node.id]?.collapsed);
  let stray = 0;
  const project = (node: FlowNode): CanvasNode => {
    const id = toCanvasId(node.id);
    const layout = Object.hasOwn(document.layout.nodes, node.id) ? document.layout.nodes[node.id] : undefined;
    const model = cardModelOf(node, catalogue);
    const outgoing = index.outgoing.get(node.id) ?? [];
    const ports = portsWithBroken(model, outgoing);
    const used = new Set(outgoing.map((edge) => edge.port ?? 'next'));
    const accepts = model.accepts || (index.incoming.get(node.id)?.length ?? 0) > 0;
    const footer = input.footer && model.kind !== 'policy';
    const policies = (index.attached.get(node.id) ?? []).map((edge): PolicyTab => {
      const policy = index.nodes.get(edge.source);
      const policyModel = policy ? cardModelOf(policy, catalogue) : null;
      return { id: edge.source, title: policyModel?.title ?? edge.source, icon: policyModel?.icon ?? 'shield' };
    });
    const geometry = geometryOf({ model, ports, layout, footer, accepts });
    const parent = parentOf(node, document);
    const data: CardData = {
      id: node.id,
      model,
      geometry,
      ports,
      free: ports.filter((port) => !used.has(port.id)).map((port) => port.id),
      errorUsed: used.has(errorPort),
      policies,
      layout,
      footer,
      hidden: layout?.collapsed && (model.kind === 'container' || model.kind === 'frame') ? descendantsOf(document, node.id).size : 0,
    };
    const hidden = collapsed && hiddenBy(node, document);
    const last = before.get(id);
    // A node without a place (a file written by hand) stands in a row above the rest.
    const position = layout ? { x: layout.x, y: layout.y } : { x: 280 * stray++, y: -160 };
    if (last && last.type !== 'ghost') {
      const old = last.data;
      const kept =
        old.model === model &&
        old.layout === layout &&
        old.footer === footer &&
        last.parentId === (parent === undefined ? undefined : toCanvasId(parent)) &&
        (last.hidden ?? false) === hidden &&
        last.position.x === position.x &&
        last.position.y === position.y &&
        old.hidden === data.hidden &&
        old.errorUsed === data.errorUsed &&
        same(old.free, data.free) &&
        same(old.ports, ports) &&
        same(old.policies, policies) &&
        old.geometry.handles.length === geometry.handles.length;
      if (kept) return last;
    }
    return {
      id,
      type: model.kind,
      data,
      position,
      ...(parent === undefined ? {} : { parentId: toCanvasId(parent) }),
      hidden,
      width: geometry.width,
      height: geometry.height,
      measured: { width: geometry.width, height: geometry.height },
      handles: handlesOf(geometry),
      zIndex: zOf(model),
      draggable: !input.readOnly && layout?.locked !== true,
      deletable: layout?.locked !== true,
      ariaLabel: [model.title, model.typeTitle, node.disabled ? 'disabled' : ''].filter(Boolean).join(', '),
      selected: last?.selected ?? false,
    };
  };
  // Parents first; inside that, the order of the flow.
  const done = new Set<string>();
  const result: CanvasNode[] = [];
  const add = (node: FlowNode): void => {
    if (done.has(node.id)) return;
    done.add(node.id);
    const parent = parentOf(node, document);
    const above = parent === undefined ? undefined : index.nodes.get(parent);
    if (above) add(above);
    result.push(project(node));
  };
  for (const node of ordered) add(node);
  return result;
}

/** A port that is a named row of the card needs no second name at the edge. */
const needsLabel = (data: CardData, id: string): boolean => id === errorPort || (data.ports.length > 1 && data.layout?.collapsed === true);

const port = (edge: FlowEdge): string => edge.port ?? 'next';

function projectEdges(
  input: ProjectionInput,
  nodes: readonly CanvasNode[],
  before: ReadonlyMap<string, CanvasEdge>,
): [CanvasEdge[], CanvasNode[]] {
  const cards = new Map(nodes.map((node) => [node.id, node]));
  const ghosts: CanvasNode[] = [];
  const { nodes: known } = indexOf(input.document);

  const ghost = (edge: FlowEdge, end: 'source' | 'target'): string => {
    const id = ghostId(edge, end);
    const other = cards.get(toCanvasId(end === 'source' ? edge.target : edge.source));
    const dx = end === 'source' ? -200 : (other?.width ?? 0) + 60;
    ghosts.push({
      id,
      type: 'ghost',
      data: { id, missing: edge[end] },
      position: { x: (other?.position.x ?? 0) + dx, y: (other?.position.y ?? 0) + 6 + ghosts.length * 4 },
      ...(other?.parentId === undefined ? {} : { parentId: other.parentId }),
      width: 140,
      height: 28,
      measured: { width: 140, height: 28 },
      handles: [
        { id: inHandle, type: 'target', position: positionOf('left'), x: -5, y: 9, width: handleSize, height: handleSize },
        { id: 'out', type: 'source', position: positionOf('right'), x: 135, y: 9, width: handleSize, height: handleSize },
      ],
      draggable: false,
      selectable: false,
      focusable: false,
    });
    return id;
  };

  const edges = input.document.edges.map((edge): CanvasEdge => {
    const source = known.has(edge.source) ? toCanvasId(edge.source) : null;
    const target = known.has(edge.target) ? toCanvasId(edge.target) : null;
    const card = source === null ? undefined : cards.get(source);
    const data = card && card.type !== 'ghost' ? card.data : null;
    const drawn = data?.ports.find((candidate) => candidate.id === port(edge));
    const broken =
      source === null
        ? `It comes from "${edge.source}", which is not there.`
        : target === null
          ? `It leads to "${edge.target}", which is not there.`
          : edge.kind === 'flow' && drawn?.broken
            ? `${data?.model.title ?? edge.source} has no port "${port(edge)}".`
            : null;
    const next: CanvasEdge = {
      id: toCanvasId(edge.id),
      type: edge.kind,
      source: source ?? ghost(edge, 'source'),
      target: target ?? ghost(edge, 'target'),
      sourceHandle: source === null ? 'out' : edge.kind === 'attach' ? attachHandle : toCanvasId(port(edge)),
      targetHandle: edge.kind === 'attach' && target !== null ? guardHandle : inHandle,
      data: {
        edge,
        label: edge.kind === 'flow' && data && needsLabel(data, port(edge)) ? (drawn?.title ?? port(edge)) : null,
        loop: edge.maxTraversals !== undefined,
        broken,
      },
      interactionWidth: 24,
      ariaLabel: `${edge.kind === 'attach' ? 'Policy' : 'Edge'} from ${known.get(edge.source)?.label ?? edge.source} to ${known.get(edge.target)?.label ?? edge.target}`,
      reconnectable: !input.readOnly,
    };
    const last = before.get(next.id);
    if (!last) return next;
    const kept =
      last.data?.edge === edge &&
      last.source === next.source &&
      last.target === next.target &&
      last.data.label === next.data?.label &&
      last.data.broken === broken;
    return kept ? last : { ...next, selected: last.selected ?? false };
  });
  return [edges, ghosts];
}

/**
 * The document as React Flow draws it. Objects of the projection before are handed out again where nothing about them changed, so that an edit of one node
 * renders that node and no other (BR-72).
 */
export function project(input: ProjectionInput, before?: Projection): Projection {
  const oldNodes = new Map((before?.nodes ?? []).map((node) => [node.id, node]));
  const oldEdges = new Map((before?.edges ?? []).map((edge) => [edge.id, edge]));
  const nodes = projectNodes(input, oldNodes);
  const [edges, ghosts] = projectEdges(input, nodes, oldEdges);
  return { nodes: ghosts.length === 0 ? nodes : [...nodes, ...ghosts], edges };
}
