import { actionGate } from '../../../layers/execution/action-gate';
import { reviewProposal } from '../../../layers/execution/review-gate';
import { estimateRisk } from '../../../layers/execution/risk';
import { estimateVoi } from '../../../layers/execution/voi';
import { allComplete, nothingLeft } from '../../../layers/planning/revalidate';
import { selectTask } from '../../../layers/planning/select';
import type { Task } from '../../../layers/planning/state';
import { setTaskStatus } from '../../../layers/planning/transitions';
import { updateTaskGraph } from '../../../layers/planning/update';
import { runRecoveryActions } from '../../../layers/recovery/actions/run';
import { detectStall } from '../../../layers/recovery/stall';
import { formatInstant } from '../../../layers/shared/instant';
import { ensureFresh } from '../../../layers/world-model/generation';
import { type LoopContext, LoopHalt, note } from './context';
import { resolve, think } from './think';

export type GateOutcome = { step: 'restart' } | { step: 'done' } | { step: 'run'; task: Task; concurrent: Task | null };

/** What the reply says when nothing more can run and nothing usable came out. */
export function couldNotComplete(context: LoopContext): string {
  const last = context.state.failureDiagnostics.failure_history.at(-1);
  const detail = last?.description.replace(/^task failed:\s*/i, '').trim() ?? '';
  return detail === '' ? 'COULD_NOT_COMPLETE' : `COULD_NOT_COMPLETE(${detail.slice(0, 200)})`;
}

export function budgetHalt(context: LoopContext): LoopHalt {
  return new LoopHalt('budget_exhausted', `Step ${context.steps} reached the limit of ${context.input.maxSteps}`);
}

function review(context: LoopContext, task: Task): boolean {
  const { state, input } = context;
  const reviewed = reviewProposal(
    {
      proposal: { description: task.description },
      task,
      beliefs: state.worldModel.beliefs,
      requiredSections: state.outputContract.required_sections,
      hypotheses: state.hypothesisSet.active,
      tools: state.evidenceStore.tool_availability_manifest,
      failuresSoFar: context.reviewFailures.get(task.id) ?? 0,
    },
    input.settings.reviewGate,
  );
  note(context, reviewed.decision);
  context.reviewFailures.set(task.id, reviewed.consecutiveFailures);
  if (reviewed.passed) return true;
  state.taskGraph = setTaskStatus(state.taskGraph, task.id, { status: 'PENDING' });
  if (reviewed.escalate) throw new LoopHalt('review_failure', reviewed.failed.map(({ reason }) => reason).join('; '));
  return false;
}

/** A blocked iteration does something about it instead of being repeated as it was (D3). */
function recoverFromBlock(context: LoopContext): void {
  const { state } = context;
  const run = runRecoveryActions({
    blockMask: state.controlState.block_mask,
    state: {
      worldModel: state.worldModel,
      beliefGraph: state.beliefDepGraph,
      evidence: state.evidenceStore,
      hypotheses: state.hypothesisSet,
      taskGraph: state.taskGraph,
      strategy: state.strategyState,
      failures: state.failureDiagnostics,
    },
    log: context.recoveryLog,
    now: formatInstant(context.input.now),
  });
  note(context, ...run.decisions);
  context.recoveryLog = run.log;
  context.escalations = run.escalations;
  Object.assign(state, {
    worldModel: run.state.worldModel,
    beliefDepGraph: run.state.beliefGraph,
    evidenceStore: run.state.evidence,
    hypothesisSet: run.state.hypotheses,
    taskGraph: run.state.taskGraph,
    strategyState: run.state.strategy,
    failureDiagnostics: run.state.failures,
  });
}

function passGate(context: LoopContext, task: Task): boolean {
  const { state, input } = context;
  const fresh = ensureFresh(state.controlState, state.worldModel, () => {
    resolve(context);
    return state.controlState;
  });
  const gate = actionGate(fresh);
  note(context, gate.decision);
  if (gate.result === 'PASS') return true;
  state.taskGraph = setTaskStatus(state.taskGraph, task.id, { status: 'PENDING' });
  const stall = detectStall(
    { strategy: state.strategyState, failures: state.failureDiagnostics.failure_history },
    input.settings.recovery.stall,
  );
  if (stall.stalled) throw new LoopHalt('cannot_make_progress', stall.reason);
  if (input.settings.recoveryActions) recoverFromBlock(context);
  return false;
}

/** Steps 1 to 8 of an iteration (layers.md R0). */
export function selectAndGate(context: LoopContext): GateOutcome {
  const { state, input, order } = context;
  context.steps += 1;
  if (context.steps > input.maxSteps && !nothingLeft(state.taskGraph)) throw budgetHalt(context);
  think(context);
  if (allComplete(state.taskGraph)) return { step: 'done' };
  order.push('update_task_graph');
  const graph = updateTaskGraph(state.taskGraph);
  state.taskGraph = graph.taskGraph;
  order.push('select_task');
  const selected = selectTask(state.taskGraph, state.controlState, input.settings.planning);
  note(context, selected.decision);
  if (selected.escalate) throw new LoopHalt('cannot_make_progress', context.escalations[0]?.dimension ?? 'HUMAN_REQUIRED');
  if (!selected.task) {
    const usable = typeof context.finalResult === 'string' && context.finalResult.trim() !== '';
    if (!usable && state.taskGraph.tasks.some(({ status }) => status === 'FAILED')) context.finalResult = couldNotComplete(context);
    return { step: 'done' };
  }
  const { task } = selected;
  state.taskGraph = setTaskStatus(state.taskGraph, task.id, { status: 'RUNNING' });
  order.push('estimate_risk');
  note(
    context,
    estimateRisk({ module_type: input.signal.risk === 'HIGH' ? 'infrastructure' : 'business_logic' }, state.taskGraph).decision,
  );
  order.push('estimate_voi');
  const voi = estimateVoi({
    activeHypotheses: state.hypothesisSet.active.length,
    verificationStrength: state.diagnostics.verification_health.strength,
    tools: state.evidenceStore.tool_availability_manifest,
  });
  note(context, voi.decision);
  if (voi.updatedStrength !== null) {
    state.diagnostics = {
      ...state.diagnostics,
      verification_health: { ...state.diagnostics.verification_health, strength: voi.updatedStrength },
    };
  }
  order.push('review_proposed_change');
  if (!review(context, task)) return { step: 'restart' };
  order.push('action_gate');
  if (!passGate(context, task)) return { step: 'restart' };
  return { step: 'run', task, concurrent: selected.parallelDispatch ? selected.concurrent : null };
}
