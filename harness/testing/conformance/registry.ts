import type { Json, JsonObject } from '../../contract/json';
import {
  elevationFactorCase,
  failurePatternMatchCase,
  generateUpdateHypothesesCase,
  normaliseCase,
  resolveControlStateCase,
  updateDiagnosticsCase,
} from './adapters/health';
import { runtimeScenarioCase } from './adapters/runtime';
import {
  actionGateCase,
  estimateRiskCase,
  estimateVoiCase,
  outputValidationCase,
  revalidateTaskGraphCase,
  reviewerPassCase,
  reviewGateCase,
  selectTaskCase,
  stallRuleCase,
  taskStatusTransitionsCase,
  updateTaskGraphCase,
  verifyCase,
  warmStartCase,
} from './adapters/work';
import {
  applyToolReliabilityCase,
  beliefDepGraphCase,
  contextCompressionCase,
  detectContradictionsCase,
  gatherEvidenceCase,
  stalenessGateCase,
  updateWorldModelCase,
} from './adapters/world';

export interface CaseContext {
  /** ISO time at which every case runs. */
  clock: string;
}

/** Turns the input of a case into calls of our functions, run with the parameters that restore the reference. */
export type Adapter = (input: JsonObject, context: CaseContext) => Json;

export const adapters: ReadonlyMap<string, Adapter> = new Map(
  Object.entries({
    action_gate: actionGateCase,
    apply_tool_reliability: applyToolReliabilityCase,
    belief_dep_graph: beliefDepGraphCase,
    context_compression: contextCompressionCase,
    detect_contradictions: detectContradictionsCase,
    elevation_factor: elevationFactorCase,
    estimate_risk: estimateRiskCase,
    estimate_voi: estimateVoiCase,
    failure_pattern_match: failurePatternMatchCase,
    gather_evidence: gatherEvidenceCase,
    generate_update_hypotheses: generateUpdateHypothesesCase,
    normalise: normaliseCase,
    output_validation: outputValidationCase,
    resolve_control_state: resolveControlStateCase,
    revalidate_task_graph: revalidateTaskGraphCase,
    review_gate: reviewGateCase,
    reviewer_pass: reviewerPassCase,
    runtime_scenarios: runtimeScenarioCase,
    select_task: selectTaskCase,
    staleness_gate: stalenessGateCase,
    stall_rule: stallRuleCase,
    task_status_transitions: taskStatusTransitionsCase,
    update_diagnostics: updateDiagnosticsCase,
    update_task_graph: updateTaskGraphCase,
    update_world_model: updateWorldModelCase,
    verify: verifyCase,
    warm_start: warmStartCase,
  }),
);

/** Fields of a result that only some cases of a suite give; they are compared where they are given. */
export const optionalFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['estimate_voi', ['verification_strength_after']],
  ['runtime_scenarios', ['reason', 'steps_used', 'task_statuses', 'final_result']],
]);

/** Fields of an expectation that are information only, by suite. */
export const informational: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'runtime_scenarios',
    [
      'node_execution_order',
      'generation_id',
      'control_state',
      'evidence_ids',
      'system_errors',
      'beliefs',
      'contradictions',
      'completion_history',
      'risk_state_history',
      'strategy',
      'switch_count',
      'executions',
      'checkpoints',
      'layers_fired',
    ],
  ],
]);
