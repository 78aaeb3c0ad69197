import { unverifiedRatio } from '../belief-graph/propagate';
import type { BeliefDepGraph, BeliefEdge } from '../belief-graph/state';
import type { EvidenceStore } from '../evidence/state';
import type { HypothesisSet } from '../hypothesis/state';
import { type MergeConfig, mergeWorldModels } from '../planning/merge';
import type { WorldModel } from '../world-model/state';
import { lastChanged, mergedBy, mergedRecord, same, united } from './three-way';

const byId = ({ id }: { id: string }): string => id;

/** Beliefs and observations that a branch did not touch do not stand in the way of another branch that did. */
function changedSince(base: WorldModel, branch: WorldModel): WorldModel {
  const beliefs = new Map(base.beliefs.map((belief) => [belief.id, belief]));
  const observations = new Map(base.observations.map((observation) => [observation.id, observation]));
  return {
    ...branch,
    beliefs: branch.beliefs.filter((belief) => !same(beliefs.get(belief.id), belief)),
    observations: branch.observations.filter((observation) => !same(observations.get(observation.id), observation)),
  };
}

/**
 * The merge rule of layers.md R7 over any number of branches. What a branch took out of the model stays out; beliefs that are new in a branch
 * have not been compared with those of the others.
 */
export function mergeKnowledge(base: WorldModel, branches: readonly WorldModel[], config: MergeConfig): WorldModel {
  const [first, ...later] = branches;
  if (!first) return base;
  const merged = later.reduce((model, branch) => mergeWorldModels(model, changedSince(base, branch), config), first);
  const gone = (kind: 'beliefs' | 'observations' | 'contradictions') => {
    const before = new Set(base[kind].map(byId));
    const kept = branches.map((branch) => new Set(branch[kind].map(byId)));
    return (item: { id: string }): boolean => before.has(item.id) && kept.some((ids) => !ids.has(item.id));
  };
  const [beliefGone, observationGone, contradictionGone] = [gone('beliefs'), gone('observations'), gone('contradictions')];
  const known = new Set(base.beliefs.map(byId));
  return {
    ...merged,
    beliefs: merged.beliefs
      .filter((belief) => !beliefGone(belief))
      .map((belief) => {
        if (branches.length < 2 || known.has(belief.id) || belief.compared !== true) return belief;
        const { compared: _, ...rest } = belief;
        return rest;
      }),
    observations: merged.observations.filter((observation) => !observationGone(observation)),
    contradictions: merged.contradictions.filter((contradiction) => !contradictionGone(contradiction)),
  };
}

export const mergeEvidence = (base: EvidenceStore, branches: readonly EvidenceStore[]): EvidenceStore => ({
  observations: mergedBy(
    base.observations,
    branches.map(({ observations }) => observations),
    byId,
  ),
  tool_availability_manifest: mergedRecord(
    base.tool_availability_manifest,
    branches.map(({ tool_availability_manifest }) => tool_availability_manifest),
  ),
  tool_reliability_envelopes: mergedRecord(
    base.tool_reliability_envelopes,
    branches.map(({ tool_reliability_envelopes }) => tool_reliability_envelopes),
  ),
});

/** A hypothesis that one branch eliminated is not live. */
export function mergeHypotheses(base: HypothesisSet, branches: readonly HypothesisSet[]): HypothesisSet {
  const eliminated = mergedBy(
    base.eliminated,
    branches.map((branch) => branch.eliminated),
    byId,
  );
  const dead = new Set(eliminated.map(byId));
  const active = mergedBy(
    base.active,
    branches.map((branch) => branch.active),
    byId,
  ).filter(({ id }) => !dead.has(id));
  return {
    active,
    eliminated,
    elimination_policy: lastChanged(
      base.elimination_policy,
      branches.map(({ elimination_policy }) => elimination_policy),
    ),
  };
}

const edgeKey = ({ from, to }: BeliefEdge): string => JSON.stringify([from, to]);

/** An edge that one branch verified is verified. */
export function mergeBeliefGraphs(base: BeliefDepGraph, branches: readonly BeliefDepGraph[]): BeliefDepGraph {
  const verified = new Set(branches.flatMap(({ derived_from_edges }) => derived_from_edges.filter((edge) => edge.verified).map(edgeKey)));
  const edges = mergedBy(
    base.derived_from_edges,
    branches.map(({ derived_from_edges }) => derived_from_edges),
    edgeKey,
  ).map((edge) => (verified.has(edgeKey(edge)) && !edge.verified ? { ...edge, verified: true, confidence: 1 } : edge));
  return {
    belief_nodes: mergedBy(
      base.belief_nodes,
      branches.map(({ belief_nodes }) => belief_nodes),
      ({ belief_id }) => belief_id,
    ),
    derived_from_edges: edges,
    unverified_edge_ratio: unverifiedRatio(edges),
    invalidation_frontier: united(
      base.invalidation_frontier,
      branches.map(({ invalidation_frontier }) => invalidation_frontier),
    ),
    propagation_queue: mergedBy(
      base.propagation_queue,
      branches.map(({ propagation_queue }) => propagation_queue),
      ({ source_belief_id, target_belief_id }) => JSON.stringify([source_belief_id, target_belief_id]),
    ),
  };
}
