import type { Json } from '../../../contract/json';
import { soundBeliefs, verifyDerivations } from '../../../layers/belief-graph/derivations';
import { riskSummary } from '../../../layers/control-state/state';
import { mergeWorldModels } from '../../../layers/planning/merge';
import { type Task, taskById } from '../../../layers/planning/state';
import { setTaskStatus } from '../../../layers/planning/transitions';
import { relaxConflicts } from '../../../layers/planning/update';
import { recover } from '../../../layers/recovery/recover';
import { unavailableExperience } from '../../../layers/recovery/state';
import { formatInstant } from '../../../layers/shared/instant';
import { postExecutionGate, verify } from '../../../layers/verification/verify';
import type { WorldModel } from '../../../layers/world-model/state';
import { type LoopContext, note } from './context';
import { contradictions, resolve } from './think';

/** Checks that have no backing in a scripted run are marked unavailable unless the manifest lists them (layers.md R9). */
const unbacked = ['pytest', 'integration_runner', 'consistency_checker', 'assumption_checker', 'goal_checker'];

export function verifyTask(context: LoopContext, task: Task, result: Json): boolean {
  const { state, input } = context;
  const manifest = {
    ...Object.fromEntries(unbacked.map((tool) => [tool, { available: false, fallback_tool: null }])),
    ...state.evidenceStore.tool_availability_manifest,
  };
  state.evidenceStore = { ...state.evidenceStore, tool_availability_manifest: manifest };
  const verified = verify({
    result,
    successCriteria: input.successCriteria,
    assumptions: state.worldModel.assumptions,
    evidence: state.evidenceStore.observations,
    tools: manifest,
    contradictions: state.worldModel.contradictions,
    requiredSections: state.outputContract.required_sections,
    risk: task.risk_level,
    hypotheses: state.hypothesisSet.active,
    taskId: task.id,
  });
  context.lastVerification = verified.verification;
  if (verified.verification.adversarial_passed === false) context.adversarialFailures.push(task.id);
  note(context, ...verified.decisions);
  const passed = postExecutionGate(result, state.outputContract.required_sections, verified.verification);
  if (passed && input.settings.derivations) {
    const sound = soundBeliefs(state.worldModel, new Set(state.evidenceStore.observations.map(({ id }) => id)));
    state.beliefDepGraph = verifyDerivations(state.beliefDepGraph, sound).graph;
  }
  return passed;
}

export function recoverTask(context: LoopContext, task: Task, executed: boolean): void {
  const { state, input } = context;
  const recovered = recover(
    {
      task,
      kind: executed ? 'verification' : 'system_error',
      at: formatInstant(input.now),
      strategy: state.strategyState,
      failures: state.failureDiagnostics,
      taskGraph: state.taskGraph,
      beliefs: state.worldModel.beliefs,
      successCriteria: state.callerState.success_criteria,
      experience: input.experience ?? unavailableExperience(),
    },
    input.settings.recovery,
  );
  state.strategyState = recovered.strategy;
  state.failureDiagnostics = recovered.failures;
  state.taskGraph = recovered.taskGraph;
  note(context, ...recovered.decisions);
}

/** Joins a parallel branch: world models merged, contradictions detected again, control state resolved (layers.md R7). */
export function mergeBranch(
  context: LoopContext,
  tasks: { task: Task; concurrent: Task },
  branch: { model: WorldModel; success: boolean },
): void {
  const { state, input } = context;
  const { task, concurrent } = tasks;
  state.worldModel = mergeWorldModels(state.worldModel, branch.model, input.settings.merge);
  contradictions(context);
  resolve(context);
  const pairs = task.parallel_write_domains.flatMap((left) => concurrent.parallel_write_domains.map((right) => [left, right] as const));
  state.taskGraph = relaxConflicts(state.taskGraph, pairs, input.settings.planning.mergeDecay);
  const status = taskById(state.taskGraph, concurrent.id)?.status;
  if (branch.success && status !== undefined && status !== 'COMPLETE') {
    state.taskGraph = setTaskStatus(state.taskGraph, concurrent.id, { status: 'COMPLETE', fromExecutionLayer: true });
  } else if (status === 'RUNNING') {
    state.taskGraph = setTaskStatus(state.taskGraph, concurrent.id, { status: 'PENDING' });
  }
}

export function pushHistory(context: LoopContext): void {
  const { state } = context;
  const complete = state.taskGraph.tasks.filter(({ status }) => status === 'COMPLETE').length;
  state.strategyState = {
    ...state.strategyState,
    completion_history: [...state.strategyState.completion_history, complete],
    risk_state_history: [...state.strategyState.risk_state_history, riskSummary(state.controlState)],
  };
}
