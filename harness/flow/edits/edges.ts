import type { Catalogue } from '../../contract/catalogue';
import { checkConnection, graphOf } from '../connect-check';
import type { EdgeShape } from '../edge-problem';
import type { FlowDocument, FlowEdge } from '../schema';
import { done, type Edit, refused, takeId } from './edit';

/** How often an edge that closes a loop may be taken when nobody said. */
export const defaultTraversals = 25;

/** Draws an edge, if it may be drawn. One that closes a loop is given a cap. */
export function connect(document: FlowDocument, catalogue: Catalogue, shape: EdgeShape): Edit {
  const problem = checkConnection(document, catalogue, shape);
  if (problem) return refused(problem.code, problem.message);
  const wanted = `${shape.source}_${shape.port ?? 'attach'}_${shape.target}`.slice(0, 200);
  const id = takeId(new Set(document.edges.map((edge) => edge.id)), wanted);
  return done({ ...document, edges: [...document.edges, withCap(document, shapedEdge(id, shape))] });
}

/** Leads an edge elsewhere; it keeps its id and its cap. */
export function reconnect(document: FlowDocument, catalogue: Catalogue, change: { id: string; shape: EdgeShape }): Edit {
  const edge = document.edges.find(({ id }) => id === change.id);
  if (!edge) return refused('EDGE_MISSING', 'The edge does not exist any more.');
  const without = { ...document, edges: document.edges.filter(({ id }) => id !== change.id) };
  const problem = checkConnection(without, catalogue, change.shape);
  if (problem) return refused(problem.code, problem.message);
  const cap = edge.maxTraversals === undefined ? {} : { maxTraversals: edge.maxTraversals };
  const moved = withCap(without, { ...shapedEdge(edge.id, change.shape), ...cap });
  return done({ ...document, edges: document.edges.map((other) => (other.id === edge.id ? moved : other)) });
}

/** Puts a node into an edge: the edge leads to it, and a new one from its first port to where the edge led. */
export function insertOnEdge(document: FlowDocument, catalogue: Catalogue, change: { edge: string; node: string }): Edit {
  const edge = document.edges.find(({ id }) => id === change.edge);
  if (edge?.kind !== 'flow') return refused('EDGE_MISSING', 'Only a flow edge can take a node in.');
  const port = graphOf(document, catalogue).nodes.get(change.node)?.ports?.[0]?.id;
  if (port === undefined) return refused('EDGE_PORT_MISSING', 'This node leads nowhere, so it cannot stand in an edge.');
  const entered = reconnect(document, catalogue, {
    id: edge.id,
    shape: { kind: 'flow', source: edge.source, ...portOf(edge), target: change.node },
  });
  return entered.ok ? connect(entered.document, catalogue, { kind: 'flow', source: change.node, port, target: edge.target }) : entered;
}

export function setMaxTraversals(document: FlowDocument, id: string, maxTraversals: number | null): FlowDocument {
  return {
    ...document,
    edges: document.edges.map((edge) => {
      if (edge.id !== id) return edge;
      const { maxTraversals: _was, ...rest } = edge;
      return maxTraversals === null ? rest : { ...rest, maxTraversals };
    }),
  };
}

const portOf = ({ port }: Pick<FlowEdge, 'port'>) => (port === undefined ? {} : { port });

const shapedEdge = (id: string, { kind, source, port, target }: EdgeShape): FlowEdge => ({
  id,
  kind,
  source,
  ...(kind === 'flow' && port !== undefined ? { port } : {}),
  target,
});

function withCap(document: FlowDocument, edge: FlowEdge): FlowEdge {
  const closesLoop = edge.kind === 'flow' && edge.maxTraversals === undefined && leadsTo(document, edge.target, edge.source);
  return closesLoop ? { ...edge, maxTraversals: defaultTraversals } : edge;
}

function leadsTo(document: FlowDocument, from: string, to: string): boolean {
  const targets = new Map<string, string[]>();
  for (const { kind, source, target } of document.edges) {
    if (kind === 'flow') targets.set(source, [...(targets.get(source) ?? []), target]);
  }
  const seen = new Set<string>();
  const stack = [from];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    stack.push(...(targets.get(id) ?? []));
  }
  return false;
}
