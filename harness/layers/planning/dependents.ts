import type { Task, TaskGraph } from './state';

/** Everything that depends on a task, directly or through others. */
export function dependentsOf(graph: TaskGraph, id: string): Task[] {
  const reached = new Set([id]);
  const queue = [id];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const task of graph.tasks) {
      if (reached.has(task.id) || !task.depends_on.includes(next)) continue;
      reached.add(task.id);
      queue.push(task.id);
    }
  }
  return graph.tasks.filter((task) => task.id !== id && reached.has(task.id));
}

/** Dependents of a task that failed for good say so instead of waiting for ever (D6). */
export function blockDependents(graph: TaskGraph, id: string): TaskGraph {
  const blocked = new Set(
    dependentsOf(graph, id)
      .filter(({ status }) => status === 'PENDING')
      .map((task) => task.id),
  );
  if (blocked.size === 0) return graph;
  return {
    ...graph,
    changed: true,
    tasks: graph.tasks.map((task) =>
      blocked.has(task.id) ? { ...task, status: 'BLOCKED' as const, block_reason: 'dependency_failed', blocked_by: id } : task,
    ),
  };
}

/** Dependents that were blocked by this task wait again: it is tried once more. */
export function releaseDependents(graph: TaskGraph, id: string): TaskGraph {
  if (!graph.tasks.some((task) => task.blocked_by === id && task.status === 'BLOCKED')) return graph;
  return {
    ...graph,
    changed: true,
    tasks: graph.tasks.map((task) => {
      if (task.blocked_by !== id || task.status !== 'BLOCKED') return task;
      const { blocked_by: _, block_reason: __, ...rest } = task;
      return { ...rest, status: 'PENDING' as const };
    }),
  };
}

/** One sentence per failed task that names what it keeps from running; for the reply (D6). */
export function describeBlocked(graph: TaskGraph): string[] {
  const titles = new Map(graph.tasks.map((task) => [task.id, task.description]));
  const byCause = new Map<string, string[]>();
  for (const task of graph.tasks) {
    if (task.blocked_by === undefined || task.status !== 'BLOCKED') continue;
    byCause.set(task.blocked_by, [...(byCause.get(task.blocked_by) ?? []), task.description]);
  }
  return [...byCause].map(
    ([cause, tasks]) => `"${titles.get(cause) ?? cause}" failed, so these did not run: ${tasks.map((text) => `"${text}"`).join(', ')}`,
  );
}
