import type { GraphNode } from '../flow/flow-graph';
import type { FlowDocument, FlowEdge, FlowNode } from '../flow/schema';
import type { RuleContext } from './context';
import type { Fix } from './diagnostic';

/** How a node is called on a button. */
const called = ({ node }: GraphNode): string => `"${node.label || node.id}"`;

const setNode = (id: string, change: (node: FlowNode) => FlowNode) => (document: FlowDocument) => ({
  ...document,
  nodes: document.nodes.map((node) => (node.id === id ? change(node) : node)),
});

export const switchOn = (entry: GraphNode): Fix => ({
  title: `Switch on ${called(entry)}`,
  apply: setNode(entry.id, ({ disabled: _, ...node }) => node),
});

export const switchOff = (entry: GraphNode): Fix => ({
  title: `Switch off ${called(entry)}`,
  apply: setNode(entry.id, (node) => ({ ...node, disabled: true })),
});

export const setConfig = (entry: GraphNode, title: string, config: FlowNode['config']): Fix => ({
  title,
  apply: setNode(entry.id, (node) => ({ ...node, config: { ...node.config, ...config } })),
});

/** Puts a new node of a type before another: these edges lead to it, and its first port leads on. Null when the type is not known. */
export function insertBefore(context: RuleContext, type: string, target: GraphNode, edges: readonly FlowEdge[]): Fix | null {
  const manifest = context.options.catalogue.nodes.get(type);
  if (!manifest || edges.length === 0) return null;
  const moved = new Set(edges.map(({ id }) => id));
  const apply = (document: FlowDocument): FlowDocument => {
    const id = freshId(type.replaceAll('-', '_'), new Set(document.nodes.map((node) => node.id)));
    const edgeId = freshId(`${id}_${target.id}`, new Set(document.edges.map((edge) => edge.id)));
    const parent = target.node.parent;
    const place = document.layout.nodes[target.id];
    return {
      ...document,
      nodes: [
        ...document.nodes,
        { id, type, typeVersion: manifest.version, label: manifest.title, config: {}, ...(parent === undefined ? {} : { parent }) },
      ],
      edges: [
        ...document.edges.map((edge) => (moved.has(edge.id) ? { ...edge, target: id } : edge)),
        { id: edgeId, kind: 'flow', source: id, port: firstPort(context, type), target: target.id },
      ],
      layout: place
        ? { ...document.layout, nodes: { ...document.layout.nodes, [id]: { x: place.x - 40, y: place.y - 140 } } }
        : document.layout,
    };
  };
  return { title: `Put "${manifest.title}" before ${called(target)}`, apply };
}

/** Attaches a policy of a type to a node: the one that is drawn, or a new one with its defaults. Null when the type is not known. */
export function attachPolicy(
  context: RuleContext,
  { type, target, known }: { type: string; target: GraphNode; known: GraphNode | null },
): Fix | null {
  const manifest = context.options.catalogue.nodes.get(type);
  if (!manifest) return null;
  const apply = (document: FlowDocument): FlowDocument => {
    const drawn = known !== null && document.nodes.some(({ id }) => id === known.id);
    const id = drawn ? known.id : freshId(type.replaceAll('-', '_'), new Set(document.nodes.map((node) => node.id)));
    const edgeId = freshId(`${id}_${target.id}`, new Set(document.edges.map((edge) => edge.id)));
    const place = document.layout.nodes[target.id];
    return {
      ...document,
      nodes: drawn ? document.nodes : [...document.nodes, { id, type, typeVersion: manifest.version, label: manifest.title, config: {} }],
      edges: [...document.edges, { id: edgeId, kind: 'attach', source: id, target: target.id }],
      layout:
        place && !drawn
          ? { ...document.layout, nodes: { ...document.layout.nodes, [id]: { x: place.x, y: place.y + 160 } } }
          : document.layout,
    };
  };
  return { title: `Attach ${known ? called(known) : `"${manifest.title}"`} to ${called(target)}`, apply };
}

function firstPort({ options }: RuleContext, type: string): string {
  const ports = options.catalogue.nodes.get(type)?.ports;
  const first = Array.isArray(ports) ? ports[0] : undefined;
  return typeof first === 'string' ? first : (first?.id ?? 'next');
}

function freshId(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const id = number === 1 ? wanted : `${wanted}_${number}`;
    if (!taken.has(id)) return id;
  }
}
