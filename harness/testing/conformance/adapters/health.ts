import { z } from 'zod';
import { unverifiedRatio } from '../../../layers/belief-graph/propagate';
import { beliefEdgeSchema, emptyBeliefDepGraph } from '../../../layers/belief-graph/state';
import { contradictionSchema } from '../../../layers/contradiction/state';
import { elevationFactor, resolveControlState } from '../../../layers/control-state/resolve';
import { riskSummary } from '../../../layers/control-state/state';
import { referenceDiagnosticsConfig } from '../../../layers/diagnostics/config';
import { normalise } from '../../../layers/diagnostics/normalise';
import { diagnosticsSchema } from '../../../layers/diagnostics/state';
import { updateDiagnostics } from '../../../layers/diagnostics/update';
import { evidenceSchema } from '../../../layers/evidence/state';
import { hypothesisSchema, hypothesisSetSchema } from '../../../layers/hypothesis/state';
import { updateHypotheses } from '../../../layers/hypothesis/update';
import { taskSchema } from '../../../layers/planning/state';
import { matchFailurePattern } from '../../../layers/recovery/failure-library';
import {
  failureDiagnosticsSchema,
  failurePatternSchema,
  failureRecordSchema,
  type PatternMatch,
  patternMatchSchema,
} from '../../../layers/recovery/state';
import { reviewerVerdictSchema } from '../../../layers/reviewer/state';
import { beliefSchema, worldModelSchema } from '../../../layers/world-model/state';
import { plain } from '../compare';
import type { Adapter } from '../registry';

const reportMatch = (match: PatternMatch | null) =>
  match && { failure_class: match.failure_class, confidence: match.confidence, matched_pattern: match.matched_pattern };

const rawDimension = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ratio'), raw: z.number() }),
  z.object({ type: z.literal('match_confidence'), raw: z.number() }),
  z.object({ type: z.literal('composite'), raw: z.object({ components: z.array(z.number()), weights: z.array(z.number()) }) }),
  z.object({ type: z.literal('entropy'), raw: z.array(z.number()) }),
]);

export const normaliseCase: Adapter = (raw) => normalise(rawDimension.parse(raw));

export const elevationFactorCase: Adapter = (raw) => elevationFactor(z.object({ values: z.array(z.number()) }).parse(raw).values);

export const updateDiagnosticsCase: Adapter = (raw) => {
  const input = z
    .object({
      world_model: worldModelSchema.prefault({}),
      hypotheses: z.array(hypothesisSchema).default([]),
      edges: z.array(beliefEdgeSchema).default([]),
      unverified_edge_ratio: z.number().optional(),
      tasks: z.array(taskSchema).default([]),
      failure_history: z.array(failureRecordSchema).default([]),
      failure_mode_library: z.array(failurePatternSchema).default([]),
      task_graph_changed: z.boolean().default(false),
      force: z.boolean().default(false),
    })
    .parse(raw);
  const { diagnostics, matchedPattern } = updateDiagnostics(
    {
      worldModel: input.world_model,
      hypotheses: input.hypotheses,
      taskGraph: { tasks: input.tasks, conflict_probability_cache: {}, changed: input.task_graph_changed },
      failures: failureDiagnosticsSchema.parse({
        failure_history: input.failure_history,
        failure_mode_library: { entries: input.failure_mode_library },
      }),
      beliefGraph: {
        ...emptyBeliefDepGraph(),
        derived_from_edges: input.edges,
        unverified_edge_ratio: input.unverified_edge_ratio ?? unverifiedRatio(input.edges),
      },
      force: input.force,
    },
    referenceDiagnosticsConfig,
  );
  return plain({ diagnostics, matched_pattern: reportMatch(matchedPattern) });
};

export const resolveControlStateCase: Adapter = (raw) => {
  const input = z
    .object({
      diagnostics: diagnosticsSchema,
      world_model: z.object({ generation_id: z.number(), contradictions: z.array(contradictionSchema).default([]) }),
      matched_pattern: patternMatchSchema.nullish(),
      pending_verdict: reviewerVerdictSchema.nullish(),
    })
    .parse(raw);
  const { controlState } = resolveControlState({
    diagnostics: input.diagnostics,
    contradictions: input.world_model.contradictions,
    generation: input.world_model.generation_id,
    matchedPattern: input.matched_pattern,
    pendingVerdict: input.pending_verdict,
  });
  return plain({ ...controlState, risk_summary: riskSummary(controlState) });
};

export const failurePatternMatchCase: Adapter = (raw) => {
  const input = z.object({ symptoms: z.array(z.string()), library: z.array(failurePatternSchema) }).parse(raw);
  return plain(reportMatch(matchFailurePattern(input.symptoms, input.library)));
};

export const generateUpdateHypothesesCase: Adapter = (raw) => {
  const input = z
    .object({
      evidence: z.array(evidenceSchema).optional(),
      observations: z.array(evidenceSchema).optional(),
      beliefs: z.array(beliefSchema).default([]),
      active: z.array(hypothesisSchema).default([]),
      eliminated: z.array(hypothesisSchema).default([]),
      contradictions: z.array(contradictionSchema).default([]),
      library: z.array(failurePatternSchema).optional(),
      failure_mode_library: z.array(failurePatternSchema).optional(),
    })
    .parse(raw);
  const updated = updateHypotheses(hypothesisSetSchema.parse({ active: input.active, eliminated: input.eliminated }), {
    evidence: input.evidence ?? input.observations ?? [],
    beliefs: input.beliefs,
    library: input.library ?? input.failure_mode_library ?? [],
    contradictions: input.contradictions,
  });
  return plain({
    active: updated.set.active,
    eliminated: updated.set.eliminated.map(({ id }) => id),
    pruned_region_ids: updated.prunedRegions.map(({ id }) => id),
  });
};
