import type { Catalogue } from '@/harness/contract/catalogue';
import { referencesOf } from '@/harness/expression/rewrite';
import { configTexts } from '@/harness/flow/config-texts';
import type { FlowDocument, FlowNode } from '@/harness/flow/schema';

/** One node reads what another puts out, or a channel another writes. */
export interface DataEdge {
  from: string;
  to: string;
  /** Fields read, or the channel's name. */
  labels: readonly string[];
  kind: 'output' | 'channel';
}

interface Reads {
  nodes: ReadonlyMap<string, ReadonlySet<string>>;
  channels: ReadonlySet<string>;
}

const cache = new WeakMap<FlowNode, Reads>();

/** What a node's texts refer to; kept per node object, so an edit re-reads one node only. */
function readsOf(node: FlowNode, catalogue: Catalogue): Reads {
  const known = cache.get(node);
  if (known) return known;
  const nodes = new Map<string, Set<string>>();
  const channels = new Set<string>();
  const manifest = catalogue.nodes.get(node.type);
  for (const { text, kind } of manifest ? configTexts(manifest, node.config) : []) {
    let references: ReturnType<typeof referencesOf> = [];
    try {
      references = referencesOf(text, kind);
    } catch {
      // Half-typed text refers to nothing yet.
    }
    for (const reference of references) {
      if (reference.kind === 'state') channels.add(reference.root);
      if (reference.kind !== 'node') continue;
      const fields = nodes.get(reference.root) ?? new Set<string>();
      fields.add(reference.path.length === 0 ? 'output' : reference.path.join('.'));
      nodes.set(reference.root, fields);
    }
  }
  for (const channel of manifest?.reads ?? []) channels.add(channel);
  const reads = { nodes, channels };
  cache.set(node, reads);
  return reads;
}

/** The data edges that the document's references and channel declarations imply; those of `only` when it is given. */
export function dataEdges(document: FlowDocument, catalogue: Catalogue, only?: ReadonlySet<string>): DataEdge[] {
  const ids = new Set(document.nodes.map((node) => node.id));
  const writers = new Map<string, string[]>();
  for (const node of document.nodes) {
    for (const channel of catalogue.nodes.get(node.type)?.writes ?? []) {
      writers.set(channel, [...(writers.get(channel) ?? []), node.id]);
    }
  }
  const edges: DataEdge[] = [];
  for (const node of document.nodes) {
    const reads = readsOf(node, catalogue);
    for (const [from, fields] of reads.nodes) {
      if (ids.has(from)) edges.push({ from, to: node.id, labels: [...fields].sort(), kind: 'output' });
    }
    for (const channel of reads.channels) {
      for (const from of writers.get(channel) ?? [])
        if (from !== node.id) edges.push({ from, to: node.id, labels: [channel], kind: 'channel' });
    }
  }
  return only ? edges.filter((edge) => only.has(edge.from) || only.has(edge.to)) : edges;
}
