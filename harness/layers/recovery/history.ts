import type { ControlState } from '../control-state/state';
import { riskSummary } from '../control-state/state';
import { completedCount } from '../planning/complete';
import type { TaskGraph } from '../planning/state';
import type { FailureDiagnostics, StrategyState } from './state';

/** The two histories that the stall rule reads: finished tasks and risk, once per iteration (layers.md R0 step 13). */
export const pushHistory = (strategy: StrategyState, graph: TaskGraph, control: ControlState): StrategyState => ({
  ...strategy,
  completion_history: [...strategy.completion_history, completedCount(graph)],
  risk_state_history: [...strategy.risk_state_history, riskSummary(control)],
});

/** Failures of a task that has been dealt with no longer weigh on the diagnostics. */
export function settleFailures(failures: FailureDiagnostics, taskId: string): FailureDiagnostics {
  const open = failures.failure_history.some(({ handled, context }) => handled !== true && context.task_id === taskId);
  if (!open) return failures;
  return {
    ...failures,
    failure_history: failures.failure_history.map((record) => (record.context.task_id === taskId ? { ...record, handled: true } : record)),
  };
}

/** Failures of tasks that are no longer in the plan are dealt with. */
export function settleGone(failures: FailureDiagnostics, graph: TaskGraph): FailureDiagnostics {
  const there = new Set(graph.tasks.map(({ id }) => id));
  const gone = failures.failure_history.flatMap(({ context }) =>
    typeof context.task_id === 'string' && !there.has(context.task_id) ? [context.task_id] : [],
  );
  return [...new Set(gone)].reduce(settleFailures, failures);
}
