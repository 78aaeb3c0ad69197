import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided } from '../shared/explain';
import { type BeliefDepGraph, type BeliefEdge, type DepGraphBudget, defaultDepGraphBudget } from './state';

export const beliefGraphConfigSchema = z.object({
  decay: z.number().min(0).max(1).default(0.05).meta({ title: 'Confidence an edge loses per iteration' }),
  decayVerified: z.boolean().default(false).meta({ title: 'Verified edges decay too', description: 'On in the reference.' }),
});
export type BeliefGraphConfig = z.output<typeof beliefGraphConfigSchema>;
export const defaultBeliefGraphConfig: BeliefGraphConfig = beliefGraphConfigSchema.parse({});
export const referenceBeliefGraphConfig: BeliefGraphConfig = { ...defaultBeliefGraphConfig, decayVerified: true };

export const unverifiedRatio = (edges: readonly BeliefEdge[]): number =>
  edges.length === 0 ? 0 : edges.filter((edge) => !edge.verified).length / edges.length;

/** Confidence in a derivation fades by a step per iteration, never below 0 (layers.md R1). */
export function decayEdges(graph: BeliefDepGraph, config: BeliefGraphConfig = defaultBeliefGraphConfig): BeliefDepGraph {
  if (graph.derived_from_edges.length === 0) return graph;
  return {
    ...graph,
    derived_from_edges: graph.derived_from_edges.map((edge) =>
      edge.verified && !config.decayVerified ? edge : { ...edge, confidence: Math.max(0, edge.confidence - config.decay) },
    ),
  };
}

/**
 * One pass in edge order: a belief is never more certain than what it derives from allows, and confidence is never raised.
 * Above the budget of unverified edges the invalidation frontier grows one hop downstream (layers.md R1).
 */
export function propagateBeliefs(
  graph: BeliefDepGraph,
  budget: DepGraphBudget = defaultDepGraphBudget,
): { graph: BeliefDepGraph; decision: Decision } {
  const confidence = new Map(graph.belief_nodes.map((node) => [node.belief_id, node.confidence]));
  for (const edge of graph.derived_from_edges) {
    const source = confidence.get(edge.from);
    const target = confidence.get(edge.to);
    if (edge.confidence >= 1 || source === undefined || target === undefined) continue;
    confidence.set(edge.to, Math.min(target, source * edge.confidence));
  }
  const ratio = unverifiedRatio(graph.derived_from_edges);
  const frontier = [...graph.invalidation_frontier];
  if (ratio > budget.max_unverified_edge_ratio) {
    const start = new Set(frontier);
    const reached = new Set(frontier);
    for (const edge of graph.derived_from_edges) {
      if (!start.has(edge.from) || reached.has(edge.to)) continue;
      reached.add(edge.to);
      frontier.push(edge.to);
    }
  }
  const widened = frontier.length - graph.invalidation_frontier.length;
  return {
    graph: {
      ...graph,
      belief_nodes: graph.belief_nodes.map((node) => ({ ...node, confidence: confidence.get(node.belief_id) ?? node.confidence })),
      unverified_edge_ratio: ratio,
      invalidation_frontier: frontier,
    },
    decision: decided({
      rule: 'belief propagation',
      outcome: widened > 0 ? `invalidation spreads to ${widened} more` : 'frontier unchanged',
      because: [compared('unverified edges', ratio, '>', budget.max_unverified_edge_ratio)],
    }),
  };
}
