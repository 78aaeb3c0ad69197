import { z } from 'zod';
import { isBridleError } from '../../../contract/errors';
import { jsonSchema } from '../../../contract/json';
import { beliefDepGraphSchema, emptyBeliefDepGraph } from '../../../layers/belief-graph/state';
import { severitySchema } from '../../../layers/contradiction/state';
import { evidenceSchema, toolManifestSchema } from '../../../layers/evidence/state';
import { actionGate } from '../../../layers/execution/action-gate';
import { referenceReviewGateConfig, reviewProposal } from '../../../layers/execution/review-gate';
import { estimateRisk } from '../../../layers/execution/risk';
import { estimateVoi } from '../../../layers/execution/voi';
import { hypothesisSchema } from '../../../layers/hypothesis/state';
import { outputContractSchema } from '../../../layers/output-validation/state';
import { referenceOutputValidationConfig, validateOutput } from '../../../layers/output-validation/validate';
import { revalidateTaskGraph } from '../../../layers/planning/revalidate';
import { selectTask } from '../../../layers/planning/select';
import { taskSchema, taskStatusSchema } from '../../../layers/planning/state';
import { transitionAllowed } from '../../../layers/planning/transitions';
import { updateTaskGraph } from '../../../layers/planning/update';
import { warmStart } from '../../../layers/recovery/experience';
import { detectStall } from '../../../layers/recovery/stall';
import { referenceReviewerConfig } from '../../../layers/reviewer/lenses';
import { reviewerPass } from '../../../layers/reviewer/pass';
import { riskLevelSchema } from '../../../layers/shared/levels';
import { checkNames } from '../../../layers/verification/state';
import { defaultVerificationConfig, verify } from '../../../layers/verification/verify';
import { beliefSchema, worldModelSchema } from '../../../layers/world-model/state';
import { plain } from '../compare';
import type { Adapter } from '../registry';

const graphInput = z.object({
  tasks: z.array(taskSchema).default([]),
  conflict_probability_cache: z.record(z.string(), z.number()).default({}),
});

export const selectTaskCase: Adapter = (raw) => {
  const input = graphInput.extend({ escalation_reason: z.string().nullable().default(null) }).parse(raw);
  const graph = { tasks: input.tasks, conflict_probability_cache: input.conflict_probability_cache, changed: false };
  const selected = selectTask(graph, { escalation_reason: input.escalation_reason });
  return {
    task: selected.task?.id ?? null,
    concurrent: selected.concurrent?.id ?? null,
    escalate: selected.escalate,
    parallel_dispatch: selected.parallelDispatch,
  };
};

export const updateTaskGraphCase: Adapter = (raw) => {
  const input = graphInput.parse(raw);
  try {
    const { taskGraph } = updateTaskGraph({ ...input, changed: false });
    return plain({ error: null, conflict_probability_cache: taskGraph.conflict_probability_cache });
  } catch (thrown) {
    if (isBridleError(thrown) && thrown.code === 'GRAPH_CYCLE') return { error: 'GraphCycleError', conflict_probability_cache: null };
    throw thrown;
  }
};

export const taskStatusTransitionsCase: Adapter = (raw) => {
  const input = z.object({ from: taskStatusSchema, to: taskStatusSchema, from_execution_layer: z.boolean() }).parse(raw);
  return { allowed: transitionAllowed(input.from, input.to, input.from_execution_layer) };
};

export const revalidateTaskGraphCase: Adapter = (raw) => {
  const input = z.object({ tasks: z.array(taskSchema), success_criteria: z.array(z.string()) }).parse(raw);
  const result = revalidateTaskGraph({ tasks: input.tasks, conflict_probability_cache: {}, changed: false }, input.success_criteria);
  return plain({
    changed: result.changed,
    tasks: result.taskGraph.tasks.map(({ description, status, block_reason = null }) => ({ description, status, block_reason })),
  });
};

export const estimateRiskCase: Adapter = (raw) => {
  const input = z
    .object({
      action: z.object({
        module_type: z.enum(['test', 'business_logic', 'infrastructure']),
        affected_files: z.array(z.string()).default([]),
        lines_affected: z.number().default(0),
        functions_affected: z.number().default(0),
      }),
      task_domains: z.array(z.array(z.string())).default([]),
    })
    .parse(raw);
  const tasks = input.task_domains.map((parallel_write_domains, index) =>
    taskSchema.parse({ id: `t${index}`, description: '', parallel_write_domains }),
  );
  const { risk, metadata } = estimateRisk(input.action, { tasks });
  return plain({ risk, metadata });
};

export const estimateVoiCase: Adapter = (raw) => {
  const input = z
    .object({ active_hypotheses: z.number(), verification_strength: z.number(), tools: toolManifestSchema.default({}) })
    .parse(raw);
  const result = estimateVoi({
    activeHypotheses: input.active_hypotheses,
    verificationStrength: input.verification_strength,
    tools: input.tools,
  });
  return {
    voi: result.voi,
    should_gather_evidence: result.gather,
    adequacy_shortfall: result.shortfall,
    adequacy_unresolvable: result.unresolvable,
    updated_verification_strength: result.updatedStrength,
    verification_strength_after: result.updatedStrength ?? input.verification_strength,
  };
};

export const reviewGateCase: Adapter = (raw) => {
  const input = z
    .object({
      description: z.string().optional(),
      task: taskSchema.partial({ id: true, description: true }).nullish(),
      beliefs: z.array(beliefSchema).default([]),
      required_sections: z.array(z.string()).default([]),
      tools: toolManifestSchema.default({}),
      predictions: z.array(z.string()).default([]),
      prior_failures: z.number().int().default(0),
    })
    .parse(raw);
  const task = input.task === null ? null : { id: input.task?.id ?? 't', description: input.task?.description ?? 'task' };
  const result = reviewProposal(
    {
      proposal: { description: input.description },
      task,
      beliefs: input.beliefs,
      requiredSections: input.required_sections,
      hypotheses: [{ predicted_observations: input.predictions }],
      tools: input.tools,
      failuresSoFar: input.prior_failures,
    },
    referenceReviewGateConfig,
  );
  return {
    passed: result.passed,
    first_failed_dimension: result.failed[0]?.dimension ?? null,
    consecutive_failures: result.consecutiveFailures,
    escalation_triggered: result.escalate,
  };
};

export const actionGateCase: Adapter = (raw) => {
  const input = z
    .object({
      escalation_reason: z.string().nullable(),
      permission: z.enum(['ALLOW', 'DENY']),
      block_mask_dimensions: z.array(z.string()).default([]),
      required_resources: z.array(z.string()).default([]),
    })
    .parse(raw);
  const block_mask = input.block_mask_dimensions.map((dimension) => ({ dimension, value: 0, recovery_action_class: '' }));
  return actionGate({ permission: input.permission, escalation_reason: input.escalation_reason, block_mask }, input.required_resources)
    .result;
};

export const verifyCase: Adapter = (raw) => {
  const input = z
    .object({
      result: jsonSchema.default(null),
      success_criteria: z.array(z.string()).default([]),
      assumptions: z.array(z.string()).default([]),
      evidence: z.array(evidenceSchema).nullish(),
      tools: toolManifestSchema.default({}),
      contradictions: z.array(severitySchema).nullish(),
      required_sections: z.array(z.string()).nullish(),
      risk: riskLevelSchema.optional(),
      hypotheses: z.array(hypothesisSchema).default([]),
      scope: z.enum(['local', 'global']).default('local'),
      world_model: z.null().optional(),
    })
    .parse(raw);
  const { verification } = verify(
    {
      result: input.result,
      successCriteria: input.success_criteria,
      assumptions: input.assumptions,
      evidence: input.evidence ?? null,
      tools: input.tools,
      contradictions:
        input.contradictions === null || input.world_model === null
          ? null
          : (input.contradictions ?? []).map((severity, index) => ({
              id: `c${index}`,
              type: 'pairwise',
              severity,
              scope: 'local',
              description: severity,
              involved_belief_ids: [],
            })),
      requiredSections: input.required_sections ?? null,
      risk: input.risk,
      hypotheses: input.hypotheses,
    },
    { ...defaultVerificationConfig, scope: input.scope },
  );
  return plain({
    statuses: Object.fromEntries(verification.checks.map(({ check, status }) => [check, status])),
    order: verification.checks.map(({ check }) => check).filter((name) => checkNames.includes(name)),
    has_critical_failure: verification.has_critical_failure,
    critical_failure_tiers: verification.critical_failure_tiers,
    adversarial_passed: verification.adversarial_passed,
  });
};

export const stallRuleCase: Adapter = (raw) => {
  const input = z
    .object({
      completion_history: z.array(z.number()).default([]),
      switch_count: z.number().default(0),
      failure_classes: z.array(z.string()).default([]),
      risk_state_history: z.array(z.string()).default([]),
    })
    .parse(raw);
  const { stalled, reason } = detectStall({ strategy: input, failures: input.failure_classes.map((failure_class) => ({ failure_class })) });
  return { stalled, stall_reason: reason };
};

export const warmStartCase: Adapter = (raw) => {
  const input = z
    .object({ weights: z.record(z.string(), z.number()), class_priors: z.record(z.string(), z.number()).default({}) })
    .parse(raw);
  const warm = warmStart({ strategy_weights: input.weights, class_priors: input.class_priors });
  return plain({ order: warm.order, policy: warm.policy, class_priors: warm.classPriors, confidence_decay_rate: warm.confidenceDecayRate });
};

export const reviewerPassCase: Adapter = (raw) => {
  const input = z
    .object({
      world_model: worldModelSchema.prefault({}),
      tasks: z.array(taskSchema).default([]),
      success_criteria: z.array(z.string()).default([]),
      class_priors: z.record(z.string(), z.number()).default({}),
      edges: z
        .array(z.object({ from: z.string(), to: z.string(), confidence: z.number().default(1), verified: z.boolean().default(true) }))
        .default([]),
      graph: beliefDepGraphSchema.optional(),
      adversarial: z.boolean().default(true),
    })
    .parse(raw);
  const { findings, reopenedTaskIds } = reviewerPass(
    {
      worldModel: input.world_model,
      beliefGraph: input.graph ?? { ...emptyBeliefDepGraph(), derived_from_edges: input.edges },
      taskGraph: { tasks: input.tasks, conflict_probability_cache: {}, changed: false },
      successCriteria: input.success_criteria,
      classPriors: input.class_priors,
      runAdversarial: input.adversarial,
    },
    referenceReviewerConfig,
  );
  const of = (wanted: string) => findings.filter(({ lens }) => lens === wanted).map(({ text }) => text);
  return {
    implementer_findings: of('implementer'),
    reviewer_findings: of('reviewer'),
    adversarial_findings: of('adversarial'),
    reopened_task_ids: reopenedTaskIds,
  };
};

export const outputValidationCase: Adapter = (raw) => {
  const input = z
    .object({ result: jsonSchema.default(null), contract: outputContractSchema.prefault({}), constraints: z.array(z.string()).default([]) })
    .parse(raw);
  const { passed, violatedDimension, violations } = validateOutput(
    input.result,
    input.contract,
    input.constraints,
    referenceOutputValidationConfig,
  );
  return { passed, violated_dimension: violatedDimension, violation_count: violations.length };
};
