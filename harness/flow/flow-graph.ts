import type { Catalogue } from '../contract/catalogue';
import { isJsonObject, type JsonObject } from '../contract/json';
import { type AnyManifest, type NodeRole, type PortSpec, portsOf } from '../contract/node';
import { edgeProblem } from './edge-problem';
import { migrateConfig, type TypeStatus } from './migrate';
import type { FlowDocument, FlowEdge, FlowNode } from './schema';

export interface ConfigIssue {
  path: string;
  message: string;
}

/** A node with what its type makes of it. */
export interface GraphNode {
  id: string;
  node: FlowNode;
  status: TypeStatus;
  manifest: AnyManifest | null;
  /** Null for unknown types. */
  role: NodeRole | null;
  /** Migrated and, when it is valid, parsed with defaults filled in; otherwise as it stands. */
  config: JsonObject;
  issues: ConfigIssue[];
  /** Null when the type is not known, and so any port may be. */
  ports: readonly PortSpec[] | null;
  /** Nearest enclosing container; frames do not count. */
  container: string | null;
  /** Sound flow edges only, by edge id. */
  out: FlowEdge[];
  in: FlowEdge[];
}

export interface BrokenEdge {
  edge: FlowEdge;
  code: string;
  message: string;
}

/** One index over a document, shared by the connect check, the canvas and every compiler rule. Node and edge order is by id. */
export interface FlowGraph {
  document: FlowDocument;
  catalogue: Catalogue;
  nodes: ReadonlyMap<string, GraphNode>;
  /** Ids that stand on more than one node or edge. */
  duplicateNodeIds: readonly string[];
  duplicateEdgeIds: readonly string[];
  /** Nodes whose parents lead back to themselves. */
  cyclicParents: readonly string[];
  broken: readonly BrokenEdge[];
  /** Attach edges that hold. */
  attachments: readonly FlowEdge[];
  /** Members by container id; the nodes outside of any under `null`. */
  bodies: ReadonlyMap<string | null, readonly string[]>;
}

/** Order of text by code unit: the same on every machine, unlike a locale's. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const byId = (a: { id: string }, b: { id: string }): number => byText(a.id, b.id);

/** Builds the index. Never throws; takes linear time apart from sorting. */
export function buildFlowGraph(document: FlowDocument, catalogue: Catalogue): FlowGraph {
  const nodes = new Map<string, GraphNode>();
  const duplicateNodeIds = new Set<string>();
  for (const node of [...document.nodes].sort(byId)) {
    if (nodes.has(node.id)) duplicateNodeIds.add(node.id);
    else nodes.set(node.id, graphNode(node, catalogue));
  }
  const cyclicParents = placeInContainers(nodes);
  const bodies = new Map<string | null, string[]>([[null, []]]);
  for (const { id, container } of nodes.values()) {
    const members = bodies.get(container);
    if (members) members.push(id);
    else bodies.set(container, [id]);
  }
  const broken: BrokenEdge[] = [];
  const attachments: FlowEdge[] = [];
  const duplicateEdgeIds = new Set<string>();
  const edgeIds = new Set<string>();
  for (const edge of [...document.edges].sort(byId)) {
    if (edgeIds.has(edge.id)) {
      duplicateEdgeIds.add(edge.id);
      continue;
    }
    edgeIds.add(edge.id);
    const problem = edgeProblem(nodes, edge);
    if (problem) broken.push({ edge, ...problem });
    else if (edge.kind === 'attach') attachments.push(edge);
    else {
      nodes.get(edge.source)?.out.push(edge);
      nodes.get(edge.target)?.in.push(edge);
    }
  }
  return {
    document,
    catalogue,
    nodes,
    duplicateNodeIds: [...duplicateNodeIds],
    duplicateEdgeIds: [...duplicateEdgeIds],
    cyclicParents,
    broken,
    attachments,
    bodies,
  };
}

function graphNode(node: FlowNode, catalogue: Catalogue): GraphNode {
  const manifest = catalogue.nodes.get(node.type) ?? null;
  const { status, config: migrated } = migrateConfig(node, manifest ?? undefined);
  const base = { id: node.id, node, status, manifest, container: null, out: [], in: [] };
  if (!manifest || status === 'newer' || status === 'stuck') {
    return { ...base, role: manifest?.role ?? null, config: migrated, issues: [], ports: manifest ? safePorts(manifest, migrated) : null };
  }
  const parsed = manifest.config.safeParse(migrated);
  const config: JsonObject = parsed.success && isJsonObject(parsed.data) ? parsed.data : migrated;
  const issues = parsed.success
    ? []
    : parsed.error.issues.map((issue: { path: readonly PropertyKey[]; message: string }) => ({
        path: issue.path.map(String).join('.'),
        message: issue.message,
      }));
  return { ...base, role: manifest.role, config, issues, ports: safePorts(manifest, config) };
}

/** Ports of a config that may be invalid, where an entry can be anything; null when the type cannot say. */
function safePorts(manifest: AnyManifest, config: JsonObject): readonly PortSpec[] | null {
  try {
    return portsOf(manifest, config).filter((port: Partial<PortSpec> | null | undefined) => typeof port?.id === 'string');
  } catch {
    return null;
  }
}

/** Sets `container` on every node; answers the nodes on parent cycles, which count as standing outside. */
function placeInContainers(nodes: ReadonlyMap<string, GraphNode>): string[] {
  const cyclic: string[] = [];
  for (const entry of nodes.values()) {
    const seen = new Set([entry.id]);
    let parent = entry.node.parent;
    while (parent !== undefined) {
      const holder = nodes.get(parent);
      if (!holder) break;
      if (seen.has(parent)) {
        if (parent === entry.id) cyclic.push(entry.id);
        entry.container = null;
        break;
      }
      seen.add(parent);
      if (entry.container === null && holder.role === 'container') entry.container = parent;
      parent = holder.node.parent;
    }
  }
  return cyclic;
}
