import type { Decision } from '../../contract/decision';
import type { OutputContract } from '../output-validation/state';
import { deriveContract } from '../output-validation/validate';
import { cancelOpenTasks, revalidateTaskGraph } from '../planning/revalidate';
import type { TaskGraph } from '../planning/state';
import { decided, fact } from '../shared/explain';
import { sharesWord, wordSet } from '../shared/text';
import { nextGeneration } from '../world-model/generation';
import type { WorldModel } from '../world-model/state';
import type { CallerState } from './state';

export interface CallerUpdate {
  addConstraints?: string[];
  liftConstraints?: string[];
  successCriteria?: string[];
  cancel?: boolean;
}

export interface CallerUpdateState {
  caller: CallerState;
  worldModel: WorldModel;
  taskGraph: TaskGraph;
  contract: OutputContract;
}

/** Beliefs that share no word with any criterion are stale now. */
function flagOutOfScope(model: WorldModel, criteria: readonly string[]): WorldModel {
  const sets = criteria.map(wordSet);
  if (sets.length === 0) return model;
  const flags = model.beliefs
    .filter(({ statement }) => !sets.some((set) => sharesWord(wordSet(statement), set)))
    .map(({ id }) => [id, true] as const);
  return flags.length === 0 ? model : { ...model, stale_flags: { ...model.stale_flags, ...Object.fromEntries(flags) } };
}

/**
 * Takes a change of what the caller wants into the run: stale beliefs, contract, tasks; the generation grows so that control state
 * is resolved again before anything else happens (layers.md R7). Contradictions are detected again by the caller of this function.
 */
export function applyCallerUpdate(
  state: CallerUpdateState,
  update: CallerUpdate,
): { state: CallerUpdateState; port: 'next' | 'changed' | 'cancelled'; decisions: Decision[] } {
  const caller: CallerState = {
    success_criteria: update.successCriteria ?? state.caller.success_criteria,
    current_constraints: [
      ...state.caller.current_constraints.filter((constraint) => !(update.liftConstraints ?? []).includes(constraint)),
      ...(update.addConstraints ?? []).filter((constraint) => !state.caller.current_constraints.includes(constraint)),
    ],
    constraints_changed: false,
  };
  if (update.cancel === true) {
    const cancelled = { ...state, caller, taskGraph: cancelOpenTasks(state.taskGraph), worldModel: nextGeneration(state.worldModel) };
    return {
      state: cancelled,
      port: 'cancelled',
      decisions: [decided({ rule: 'caller cancelled', outcome: 'open tasks are blocked', because: [fact('reason', 'goal_cancelled')] })],
    };
  }
  const same =
    JSON.stringify([caller.success_criteria, caller.current_constraints]) ===
    JSON.stringify([state.caller.success_criteria, state.caller.current_constraints]);
  if (same) return { state, port: 'next', decisions: [decided({ rule: 'caller updates', outcome: 'nothing new' })] };
  const revalidated = revalidateTaskGraph(state.taskGraph, caller.success_criteria);
  return {
    state: {
      caller,
      worldModel: nextGeneration(flagOutOfScope(state.worldModel, caller.success_criteria)),
      taskGraph: revalidated.taskGraph,
      contract: deriveContract(state.contract, caller.current_constraints),
    },
    port: 'changed',
    decisions: [
      decided({
        rule: 'caller updates',
        outcome: 'the iteration starts again',
        because: [fact('criteria', caller.success_criteria), fact('constraints', caller.current_constraints)],
      }),
      revalidated.decision,
    ],
  };
}
