import { z } from 'zod';
import { isBridleError } from '../../../contract/errors';
import type { Json } from '../../../contract/json';
import { decayEdges, propagateBeliefs, referenceBeliefGraphConfig } from '../../../layers/belief-graph/propagate';
import { beliefDepGraphSchema, depGraphBudgetSchema, emptyBeliefDepGraph } from '../../../layers/belief-graph/state';
import { compressMemory } from '../../../layers/context-compression/compress';
import { journalEntrySchema, journalPolicySchema, memoryStateSchema } from '../../../layers/context-compression/state';
import { referenceContradictionConfig } from '../../../layers/contradiction/config';
import { detectContradictions } from '../../../layers/contradiction/detect';
import { initialControlState } from '../../../layers/control-state/state';
import { applyToolReliability, gatherEvidence } from '../../../layers/evidence/gather';
import { type EvidenceStore, emptyEvidenceStore, evidenceSchema, evidenceTypeSchema } from '../../../layers/evidence/state';
import { hypothesisSchema } from '../../../layers/hypothesis/state';
import { parseInstant } from '../../../layers/shared/instant';
import { reliabilitySchema } from '../../../layers/shared/levels';
import { ensureFresh } from '../../../layers/world-model/generation';
import { sweepStaleness } from '../../../layers/world-model/staleness';
import { worldModelSchema } from '../../../layers/world-model/state';
import { beliefHealthByConfidence, updateWorldModel } from '../../../layers/world-model/update';
import { placeholders, plain } from '../compare';
import type { Adapter } from '../registry';

const updateInput = z.object({
  world_model: worldModelSchema.prefault({}),
  evidence: evidenceSchema,
  belief_input: z.object({ statement: z.string(), derived_from: z.array(z.string()) }).nullish(),
  region: z.string().nullish(),
  pruned_regions: z.array(z.string()).default([]),
});

const reportModel = (model: z.output<typeof worldModelSchema>, error: string | null): Json =>
  plain({
    error,
    generation_id: model.generation_id,
    observations: model.observations,
    beliefs: model.beliefs,
    completeness_flags: model.completeness_flags,
    belief_health: beliefHealthByConfidence(model),
  });

export const updateWorldModelCase: Adapter = (raw) => {
  const input = updateInput.parse(raw);
  try {
    const updated = updateWorldModel(input.world_model, {
      evidence: input.evidence,
      beliefInput: input.belief_input,
      region: input.region,
      prunedRegions: input.pruned_regions,
    });
    return reportModel(updated.worldModel, null);
  } catch (thrown) {
    if (isBridleError(thrown) && thrown.code === 'DERIVED_FROM_REQUIRED') return reportModel(input.world_model, 'derived_from required');
    throw thrown;
  }
};

export const stalenessGateCase: Adapter = (raw) => {
  const input = z
    .object({ control_state_generation: z.number(), world_model_generation: z.number(), resolver_available: z.boolean() })
    .parse(raw);
  const state = { ...initialControlState(), generation_id: input.control_state_generation };
  const model = { ...worldModelSchema.parse({}), generation_id: input.world_model_generation };
  const resolve = () => ({ ...state, generation_id: model.generation_id });
  try {
    const fresh = ensureFresh(state, model, input.resolver_available ? resolve : undefined);
    return { error: null, generation_id: fresh.generation_id };
  } catch (thrown) {
    if (isBridleError(thrown) && thrown.code === 'STALENESS') return { error: 'StalenessError', generation_id: state.generation_id };
    throw thrown;
  }
};

export const beliefDepGraphCase: Adapter = (raw) => {
  const input = z
    .object({ graph: beliefDepGraphSchema, decay: z.boolean().default(false), budget: depGraphBudgetSchema.prefault({}) })
    .parse(raw);
  const graph = input.decay ? decayEdges(input.graph, referenceBeliefGraphConfig) : input.graph;
  const { belief_nodes, derived_from_edges, unverified_edge_ratio, invalidation_frontier } = propagateBeliefs(graph, input.budget).graph;
  return plain({ belief_nodes, derived_from_edges, unverified_edge_ratio, invalidation_frontier });
};

export const contextCompressionCase: Adapter = (raw, { clock }) => {
  const input = z
    .object({
      now: z.string().default(clock),
      world_model: worldModelSchema.prefault({}),
      journal: z.array(journalEntrySchema).default([]),
      policy: journalPolicySchema.prefault({}),
    })
    .parse(raw);
  const swept = sweepStaleness(input.world_model, parseInstant(input.now));
  const memory = memoryStateSchema.parse({ journal: input.journal, journal_retention_policy: input.policy });
  return plain({ stale_flags: swept.worldModel.stale_flags, journal: compressMemory(memory).memory.journal });
};

export const detectContradictionsCase: Adapter = (raw) => {
  const input = z
    .object({
      world_model: worldModelSchema.prefault({}),
      hypotheses: z
        .array(
          hypothesisSchema.extend({
            id: z.string().default('h'),
            explanation: z.string().default(''),
            confidence: z.number().default(0.5),
          }),
        )
        .default([]),
      abstraction_level: z.string().nullish(),
    })
    .parse(raw);
  const { worldModel, graph } = detectContradictions(
    {
      worldModel: input.world_model,
      graph: emptyBeliefDepGraph(),
      hypotheses: input.hypotheses,
      abstractionLevel: input.abstraction_level ?? undefined,
    },
    referenceContradictionConfig,
  );
  const known = new Set(input.world_model.contradictions.map(({ id }) => id));
  const name = placeholders(worldModel.contradictions.map(({ id }) => id).filter((id) => !known.has(id)));
  return plain({
    contradictions: worldModel.contradictions.map((contradiction) => ({ ...contradiction, id: name(contradiction.id) })),
    beliefs: worldModel.beliefs.map(({ id, confidence, applied_contradiction_ids = [], pending_sweep = false }) => ({
      id,
      confidence,
      applied: applied_contradiction_ids.map(name),
      pending_sweep,
    })),
    invalidation_frontier: graph.invalidation_frontier,
    propagation_queue: graph.propagation_queue,
  });
};

export const gatherEvidenceCase: Adapter = (raw, { clock }) => {
  const input = z
    .object({ listed_available: z.boolean().nullable(), evidence_type: evidenceTypeSchema, reliability: reliabilitySchema.nullish() })
    .parse(raw);
  const store: EvidenceStore = {
    ...emptyEvidenceStore(),
    tool_availability_manifest: input.listed_available === null ? {} : { tool: { available: input.listed_available, fallback_tool: null } },
  };
  const gathered = gatherEvidence(store, {
    id: 'e',
    obs: 'o',
    source: 'tool',
    evidence_type: input.evidence_type,
    reliability: input.reliability,
    freshness: clock,
  });
  return {
    collected: gathered.evidence !== null,
    reliability: gathered.evidence?.reliability ?? null,
    warned: gathered.evidence === null,
    stored: gathered.store.observations.length,
  };
};

export const applyToolReliabilityCase: Adapter = (raw, { clock }) => {
  const input = z
    .object({
      evidence_type: evidenceTypeSchema.default('OBSERVATION'),
      reliability: reliabilitySchema.default('HIGH'),
      ceiling: reliabilitySchema.nullish(),
      envelopes: z.array(reliabilitySchema).default([]),
      source_has_envelope: z.boolean().default(true),
    })
    .parse(raw);
  const levels = input.ceiling ? [input.ceiling] : input.envelopes;
  const first = input.source_has_envelope ? 0 : 1;
  const envelopes = Object.fromEntries(
    levels.map((level, index) => {
      const tool = index + first === 0 ? 'tool' : `tool-${index + first}`;
      return [tool, { tool, max_observation_reliability: level, max_conclusion_reliability: level }];
    }),
  );
  const evidence = {
    id: 'e',
    obs: 'o',
    reliability: input.reliability,
    source: 'tool',
    evidence_type: input.evidence_type,
    freshness: clock,
  };
  const capped = applyToolReliability({ ...emptyEvidenceStore(), tool_reliability_envelopes: envelopes }, evidence);
  return { reliability: capped.evidence.reliability, verification_feasibility: capped.feasibility };
};
