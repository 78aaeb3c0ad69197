import type { MemoryState } from '../context-compression/state';
import { completedCount } from '../planning/complete';
import { type Task, type TaskGraph, taskById } from '../planning/state';
import { relaxConflicts } from '../planning/update';
import type { FailureDiagnostics, StrategyState } from '../recovery/state';
import { additions, appended, lastChanged, mergedBy, mergedRecord, same, summed, united } from './three-way';

/** The task a branch worked on, with its tasks as that branch left them. */
export interface WorkedGraph {
  currentTask: string | null;
  taskGraph: TaskGraph;
}

/** The branch that worked on a task decides about it; of the rest the later change stands (layers.md R7). */
export function mergeTaskGraphs(base: TaskGraph, branches: readonly WorkedGraph[], decay: number): TaskGraph {
  const graphs = branches.map(({ taskGraph }) => taskGraph);
  const own = new Map<string, Task>();
  for (const { currentTask, taskGraph } of branches) {
    const task = currentTask === null ? undefined : taskById(taskGraph, currentTask);
    if (task) own.set(task.id, task);
  }
  const merged = mergedBy(
    base.tasks,
    graphs.map(({ tasks }) => tasks),
    ({ id }) => id,
  ).map((task) => own.get(task.id) ?? task);
  const caches = graphs.map(({ conflict_probability_cache }) => conflict_probability_cache);
  const graph: TaskGraph = {
    tasks: released(merged),
    conflict_probability_cache: mergedRecord(base.conflict_probability_cache, caches),
    changed: graphs.some(({ changed }) => changed),
    ...(graphs.some(({ serial }) => serial === true) ? { serial: true } : {}),
  };
  const clean = branches.length > 1 && [...own.values()].every(({ status }) => status !== 'FAILED');
  return clean ? relaxConflicts(graph, domainPairs([...own.values()]), decay) : graph;
}

/** A dependent that one branch blocked stays blocked only while what blocks it has not been finished by another. */
function released(tasks: Task[]): Task[] {
  const complete = new Set(tasks.filter(({ status }) => status === 'COMPLETE').map(({ id }) => id));
  return tasks.map((task) => {
    if (task.status !== 'BLOCKED' || task.blocked_by === undefined || !complete.has(task.blocked_by)) return task;
    const { blocked_by: _, block_reason: __, ...rest } = task;
    return { ...rest, status: 'PENDING' as const };
  });
}

function domainPairs(tasks: readonly Task[]): [string, string][] {
  return tasks.flatMap((left, index) =>
    tasks
      .slice(index + 1)
      .flatMap((right) =>
        left.parallel_write_domains.flatMap((one) => right.parallel_write_domains.map((other): [string, string] => [one, other])),
      ),
  );
}

/** Switches add up; the histories get one entry for the iteration, counted on the merged tasks (layers.md R0 step 13). */
export function mergeStrategies(base: StrategyState, branches: readonly StrategyState[], graph: TaskGraph): StrategyState {
  const pushed = branches.some(({ completion_history }) => completion_history.length > base.completion_history.length);
  const risks = branches.flatMap((branch) => additions(base.risk_state_history, branch.risk_state_history));
  const worst = ['BLOCKED', 'CAUTIOUS'].find((risk) => risks.includes(risk)) ?? risks.at(-1);
  return {
    ...base,
    current_strategy: lastChanged(
      base.current_strategy,
      branches.map(({ current_strategy }) => current_strategy),
    ),
    switch_count: summed(
      base.switch_count,
      branches.map(({ switch_count }) => switch_count),
    ),
    switch_triggers: appended(
      base.switch_triggers,
      branches.map(({ switch_triggers }) => switch_triggers),
    ),
    completion_history: pushed ? [...base.completion_history, completedCount(graph)] : base.completion_history,
    risk_state_history: worst === undefined ? base.risk_state_history : [...base.risk_state_history, worst],
    stall_reason: lastChanged(
      base.stall_reason,
      branches.map(({ stall_reason }) => stall_reason),
    ),
    order: lastChanged(
      base.order,
      branches.map(({ order }) => order),
    ),
    tried: united(
      base.tried,
      branches.map(({ tried }) => tried),
    ),
  };
}

/** Failures of all branches, numbered on. */
export function mergeFailures(base: FailureDiagnostics, branches: readonly FailureDiagnostics[]): FailureDiagnostics {
  const before = base.failure_history.map((record, index) =>
    branches.some(({ failure_history }) => failure_history[index]?.id === record.id && failure_history[index]?.handled === true)
      ? { ...record, handled: true }
      : record,
  );
  const added = branches.flatMap(({ failure_history }) => failure_history.slice(base.failure_history.length));
  return {
    failure_history: [...before, ...added.map((record, index) => ({ ...record, id: `failure-${before.length + index + 1}` }))],
    failure_mode_library: lastChanged(
      base.failure_mode_library,
      branches.map(({ failure_mode_library }) => failure_mode_library),
    ),
    matched_pattern: lastChanged(
      base.matched_pattern,
      branches.map(({ matched_pattern }) => matched_pattern),
    ),
  };
}

export function mergeMemories(base: MemoryState, branches: readonly MemoryState[]): MemoryState {
  const rest = lastChanged(
    { ...base, journal: [] },
    branches.map((branch) => ({ ...branch, journal: [] })),
  );
  const journals = branches.map(({ journal }) => journal);
  const used = summed(
    base.token_budget.used,
    branches.map(({ token_budget }) => token_budget.used),
  );
  return {
    ...rest,
    journal: journals.every((journal) => same(journal, base.journal)) ? base.journal : appended(base.journal, journals),
    token_budget: { ...rest.token_budget, used: Math.max(0, used) },
  };
}
