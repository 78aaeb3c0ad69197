import type { BeliefDepGraph } from '../belief-graph/state';
import type { Belief, WorldModel } from '../world-model/state';
import type { ContradictionConfig } from './config';
import type { Contradiction } from './state';

/** What happened to the confidence of one belief. */
export interface ConfidenceChange {
  belief: string;
  contradiction: string;
  before: number;
  after: number;
}

/**
 * Applies contradictions to their beliefs, once per belief and contradiction id (layers.md R4): LOW and MEDIUM lower the confidence, MEDIUM
 * also queues propagation, HIGH puts the belief on the invalidation frontier, SYSTEM_BREAKING is only on record.
 */
export function applyContradictions(
  model: WorldModel,
  graph: BeliefDepGraph,
  found: readonly Contradiction[],
  config: ContradictionConfig,
): { worldModel: WorldModel; graph: BeliefDepGraph; changes: ConfidenceChange[] } {
  if (found.length === 0) return { worldModel: model, graph, changes: [] };
  const touched = new Map<string, Belief>();
  const original = new Map(model.beliefs.map((belief) => [belief.id, belief]));
  const order = new Map(model.beliefs.map((belief, index) => [belief.id, index]));
  const frontier = [...graph.invalidation_frontier];
  const onFrontier = new Set(frontier);
  const queue = [...graph.propagation_queue];
  const queued = new Set(queue.map(({ source_belief_id }) => source_belief_id));
  const changes: ConfidenceChange[] = [];

  for (const contradiction of found) {
    if (contradiction.severity === 'SYSTEM_BREAKING') continue;
    const involved = [...new Set(contradiction.involved_belief_ids)].sort(
      (left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0),
    );
    for (const id of involved) {
      const belief = touched.get(id) ?? original.get(id);
      if (!belief || belief.applied_contradiction_ids?.includes(contradiction.id)) continue;
      const factor = contradiction.severity === 'LOW' ? config.lowFactor : contradiction.severity === 'MEDIUM' ? config.mediumFactor : 1;
      const confidence = Math.max(0, belief.confidence * factor);
      touched.set(id, {
        ...belief,
        confidence,
        applied_contradiction_ids: [...(belief.applied_contradiction_ids ?? []), contradiction.id],
        pending_sweep: true,
      });
      changes.push({ belief: id, contradiction: contradiction.id, before: belief.confidence, after: confidence });
      if (contradiction.severity === 'MEDIUM' && !queued.has(id)) {
        queued.add(id);
        queue.push({ source_belief_id: id, target_belief_id: id });
      }
      if (contradiction.severity === 'HIGH' && !onFrontier.has(id)) {
        onFrontier.add(id);
        frontier.push(id);
      }
    }
  }
  return {
    worldModel: { ...model, beliefs: model.beliefs.map((belief) => touched.get(belief.id) ?? belief) },
    graph: { ...graph, invalidation_frontier: frontier, propagation_queue: queue },
    changes,
  };
}
