import type { Belief, WorldModel } from '../world-model/state';
import { unverifiedRatio } from './propagate';
import type { BeliefDepGraph, BeliefEdge } from './state';

const withRatio = (graph: BeliefDepGraph): BeliefDepGraph => ({
  ...graph,
  unverified_edge_ratio: unverifiedRatio(graph.derived_from_edges),
});

/** An edge from everything the belief derives from to the belief, unverified at first (D12). Adding a belief twice adds nothing. */
export function addDerivations(graph: BeliefDepGraph, belief: Belief): BeliefDepGraph {
  const known = new Set(graph.belief_nodes.map((node) => node.belief_id));
  // A belief that is not in the graph yet has no edges in it either.
  const drawn = new Set(known.has(belief.id) ? graph.derived_from_edges.filter(({ to }) => to === belief.id).map(({ from }) => from) : []);
  const nodes = [...graph.belief_nodes];
  const add = (belief_id: string, confidence: number) => {
    if (known.has(belief_id)) return;
    known.add(belief_id);
    nodes.push({ belief_id, confidence });
  };
  // What is not a belief is something seen: nothing stands behind it, so it is certain as far as this graph goes.
  for (const source of belief.derived_from) add(source, 1);
  add(belief.id, belief.confidence);
  const edges: BeliefEdge[] = belief.derived_from
    .filter((source) => source !== belief.id && !drawn.has(source))
    .map((source) => ({ from: source, to: belief.id, confidence: 1, verified: false }));
  return edges.length === 0 && nodes.length === graph.belief_nodes.length
    ? graph
    : withRatio({ ...graph, belief_nodes: nodes, derived_from_edges: [...graph.derived_from_edges, ...edges] });
}

/** Marks the edges that lead into these beliefs as verified and restores their confidence (D12). */
export function verifyDerivations(graph: BeliefDepGraph, beliefIds: ReadonlySet<string>): { graph: BeliefDepGraph; verified: number } {
  let verified = 0;
  const edges = graph.derived_from_edges.map((edge) => {
    if (edge.verified || !beliefIds.has(edge.to)) return edge;
    verified += 1;
    return { ...edge, verified: true, confidence: 1 };
  });
  return verified === 0 ? { graph, verified } : { graph: withRatio({ ...graph, derived_from_edges: edges }), verified };
}

/** A derivation holds when everything it names is on record, nothing of it is stale, and the belief is in no severe conflict. */
export function soundBeliefs(model: WorldModel, evidenceIds: ReadonlySet<string>): Set<string> {
  const recorded = new Set(evidenceIds);
  for (const { id } of model.observations) recorded.add(id);
  for (const { id } of model.beliefs) recorded.add(id);
  const disputed = new Set(
    model.contradictions
      .filter(({ severity }) => severity === 'HIGH' || severity === 'SYSTEM_BREAKING')
      .flatMap(({ involved_belief_ids }) => involved_belief_ids),
  );
  return new Set(
    model.beliefs
      .filter(
        (belief) =>
          !disputed.has(belief.id) && model.stale_flags[belief.id] !== true && belief.derived_from.every((source) => recorded.has(source)),
      )
      .map(({ id }) => id),
  );
}

/** Keeps the graph's confidences in step with beliefs that other rules lowered. */
export function syncConfidences(graph: BeliefDepGraph, model: WorldModel): BeliefDepGraph {
  const confidence = new Map(model.beliefs.map((belief) => [belief.id, belief.confidence]));
  return {
    ...graph,
    belief_nodes: graph.belief_nodes.map((node) => ({ ...node, confidence: confidence.get(node.belief_id) ?? node.confidence })),
  };
}
