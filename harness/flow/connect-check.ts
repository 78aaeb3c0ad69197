import type { Catalogue } from '../contract/catalogue';
import { type EdgeProblem, type EdgeShape, edgeProblem } from './edge-problem';
import { type BrokenEdge, buildFlowGraph, type FlowGraph } from './flow-graph';
import type { FlowDocument } from './schema';

const graphs = new WeakMap<FlowDocument, FlowGraph>();

/** The index of a document that will not change, built once. */
export function graphOf(document: FlowDocument, catalogue: Catalogue): FlowGraph {
  const known = graphs.get(document);
  if (known?.catalogue === catalogue) return known;
  const graph = buildFlowGraph(document, catalogue);
  graphs.set(document, graph);
  return graph;
}

/** Why a new edge may not be drawn, or null when it may. The compiler decides by the same `edgeProblem`. */
export function checkConnection(document: FlowDocument, catalogue: Catalogue, edge: EdgeShape): EdgeProblem | null {
  const problem = edgeProblem(graphOf(document, catalogue).nodes, edge);
  if (problem) return problem;
  const exists = document.edges.some(
    (other) => other.kind === edge.kind && other.source === edge.source && other.target === edge.target && other.port === edge.port,
  );
  return exists ? { code: 'EDGE_EXISTS', message: 'These two are connected already.' } : null;
}

/** Edges that do not hold: derived, never stored, so nothing is lost when the cause goes away (BR-25, BR-30). */
export const brokenEdges = (document: FlowDocument, catalogue: Catalogue): readonly BrokenEdge[] => graphOf(document, catalogue).broken;
