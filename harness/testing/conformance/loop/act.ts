import type { Json } from '../../../contract/json';
import { addDerivations } from '../../../layers/belief-graph/derivations';
import type { EvidenceInput } from '../../../layers/evidence/gather';
import { recordEvidence } from '../../../layers/evidence/record';
import { systemErrorText } from '../../../layers/execution/symptoms';
import type { Task } from '../../../layers/planning/state';
import { setTaskStatus } from '../../../layers/planning/transitions';
import { formatInstant } from '../../../layers/shared/instant';
import type { WorldModel } from '../../../layers/world-model/state';
import type { BeliefInput } from '../../../layers/world-model/update';
import { type LoopContext, note } from './context';

/** Records one piece of evidence in the given world model, which may be that of a parallel branch. */
export function record(
  context: LoopContext,
  model: WorldModel,
  task: Task,
  input: Omit<EvidenceInput, 'freshness'> & { belief?: BeliefInput },
): WorldModel {
  const { state } = context;
  const recorded = recordEvidence(
    { store: state.evidenceStore, worldModel: model },
    { ...input, freshness: formatInstant(context.input.now), taskId: task.id },
  );
  state.evidenceStore = recorded.store;
  if (recorded.belief && context.input.settings.derivations) state.beliefDepGraph = addDerivations(state.beliefDepGraph, recorded.belief);
  note(context, ...recorded.decisions);
  return recorded.worldModel;
}

export const recordExecution = (context: LoopContext, model: WorldModel, task: Task): WorldModel =>
  record(context, model, task, {
    id: `exec-${task.id}-${context.steps}`,
    obs: `Task executed: ${task.description}`,
    source: 'execution_engine',
    evidence_type: 'OBSERVATION',
    reliability: 'HIGH',
  });

const summary = (output: Json): string => (typeof output === 'string' ? output : JSON.stringify(output)).slice(0, 200);

/** What a successful execution leaves behind (layers.md R2). */
export function recordSuccess(context: LoopContext, task: Task, output: Json): void {
  const { state, input, steps } = context;
  let model = recordExecution(context, state.worldModel, task);
  const result = `result-${task.id}-${steps}`;
  model = record(context, model, task, {
    id: result,
    obs: `Result: ${summary(output)}`,
    source: 'result_inspection',
    evidence_type: 'OBSERVATION',
    reliability: 'MEDIUM',
  });
  for (const [index, statement] of input.facts.entries()) {
    const id = `fact-${task.id}-${steps}-${index}`;
    model = record(context, model, task, {
      id,
      obs: statement,
      source: 'fact_extraction',
      evidence_type: 'INFERENCE',
      reliability: 'MEDIUM',
      belief: { statement, derived_from: [id] },
    });
  }
  if (input.facts.length === 0 && (input.signal.taskCount > 1 || input.signal.risk !== 'LOW')) {
    const statement = `Completed: ${task.description}`;
    const belief = { statement, derived_from: [`exec-${task.id}-${steps}`, result] };
    model = record(context, model, task, {
      id: `belief-${task.id}-${steps}`,
      obs: statement,
      source: 'world_model_trail',
      evidence_type: 'INFERENCE',
      reliability: 'MEDIUM',
      belief,
    });
  }
  state.worldModel = model;
}

export interface Execution {
  success: boolean;
  output: Json;
  model: WorldModel;
}

/** Runs the scripted executor; a failure is an observation of its own and fails the task (layers.md R8). */
export function execute(context: LoopContext, task: Task, model: WorldModel): Execution | 'continue' {
  const { state, input, steps } = context;
  const outcome = input.execute(task.id);
  if (outcome.status === 'continue') return 'continue';
  const at = formatInstant(input.now);
  const change = { id: `change-${task.id}-${steps}`, description: `Executed ${task.id}`, affected_paths: [], timestamp: at };
  const logged = { ...model, environment_change_log: [...model.environment_change_log, change] };
  if (outcome.status === 'ok') return { success: true, output: outcome.output, model: logged };
  state.taskGraph = setTaskStatus(state.taskGraph, task.id, { status: 'FAILED', fromExecutionLayer: true });
  const observation = {
    id: `error-${task.id}-${steps}`,
    content: systemErrorText(outcome.message),
    source: 'execution_engine',
    recorded_at: at,
    task_id: task.id,
  };
  return { success: false, output: null, model: { ...logged, observations: [...logged.observations, observation] } };
}
