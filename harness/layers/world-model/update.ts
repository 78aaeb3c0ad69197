import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { userError } from '../../contract/errors';
import type { Evidence } from '../evidence/state';
import { decided, fact } from '../shared/explain';
import { clamp01, mean, shown } from '../shared/numbers';
import type { Belief, WorldModel } from './state';

const confidence = (title: string, initial: number) => z.number().min(0).max(1).default(initial).meta({ title });

export const worldModelConfigSchema = z.object({
  confidenceHigh: confidence('Confidence of HIGH evidence', 1),
  confidenceMedium: confidence('Confidence of MEDIUM evidence', 0.5),
  confidenceLow: confidence('Confidence of LOW evidence', 0),
});
export type WorldModelConfig = z.output<typeof worldModelConfigSchema>;
export const defaultWorldModelConfig: WorldModelConfig = worldModelConfigSchema.parse({});

export interface BeliefInput {
  statement: string;
  derived_from: string[];
  /** What else speaks for it: evidence, or the workspace paths it was read from. */
  supporting_evidence?: string[];
}

export interface WorldModelUpdate {
  evidence: Evidence;
  /** Required for INFERENCE; `null` means that a belief was announced and nothing was given, which is refused for any type. */
  beliefInput?: BeliefInput | null | undefined;
  region?: string | null | undefined;
  /** Regions that compression dropped; knowledge about them is not complete. */
  prunedRegions?: readonly string[];
  taskId?: string;
}

export interface BeliefHealth {
  freshness: number;
  consistency: number;
  support: number;
}

/** Health of the beliefs right after an update; support is here the mean confidence (layers.md R1). */
export function beliefHealthByConfidence(model: WorldModel): BeliefHealth {
  const count = model.beliefs.length;
  if (count === 0) return { freshness: 1, consistency: 1, support: 1 };
  const stale = Object.values(model.stale_flags).filter(Boolean).length;
  return {
    freshness: clamp01(1 - stale / count),
    consistency: clamp01(1 - Math.min(1, model.contradictions.length / count)),
    support: clamp01(mean(model.beliefs.map((belief) => belief.confidence))),
  };
}

const refuse = (evidence: Evidence) =>
  userError(
    'DERIVED_FROM_REQUIRED',
    `derived_from required: evidence "${evidence.id}" cannot become a belief without saying what it derives from`,
  );

/**
 * Takes one piece of evidence into the world model; the generation grows by one, and only on success.
 * Throws `DERIVED_FROM_REQUIRED` when a belief would have no derivation (layers.md R1, INV-01).
 */
export function updateWorldModel(
  model: WorldModel,
  update: WorldModelUpdate,
  config: WorldModelConfig = defaultWorldModelConfig,
): { worldModel: WorldModel; beliefHealth: BeliefHealth; belief: Belief | null; decision: Decision } {
  const { evidence, beliefInput, region, prunedRegions = [], taskId } = update;
  if (beliefInput === null) throw refuse(evidence);
  const place = region ?? (evidence.evidence_type === 'INFERENCE' ? undefined : evidence.source);
  const completeness_flags =
    place === undefined ? model.completeness_flags : { ...model.completeness_flags, [place]: !prunedRegions.includes(place) };
  const next = { ...model, generation_id: model.generation_id + 1, completeness_flags };

  if (evidence.evidence_type !== 'INFERENCE') {
    const observation = {
      id: evidence.id,
      content: evidence.obs,
      source: evidence.source,
      recorded_at: evidence.freshness,
      ...(taskId === undefined ? {} : { task_id: taskId }),
    };
    const worldModel = { ...next, observations: [...model.observations, observation] };
    return {
      worldModel,
      beliefHealth: beliefHealthByConfidence(worldModel),
      belief: null,
      decision: decided({
        rule: 'observation',
        outcome: `observed ${evidence.id}`,
        because: [fact('evidence_type', evidence.evidence_type), fact('source', evidence.source)],
        alternatives: [{ outcome: 'belief', needs: 'evidence of type INFERENCE with a derivation' }],
      }),
    };
  }

  if (!beliefInput || beliefInput.derived_from.length === 0) throw refuse(evidence);
  const byReliability = { HIGH: config.confidenceHigh, MEDIUM: config.confidenceMedium, LOW: config.confidenceLow };
  const belief: Belief = {
    id: evidence.id,
    statement: beliefInput.statement,
    confidence: byReliability[evidence.reliability],
    derived_from: [...beliefInput.derived_from],
    supporting_evidence: [...(beliefInput.supporting_evidence ?? [])],
    reliability: '',
    recorded_at: evidence.freshness,
  };
  const worldModel = { ...next, beliefs: [...model.beliefs, belief] };
  const beliefHealth = beliefHealthByConfidence(worldModel);
  return {
    worldModel,
    beliefHealth,
    belief,
    decision: decided({
      rule: 'belief from inference',
      outcome: `believes "${belief.statement}" at ${shown(belief.confidence)}`,
      because: [
        fact('reliability', evidence.reliability),
        fact('derived_from', belief.derived_from),
        fact('mean belief confidence', beliefHealth.support),
      ],
    }),
  };
}
