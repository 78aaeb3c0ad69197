import type { AnyManifest } from '@/harness/contract/node';
import { checkConnection, graphOf } from '@/harness/flow/connect-check';
import { type EdgeShape, edgeProblem } from '@/harness/flow/edge-problem';
import { buildFlowGraph, type GraphNode } from '@/harness/flow/flow-graph';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { attachHandle, fromCanvasId, guardHandle, inHandle } from './canvas-id';
import type { OpenConnection } from './canvas-ui';
import { cardModelOf } from './card-model';

export interface HandleRef {
  id: string;
  type: 'source' | 'target';
}

/** What a connection that starts at this handle is. Ids are document ids, the handle's is the canvas's. */
export function connectionFrom(node: string, handle: HandleRef): OpenConnection {
  const kind = handle.id === attachHandle || handle.id === guardHandle ? 'attach' : 'flow';
  return { node, port: handle.type === 'source' && kind === 'flow' ? fromCanvasId(handle.id) : null, kind, from: handle.type };
}

/** The edge that would join an open connection to a handle of another node; null when the two cannot meet at all. */
export function edgeBetween(connection: OpenConnection, node: string, handle: HandleRef): EdgeShape | null {
  if (handle.type === connection.from) return null;
  const other = connectionFrom(node, handle);
  if (other.kind !== connection.kind) return null;
  const [source, target] = connection.from === 'source' ? [connection, other] : [other, connection];
  return connection.kind === 'attach'
    ? { kind: 'attach', source: source.node, target: target.node }
    : { kind: 'flow', source: source.node, port: source.port ?? undefined, target: target.node };
}

export function fitsConnection(document: FlowDocument, connection: OpenConnection, at: { node: string; spot: HandleRef }): boolean {
  const edge = edgeBetween(connection, at.node, at.spot);
  return edge !== null && checkConnection(document, catalogue, edge) === null;
}

/** Handles by which a node can be reached, free ports first: what a drop anywhere on it means (BR-17). */
export function handlesOfNode(document: FlowDocument, id: string): HandleRef[] {
  const node = document.nodes.find((candidate) => candidate.id === id);
  if (!node) return [];
  const model = cardModelOf(node, catalogue);
  const used = new Set(document.edges.filter((edge) => edge.kind === 'flow' && edge.source === id).map((edge) => edge.port));
  const ports = [...model.ports].sort((a, b) => Number(used.has(a.id)) - Number(used.has(b.id)));
  return [
    ...(model.accepts ? [{ id: inHandle, type: 'target' } as const] : []),
    ...ports.map((port) => ({ id: port.id, type: 'source' }) as const),
    ...(model.guarded ? [{ id: guardHandle, type: 'target' } as const] : []),
    ...(model.kind === 'policy' ? [{ id: attachHandle, type: 'source' } as const] : []),
  ];
}

/** The edge that dropping a connection on a node makes, or why none can be made. */
export function edgeOnDrop(document: FlowDocument, connection: OpenConnection, node: string): { edge: EdgeShape } | { refusal: string } {
  let refusal = 'These two cannot be connected.';
  // A policy dropped anywhere on a node is pinned to it, a node dropped on a policy pins that policy.
  const handles = handlesOfNode(document, node).map((handle) => edgeBetween(connection, node, handle));
  for (const edge of handles) {
    if (!edge) continue;
    const problem = checkConnection(document, catalogue, edge);
    if (!problem) return { edge };
    refusal = problem.message;
  }
  return { refusal };
}

const probe = 'probe';

/** A node of this type as the graph sees it, standing beside `beside`. */
function probeOf(manifest: AnyManifest, beside: GraphNode | undefined): GraphNode | null {
  const defaults = manifest.config.safeParse({});
  const document = flowDocumentSchema.parse({
    format: 'bridle/flow',
    version: 1,
    id: 'probe',
    name: 'probe',
    nodes: [
      { id: probe, type: manifest.id, typeVersion: manifest.version, label: manifest.title, config: defaults.success ? defaults.data : {} },
    ],
    edges: [],
  });
  const entry = buildFlowGraph(document, catalogue).nodes.get(probe);
  return entry ? { ...entry, container: beside?.container ?? null } : null;
}

/** The port of a new node of this type that the connection would use; null when the type does not fit. */
export function portThatFits(document: FlowDocument, connection: OpenConnection, manifest: AnyManifest): { port: string | null } | null {
  const beside = graphOf(document, catalogue).nodes.get(connection.node);
  const entry = probeOf(manifest, beside);
  if (!beside || !entry) return null;
  const nodes = new Map([
    [connection.node, beside],
    [probe, entry],
  ]);
  const holds = (edge: EdgeShape): boolean => edgeProblem(nodes, edge) === null;
  if (connection.kind === 'attach') {
    const edge: EdgeShape =
      connection.from === 'source'
        ? { kind: 'attach', source: connection.node, target: probe }
        : { kind: 'attach', source: probe, target: connection.node };
    return holds(edge) ? { port: null } : null;
  }
  if (connection.from === 'source') {
    return holds({ kind: 'flow', source: connection.node, port: connection.port ?? undefined, target: probe }) ? { port: null } : null;
  }
  const port = (entry.ports ?? []).find((candidate) => holds({ kind: 'flow', source: probe, port: candidate.id, target: connection.node }));
  return port ? { port: port.id } : null;
}
