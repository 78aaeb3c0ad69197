import { isBridleError } from '../../contract/errors';
import type { Json } from '../../contract/json';
import { abstractionFit } from '../../layers/diagnostics/abstraction';
import { type InitialiseInput, initialiseRun } from '../../layers/initialise/initialise';
import { validateOutput } from '../../layers/output-validation/validate';
import { nothingLeft } from '../../layers/planning/revalidate';
import { taskById } from '../../layers/planning/state';
import { reopenTask, setTaskStatus } from '../../layers/planning/transitions';
import { reviewerPass } from '../../layers/reviewer/pass';
import { nextGeneration } from '../../layers/world-model/generation';
import { execute, recordExecution, recordSuccess } from './loop/act';
import { mergeBranch, pushHistory, recoverTask, verifyTask } from './loop/check';
import { type LoopContext, LoopHalt, type LoopInput, note, startContext } from './loop/context';
import { budgetHalt, selectAndGate } from './loop/gate';
import { contradictions, diagnose, hypotheses, resolve } from './loop/think';

export type LoopOutcome =
  | { status: 'complete'; context: LoopContext; finalResult: Json }
  | { status: 'halted'; context: LoopContext | null; error: string; reason: string | null; detail: string };

/** Runs iterations in the order of layers.md R0 until all is done or nothing more can run; throws `LoopHalt`. */
function drive(context: LoopContext): void {
  const { state, input, order } = context;
  for (;;) {
    const replayed = context.continuation === null ? null : taskById(state.taskGraph, context.continuation);
    context.continuation = null;
    let outcome: ReturnType<typeof selectAndGate>;
    if (replayed) {
      order.push('action_gate_replay_continuation');
      context.steps += 1;
      if (context.steps > input.maxSteps) throw budgetHalt(context);
      outcome = { step: 'run', task: replayed, concurrent: null };
    } else outcome = selectAndGate(context);
    if (outcome.step === 'done') return;
    if (outcome.step === 'restart') continue;

    const { task, concurrent } = outcome;
    order.push('execute');
    const executed = execute(context, task, state.worldModel);
    if (executed === 'continue') {
      context.continuation = task.id;
      continue;
    }
    state.worldModel = executed.model;
    const branch = concurrent ? runBranch(context, concurrent.id) : null;

    state.worldModel = nextGeneration(state.worldModel);
    order.push('gather_evidence', 'apply_tool_reliability', 'update_world_model_post_exec');
    if (executed.success) recordSuccess(context, task, executed.output);
    order.push('update_diagnostics_post_exec');
    diagnose(context);
    order.push('resolve_control_state_b');
    resolve(context);
    order.push('verify');
    const passed = verifyTask(context, task, executed.output);
    order.push('post_exec_gate', 'update_task_state');
    if (passed && executed.success) {
      state.taskGraph = setTaskStatus(state.taskGraph, task.id, { status: 'COMPLETE', fromExecutionLayer: true });
      context.finalResult = executed.output;
    } else {
      order.push('rollback_replan');
      recoverTask(context, task, executed.success);
    }
    if (concurrent && branch) mergeBranch(context, { task, concurrent }, branch);
    pushHistory(context);
    if (context.steps >= Math.floor(input.settings.budgetWarningShare * input.maxSteps)) {
      const feasibility = Math.min(state.diagnostics.verification_health.feasibility, input.settings.budgetWarningFeasibility);
      state.diagnostics = { ...state.diagnostics, verification_health: { ...state.diagnostics.verification_health, feasibility } };
    }
    if (context.steps >= input.maxSteps && !nothingLeft(state.taskGraph)) throw budgetHalt(context);
  }
}

/** The second task of a pair, on a copy of the world model. */
function runBranch(context: LoopContext, id: string): { model: LoopContext['state']['worldModel']; success: boolean } | null {
  const { state } = context;
  state.taskGraph = setTaskStatus(state.taskGraph, id, { status: 'RUNNING' });
  const task = taskById(state.taskGraph, id);
  if (!task) return null;
  const executed = execute(context, task, state.worldModel);
  if (executed === 'continue') return { model: state.worldModel, success: false };
  return { model: executed.success ? recordExecution(context, executed.model, task) : executed.model, success: executed.success };
}

function review(context: LoopContext): string[] {
  const { state, input } = context;
  const reviewed = reviewerPass(
    {
      worldModel: state.worldModel,
      beliefGraph: state.beliefDepGraph,
      taskGraph: state.taskGraph,
      successCriteria: input.successCriteria,
      classPriors: state.failureDiagnostics.failure_mode_library.class_priors,
      adversarialFailures: input.settings.reviewer.reopenBy === 'text' ? [] : context.adversarialFailures,
      runAdversarial: input.signal.risk !== 'LOW' || input.signal.taskCount >= input.settings.reviewer.adversarialTasks,
    },
    input.settings.reviewer,
  );
  note(context, ...reviewed.decisions);
  state.worldModel = reviewed.worldModel;
  state.beliefDepGraph = reviewed.beliefGraph;
  const feasibility = abstractionFit(state.taskGraph, state.worldModel.beliefs, input.settings.diagnostics, true);
  state.diagnostics = { ...state.diagnostics, verification_health: { ...state.diagnostics.verification_health, feasibility } };
  hypotheses(context);
  contradictions(context);
  context.verdict = reviewed.verdict;
  return reviewed.reopenedTaskIds;
}

/** A whole run over scripted executors, composed of the layers' pure functions in the reference order. */
export function runReferenceLoop(input: LoopInput, initial: InitialiseInput): LoopOutcome {
  let context: LoopContext | null = null;
  try {
    const started = initialiseRun(initial, { maxSteps: input.maxSteps, taskRisk: 'MEDIUM', abstractionLevel: 1 });
    context = startContext(input, started.state);
    drive(context);
    context.order.push('reviewer_pass');
    const reopened = review(context);
    if (reopened.length > 0) {
      for (const id of reopened) context.state.taskGraph = reopenTask(context.state.taskGraph, id);
      drive(context);
      context.order.push('reviewer_pass_2');
      review(context);
    }
    context.order.push('output_validation');
    const output = validateOutput(
      context.finalResult,
      context.state.outputContract,
      context.state.callerState.current_constraints,
      input.settings.output,
    );
    note(context, output.decision);
    if (!output.passed) {
      return {
        status: 'halted',
        context,
        error: 'OutputContractError',
        reason: output.violatedDimension,
        detail: output.violations.map(({ text }) => text).join('; '),
      };
    }
    return { status: 'complete', context, finalResult: context.finalResult };
  } catch (thrown) {
    if (thrown instanceof LoopHalt)
      return { status: 'halted', context, error: 'EscalationHalt', reason: thrown.reason, detail: thrown.message };
    if (isBridleError(thrown))
      return { status: 'halted', context, error: errorNames[thrown.code] ?? thrown.code, reason: null, detail: thrown.message };
    throw thrown;
  }
}

/** Names of the reference for errors that our functions throw. */
export const errorNames: Readonly<Record<string, string>> = {
  GRAPH_CYCLE: 'GraphCycleError',
  STALENESS: 'StalenessError',
  SELF_REFERENTIAL_DEPENDENCY: 'SelfReferentialDependencyError',
  TASK_GRAPH_INVALID: 'Error',
  DERIVED_FROM_REQUIRED: 'derived_from required',
};
