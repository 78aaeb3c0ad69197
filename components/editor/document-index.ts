import type { FlowDocument, FlowEdge, FlowNode } from '@/harness/flow/schema';

/** Look-ups over one document, built once per document object and kept as long as it lives. */
export interface DocumentIndex {
  readonly nodes: ReadonlyMap<string, FlowNode>;
  readonly edges: ReadonlyMap<string, FlowEdge>;
  /** Flow edges by the node they leave. */
  readonly outgoing: ReadonlyMap<string, readonly FlowEdge[]>;
  /** Flow edges by the node they reach. */
  readonly incoming: ReadonlyMap<string, readonly FlowEdge[]>;
  /** Attach edges by the node they guard. */
  readonly attached: ReadonlyMap<string, readonly FlowEdge[]>;
  readonly children: ReadonlyMap<string, readonly FlowNode[]>;
}

const indices = new WeakMap<FlowDocument, DocumentIndex>();

const push = <T>(map: Map<string, T[]>, key: string, value: T): void => {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

export function indexOf(document: FlowDocument): DocumentIndex {
  const known = indices.get(document);
  if (known) return known;
  const outgoing = new Map<string, FlowEdge[]>();
  const incoming = new Map<string, FlowEdge[]>();
  const attached = new Map<string, FlowEdge[]>();
  const children = new Map<string, FlowNode[]>();
  for (const edge of document.edges) {
    if (edge.kind === 'attach') push(attached, edge.target, edge);
    else {
      push(outgoing, edge.source, edge);
      push(incoming, edge.target, edge);
    }
  }
  for (const node of document.nodes) if (node.parent !== undefined) push(children, node.parent, node);
  const index: DocumentIndex = {
    nodes: new Map(document.nodes.map((node) => [node.id, node])),
    edges: new Map(document.edges.map((edge) => [edge.id, edge])),
    outgoing,
    incoming,
    attached,
    children,
  };
  indices.set(document, index);
  return index;
}

/** Every node inside `id`, however deep. Cyclic parents (a broken file) end the walk instead of looping. */
export function descendantsOf(document: FlowDocument, id: string): Set<string> {
  const { children } = indexOf(document);
  const found = new Set<string>();
  const queue = [id];
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    for (const child of children.get(current) ?? []) {
      if (found.has(child.id) || child.id === id) continue;
      found.add(child.id);
      queue.push(child.id);
    }
  }
  return found;
}
