import { syncConfidences } from '../../belief-graph/derivations';
import { parseInstant } from '../../shared/instant';
import { capReliability, type ReliabilityLevel, reliabilitySchema } from '../../shared/levels';
import type { Belief, WorldModel } from '../../world-model/state';
import { type RecoveryAction, type RecoveryFindings, type Repairable, repaired, unchanged } from './types';

const reliabilityValue: Record<ReliabilityLevel, number> = { HIGH: 2, MEDIUM: 1, LOW: 0 };

/** Takes beliefs out for good: their flags, conflicts and derivations go with them. */
export function retireBeliefs<T extends Pick<Repairable, 'worldModel' | 'beliefGraph'>>(state: T, ids: ReadonlySet<string>): T {
  const { worldModel, beliefGraph } = state;
  const stale_flags = Object.fromEntries(Object.entries(worldModel.stale_flags).filter(([id]) => !ids.has(id)));
  return {
    ...state,
    worldModel: {
      ...worldModel,
      beliefs: worldModel.beliefs.filter(({ id }) => !ids.has(id)),
      contradictions: worldModel.contradictions.filter(({ involved_belief_ids }) => !involved_belief_ids.some((id) => ids.has(id))),
      stale_flags,
    },
    beliefGraph: {
      ...beliefGraph,
      belief_nodes: beliefGraph.belief_nodes.filter(({ belief_id }) => !ids.has(belief_id)),
      derived_from_edges: beliefGraph.derived_from_edges.filter(({ from, to }) => !ids.has(from) && !ids.has(to)),
      invalidation_frontier: beliefGraph.invalidation_frontier.filter((id) => !ids.has(id)),
      propagation_queue: beliefGraph.propagation_queue.filter(({ source_belief_id }) => !ids.has(source_belief_id)),
    },
  };
}

/** A source on record speaks for itself unless the environment changed it later; anything else has to be read again. */
function sourceStatus(
  state: Repairable,
  belief: Belief,
  source: string,
  findings: RecoveryFindings,
): 'same' | 'changed' | 'gone' | 'unknown' {
  const reread = findings.rereads?.[source];
  if (reread) return reread;
  const recorded = parseInstant(belief.recorded_at);
  const touched = state.worldModel.environment_change_log.some(
    (change) => change.affected_paths.includes(source) && parseInstant(change.timestamp) > recorded,
  );
  if (touched) return 'unknown';
  const onRecord =
    state.worldModel.observations.some(({ id }) => id === source) || state.evidence.observations.some(({ id }) => id === source);
  return onRecord ? 'same' : 'unknown';
}

/** belief_refresh: re-reads what stale beliefs rest on; what still holds is fresh again, what changed is given up (D3). */
export const beliefRefresh: RecoveryAction = (state, { now, findings }) => {
  const stale = state.worldModel.beliefs.filter(({ id }) => state.worldModel.stale_flags[id] === true);
  const orphaned = Object.keys(state.worldModel.stale_flags).filter((id) => !state.worldModel.beliefs.some((belief) => belief.id === id));
  const fresh = new Set<string>();
  const given = new Set<string>();
  const wants = new Set<string>();
  for (const belief of stale) {
    const sources = [...new Set([...belief.derived_from, ...belief.supporting_evidence])];
    const statuses = sources.map((source) => sourceStatus(state, belief, source, findings));
    if (statuses.some((status) => status === 'changed' || status === 'gone')) given.add(belief.id);
    else if (statuses.every((status) => status === 'same')) fresh.add(belief.id);
    else for (const [index, source] of sources.entries()) if (statuses[index] === 'unknown') wants.add(source);
  }
  if (fresh.size + given.size + orphaned.length === 0) return unchanged(state, 'no stale belief could be read again', [...wants]);
  const next = retireBeliefs(state, given);
  const cleared = Object.fromEntries(
    Object.entries(next.worldModel.stale_flags).filter(([id]) => !fresh.has(id) && !orphaned.includes(id)),
  );
  const beliefs = next.worldModel.beliefs.map((belief) => (fresh.has(belief.id) ? { ...belief, recorded_at: now } : belief));
  return repaired(
    { ...next, worldModel: { ...next.worldModel, beliefs, stale_flags: cleared } },
    `${fresh.size} fresh again, ${given.size} given up`,
    [...wants],
  );
};

/** The weight of what speaks for a belief: reliability of its evidence, then how much there is of it. */
function support(state: Repairable, belief: Belief): number {
  const ids = new Set([...belief.derived_from, ...belief.supporting_evidence]);
  const evidence = state.evidence.observations.filter(({ id }) => ids.has(id) || id === belief.id);
  const best = Math.max(0, ...evidence.map(({ reliability }) => reliabilityValue[reliability] + 1));
  return best * 1000 + evidence.length;
}

const isTouched = ({ environment_change_log }: WorldModel, source: string): boolean =>
  environment_change_log.some(({ affected_paths }) => affected_paths.includes(source));

/** Who gives way in a conflict: by judgement, or by strictly weaker evidence; `null` = not settled. */
function losersOf(
  state: Repairable,
  contradiction: WorldModel['contradictions'][number],
  findings: RecoveryFindings,
): readonly string[] | null {
  const judged = findings.judgements?.[contradiction.id];
  if (judged) return judged;
  const beliefs = state.worldModel.beliefs.filter(({ id }) => contradiction.involved_belief_ids.includes(id));
  if (beliefs.length === 0) return [];
  if (contradiction.type === 'abstraction') return [];
  if (contradiction.type === 'temporal') {
    const [belief] = beliefs;
    const sources = belief ? [...belief.derived_from, ...belief.supporting_evidence] : [];
    // the change touched a path; evidence on record that the belief also rests on did not change with it
    const read = sources.filter((source) => isTouched(state.worldModel, source)).map((source) => findings.rereads?.[source]);
    if (read.some((status) => status === 'changed' || status === 'gone')) return beliefs.map(({ id }) => id);
    return read.length > 0 && read.every((status) => status === 'same') ? [] : null;
  }
  if (beliefs.length < contradiction.involved_belief_ids.length) return [];
  const weights = beliefs.map((belief) => support(state, belief));
  const top = Math.max(...weights);
  const losers = beliefs.filter((_, index) => (weights[index] ?? 0) < top);
  return losers.length > 0 && weights.filter((weight) => weight === top).length === 1 ? losers.map(({ id }) => id) : null;
}

/** consistency_repair: settles conflicts by evidence, by judgement or by an answer, and gives up the beliefs that lost (D3). */
export const consistencyRepair: RecoveryAction = (state, { findings }) => {
  const losers = new Set<string>();
  const settled = new Set<string>();
  const wants: string[] = [];
  for (const contradiction of state.worldModel.contradictions) {
    const given = losersOf(state, contradiction, findings);
    if (given === null) wants.push(contradiction.id);
    else {
      settled.add(contradiction.id);
      for (const id of given) losers.add(id);
    }
  }
  if (settled.size === 0) return unchanged(state, 'no conflict could be settled by evidence', wants);
  const next = retireBeliefs(state, losers);
  const contradictions = next.worldModel.contradictions.filter(({ id }) => !settled.has(id));
  const beliefs = next.worldModel.beliefs.map((belief) =>
    belief.applied_contradiction_ids?.some((id) => settled.has(id)) ? { ...belief, pending_sweep: false } : belief,
  );
  const worldModel = { ...next.worldModel, beliefs, contradictions };
  return repaired(
    { ...next, worldModel, beliefGraph: syncConfidences(next.beliefGraph, worldModel) },
    `${settled.size} settled, ${losers.size} beliefs given up`,
    wants,
  );
};

/** support_augment: weighs the evidence on record for every belief that has no weight or too little (D3). */
export const supportAugment: RecoveryAction = (state) => {
  const wants: string[] = [];
  let changed = 0;
  const beliefs = state.worldModel.beliefs.map((belief): Belief => {
    const ids = new Set([...belief.derived_from, ...belief.supporting_evidence, belief.id]);
    const evidence = state.evidence.observations.filter(({ id }) => ids.has(id));
    const best = evidence.reduce<ReliabilityLevel | null>(
      (top, { reliability }) => (top === null || capReliability(top, reliability) === top ? reliability : top),
      null,
    );
    const known = reliabilitySchema.safeParse(belief.reliability);
    if (best === null || (known.success && reliabilityValue[known.data] >= reliabilityValue[best])) {
      if (!known.success || known.data === 'LOW') wants.push(belief.id);
      return belief;
    }
    changed += 1;
    const added = evidence.map(({ id }) => id).filter((id) => id !== belief.id && !belief.derived_from.includes(id));
    return { ...belief, reliability: best, supporting_evidence: [...new Set([...belief.supporting_evidence, ...added])] };
  });
  if (changed === 0) return unchanged(state, 'the evidence on record gives no belief more weight', wants);
  return repaired({ ...state, worldModel: { ...state.worldModel, beliefs } }, `${changed} beliefs weighed by their evidence`, wants);
};
