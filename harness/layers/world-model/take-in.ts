import type { Decision } from '../../contract/decision';
import { addDerivations } from '../belief-graph/derivations';
import type { BeliefDepGraph } from '../belief-graph/state';
import { applyToolReliability, defaultEvidenceConfig, type EvidenceConfig, type EvidenceInput, gatherEvidence } from '../evidence/gather';
import type { Evidence, EvidenceStore } from '../evidence/state';
import { decided, fact } from '../shared/explain';
import type { Belief, WorldModel } from './state';
import { type BeliefInput, defaultWorldModelConfig, updateWorldModel, type WorldModelConfig } from './update';

/** What taking in reads and changes. */
export interface Known {
  worldModel: WorldModel;
  store: EvidenceStore;
  graph: BeliefDepGraph;
}

/**
 * Evidence that the world model has not seen becomes observations. Inferences are left out: they become beliefs in the same breath as
 * evidence, and one that was given up must not come back.
 */
export function takeInObservations(
  known: Known,
  prunedRegions: readonly string[],
  config: WorldModelConfig = defaultWorldModelConfig,
): { worldModel: WorldModel; observed: Evidence[]; decision: Decision } {
  const seen = new Set(known.worldModel.observations.map(({ id }) => id));
  const fresh = known.store.observations.filter(({ id, evidence_type }) => evidence_type !== 'INFERENCE' && !seen.has(id));
  let { worldModel } = known;
  for (const evidence of fresh) {
    const update = { evidence, prunedRegions, ...(evidence.task_id === undefined ? {} : { taskId: evidence.task_id }) };
    worldModel = updateWorldModel(worldModel, update, config).worldModel;
  }
  const errors = fresh.filter(({ evidence_type }) => evidence_type === 'SYSTEM_ERROR').length;
  return {
    worldModel,
    observed: fresh,
    decision: decided({
      rule: 'observations',
      outcome:
        fresh.length === 0 ? 'nothing new was observed' : `${fresh.length} new ${fresh.length === 1 ? 'observation' : 'observations'}`,
      because: [
        fact(
          'evidence not seen before',
          fresh.slice(0, 20).map(({ id }) => id),
        ),
        ...(errors > 0 ? [fact('system errors among them', errors)] : []),
      ],
      alternatives: [{ outcome: 'belief', needs: 'evidence of type INFERENCE with a derivation' }],
    }),
  };
}

export type Inference = Omit<EvidenceInput, 'evidence_type' | 'obs'> & { belief: BeliefInput };

/**
 * One inference: recorded as evidence under the ceiling of its source, believed, and tied to what it derives from (layers.md R2, D12).
 * An id that is recorded already, or a statement that is believed already, adds nothing.
 */
export function infer(
  known: Known,
  inference: Inference,
  configs: { worldModel?: WorldModelConfig; evidence?: EvidenceConfig; edges?: boolean } = {},
): Known & { belief: Belief | null; decisions: Decision[] } {
  const { belief: beliefInput, ...input } = inference;
  const evidenceConfig = configs.evidence ?? defaultEvidenceConfig;
  const statement = plain(beliefInput.statement);
  const twin = known.worldModel.beliefs.find((belief) => plain(belief.statement) === statement);
  if (twin || known.store.observations.some(({ id }) => id === input.id)) {
    const because = [fact('statement', beliefInput.statement), fact('belief', twin?.id ?? input.id)];
    return {
      ...known,
      belief: null,
      decisions: [decided({ rule: 'one belief for one statement', outcome: 'nothing new is believed', because })],
    };
  }
  const gathered = gatherEvidence(known.store, { ...input, obs: beliefInput.statement, evidence_type: 'INFERENCE' }, evidenceConfig);
  if (gathered.evidence === null) return { ...known, belief: null, decisions: [gathered.decision] };
  const capped = applyToolReliability(gathered.store, gathered.evidence, evidenceConfig);
  const updated = updateWorldModel(
    known.worldModel,
    { evidence: capped.evidence, beliefInput },
    configs.worldModel ?? defaultWorldModelConfig,
  );
  const graph = updated.belief && configs.edges !== false ? addDerivations(known.graph, updated.belief) : known.graph;
  return {
    worldModel: updated.worldModel,
    store: capped.store,
    graph,
    belief: updated.belief,
    decisions: capped.evidence === gathered.evidence ? [updated.decision] : [capped.decision, updated.decision],
  };
}

/** Whether a statement is believed already, whatever its case. */
export function believes(model: Pick<WorldModel, 'beliefs'>): (statement: string) => boolean {
  const statements = new Set(model.beliefs.map(({ statement }) => plain(statement)));
  return (statement) => statements.has(plain(statement));
}

const plain = (statement: string): string => statement.trim().toLowerCase();

/** The paths behind some evidence, for a belief that is to go stale when one of them changes. */
export const pathsBehind = (store: EvidenceStore, ids: readonly string[]): string[] => {
  const wanted = new Set(ids);
  return [...new Set(store.observations.filter(({ id }) => wanted.has(id)).flatMap(({ paths }) => paths ?? []))];
};
