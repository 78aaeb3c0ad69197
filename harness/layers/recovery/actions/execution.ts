import { releaseDependents } from '../../planning/dependents';
import type { TaskGraph } from '../../planning/state';
import { type RecoveryAction, repaired, unchanged } from './types';

/** Failed tasks that have not been tried again yet wait once more, with what depended on them. */
function requeue(graph: TaskGraph, most: number): { graph: TaskGraph; ids: string[] } {
  const ids = graph.tasks
    .filter(({ status, retried }) => status === 'FAILED' && retried !== true)
    .slice(0, most)
    .map(({ id }) => id);
  let next: TaskGraph = {
    ...graph,
    changed: graph.changed || ids.length > 0,
    tasks: graph.tasks.map((task) => (ids.includes(task.id) ? { ...task, status: 'PENDING' as const, retried: true } : task)),
  };
  for (const id of ids) next = releaseDependents(next, id);
  return { graph: next, ids };
}

/** execution_retry: re-queues failed tasks, each of them once (D3). */
export const executionRetry: RecoveryAction = (state) => {
  const { graph, ids } = requeue(state.taskGraph, Number.POSITIVE_INFINITY);
  if (ids.length === 0) return unchanged(state, 'every failed task was tried again already', ['another way to do the failed tasks']);
  return repaired({ ...state, taskGraph: graph }, `${ids.join(', ')} wait again`);
};

/** failure_recovery: takes the strategy of the matched pattern and settles the failures of its class (D3). */
export const failureRecovery: RecoveryAction = (state) => {
  const match = state.failures.matched_pattern;
  const affinity = match?.strategy_affinity;
  if (!match || affinity === undefined) return unchanged(state, 'no matched pattern names a strategy', ['the failure pattern']);
  const open = state.failures.failure_history.filter(
    ({ handled, failure_class }) => handled !== true && failure_class === match.failure_class,
  ).length;
  if (state.strategy.current_strategy === affinity && open === 0)
    return unchanged(state, `${affinity} is in use already`, ['another strategy']);
  return repaired(
    {
      ...state,
      strategy: {
        ...state.strategy,
        current_strategy: affinity,
        switch_count: state.strategy.switch_count + (state.strategy.current_strategy === affinity ? 0 : 1),
        switch_triggers: [...state.strategy.switch_triggers, `failure_recovery: ${match.matched_pattern}`],
      },
      failures: {
        ...state.failures,
        failure_history: state.failures.failure_history.map((record) =>
          record.failure_class === match.failure_class ? { ...record, handled: true } : record,
        ),
      },
    },
    `${affinity} for ${match.failure_class}, ${open} failures settled`,
  );
};

/** oscillation_stabilise: one task at a time from now on, the first failed one again first (D3). */
export const oscillationStabilise: RecoveryAction = (state) => {
  const { graph, ids } = requeue(state.taskGraph, 1);
  if (state.taskGraph.serial === true && ids.length === 0)
    return unchanged(state, 'tasks already run one at a time', ['another way to do the failed tasks']);
  return repaired(
    { ...state, taskGraph: { ...graph, serial: true } },
    ids.length === 0 ? 'tasks run one at a time' : `tasks run one at a time, ${ids.join(', ')} again`,
  );
};
