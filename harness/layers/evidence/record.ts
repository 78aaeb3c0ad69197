import type { Decision } from '../../contract/decision';
import type { Belief, WorldModel } from '../world-model/state';
import type { BeliefInput, WorldModelUpdate } from '../world-model/update';
import { updateWorldModel } from '../world-model/update';
import { applyToolReliability, defaultEvidenceConfig, type EvidenceConfig, type EvidenceInput, gatherEvidence } from './gather';
import type { Evidence, EvidenceStore } from './state';

export interface Recorded {
  store: EvidenceStore;
  worldModel: WorldModel;
  evidence: Evidence | null;
  belief: Belief | null;
  decisions: Decision[];
}

/** Gather, cap, take into the world model: no evidence reaches a belief by another way (layers.md R2, "tool results pass evidence"). */
export function recordEvidence(
  state: { store: EvidenceStore; worldModel: WorldModel },
  input: EvidenceInput & { belief?: BeliefInput; taskId?: string; region?: string },
  config: EvidenceConfig = defaultEvidenceConfig,
): Recorded {
  const gathered = gatherEvidence(state.store, input, config);
  if (gathered.evidence === null) {
    return { store: gathered.store, worldModel: state.worldModel, evidence: null, belief: null, decisions: [gathered.decision] };
  }
  const capped = applyToolReliability(gathered.store, gathered.evidence, config);
  const update: WorldModelUpdate = {
    evidence: capped.evidence,
    ...(input.belief === undefined ? {} : { beliefInput: input.belief }),
    ...(input.region === undefined ? {} : { region: input.region }),
    ...(input.taskId === undefined ? {} : { taskId: input.taskId }),
  };
  const updated = updateWorldModel(state.worldModel, update);
  return {
    store: capped.store,
    worldModel: updated.worldModel,
    evidence: capped.evidence,
    belief: updated.belief,
    decisions: [gathered.decision, capped.decision, updated.decision],
  };
}
