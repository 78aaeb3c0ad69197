import type { Decision } from '../../contract/decision';
import { userError } from '../../contract/errors';
import { findCycle } from '../control-state/cycles';
import { compared, decided, fact } from '../shared/explain';
import type { TaskGraph } from './state';

export const conflictKey = (left: string, right: string): string => [left, right].sort().join('::');

/** Dependencies that name no task. */
export function unknownDependencies(graph: TaskGraph): string[] {
  const ids = new Set(graph.tasks.map(({ id }) => id));
  return graph.tasks.flatMap(({ id, depends_on }) =>
    depends_on.filter((need) => !ids.has(need)).map((need) => `Task "${id}" depends on unknown task "${need}"`),
  );
}

/** Throws `GRAPH_CYCLE` when tasks wait for each other in a circle (layers.md R7). */
export function assertAcyclic(graph: TaskGraph): void {
  const cycle = findCycle(new Map(graph.tasks.map(({ id, depends_on }) => [id, depends_on])));
  if (cycle)
    throw userError('GRAPH_CYCLE', `GraphCycleError: tasks wait for each other in a circle: ${[...cycle, cycle[0]].join(' → ')}`, {
      cycle,
    });
}

/**
 * Checks the graph and fills in conflict probabilities that are not recorded: two domains (tasks with A + tasks with B) / 2N, one
 * domain shared by two or more tasks count / N, both capped at 1 (layers.md R7). A recorded value is kept.
 */
export function updateTaskGraph(graph: TaskGraph): { taskGraph: TaskGraph; decision: Decision } {
  assertAcyclic(graph);
  const total = graph.tasks.length;
  const counts = new Map<string, number>();
  for (const { parallel_write_domains } of graph.tasks) {
    for (const domain of new Set(parallel_write_domains)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  const cache = { ...graph.conflict_probability_cache };
  const record = (key: string, probability: number) => {
    if (!cache[key]) cache[key] = Math.min(1, probability);
  };
  const domains = [...counts.keys()].sort();
  if (total >= 2) {
    for (const [index, left] of domains.entries()) {
      const count = counts.get(left) ?? 0;
      for (const right of domains.slice(index + 1)) record(conflictKey(left, right), (count + (counts.get(right) ?? 0)) / (2 * total));
      if (count >= 2) record(conflictKey(left, left), count / total);
    }
  }
  const added = Object.keys(cache).filter((key) => !graph.conflict_probability_cache[key]);
  return {
    taskGraph: added.length === 0 ? graph : { ...graph, conflict_probability_cache: cache },
    decision: decided({
      rule: 'task graph update',
      outcome: `${total} tasks, no circle`,
      because: added.slice(0, 20).map((key) => fact(`conflict ${key}`, cache[key] ?? 0)),
    }),
  };
}

/** After a merge the domain pairs that ran side by side count as a little safer (layers.md R7). */
export function relaxConflicts(graph: TaskGraph, pairs: readonly (readonly [string, string])[], factor: number): TaskGraph {
  const cache = { ...graph.conflict_probability_cache };
  for (const key of new Set(pairs.map(([left, right]) => conflictKey(left, right)))) {
    const value = cache[key];
    if (value !== undefined && value > 0) cache[key] = value * factor;
  }
  return { ...graph, conflict_probability_cache: cache };
}

export const conflictReason = (key: string, probability: number, limit: number) => compared(`conflict ${key}`, probability, '>', limit);
