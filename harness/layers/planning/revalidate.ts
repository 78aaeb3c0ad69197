import type { Decision } from '../../contract/decision';
import { decided, fact } from '../shared/explain';
import { sharesWord, wordSet } from '../shared/text';
import { type Task, type TaskGraph, taskSchema } from './state';

export const scopeEliminated = 'scope_eliminated';

/** The next `task-<n>` that is not taken. */
export function freshTaskId(graph: TaskGraph, prefix = 'task'): string {
  const taken = new Set(graph.tasks.map(({ id }) => id));
  let number = graph.tasks.length;
  while (taken.has(`${prefix}-${number}`)) number += 1;
  return `${prefix}-${number}`;
}

export const newTask = (fields: Pick<Task, 'id' | 'description'> & Partial<Task>): Task => taskSchema.parse(fields);

/**
 * Fits the tasks to changed criteria: an open task that shares no word with any of them is blocked, a criterion that no open
 * task covers becomes a task (layers.md R7). Without criteria nothing changes.
 */
export function revalidateTaskGraph(
  graph: TaskGraph,
  successCriteria: readonly string[],
): { taskGraph: TaskGraph; changed: boolean; decision: Decision } {
  const criteria = [...new Set(successCriteria)];
  const sets = criteria.map(wordSet);
  const out: string[] = [];
  let next = graph;
  if (criteria.length > 0) {
    const tasks = graph.tasks.map((task): Task => {
      const words = wordSet(task.description);
      if (task.status === 'COMPLETE' || sets.some((set) => sharesWord(words, set))) return task;
      if (task.status === 'BLOCKED' && task.block_reason === scopeEliminated) return task;
      out.push(task.id);
      return { ...task, status: 'BLOCKED', block_reason: scopeEliminated };
    });
    if (out.length > 0) next = { ...graph, tasks, changed: true };
  }
  const added: string[] = [];
  for (const [index, criterion] of criteria.entries()) {
    const words = sets[index] ?? new Set<string>();
    const covered = next.tasks.some(
      (task) =>
        task.status !== 'COMPLETE' &&
        !(task.status === 'BLOCKED' && task.block_reason === scopeEliminated) &&
        sharesWord(wordSet(task.description), words),
    );
    if (covered) continue;
    const task = newTask({ id: freshTaskId(next), description: criterion });
    added.push(task.id);
    next = { ...next, tasks: [...next.tasks, task], changed: true };
  }
  return {
    taskGraph: next,
    changed: out.length > 0 || added.length > 0,
    decision: decided({
      rule: 'scope change',
      outcome: out.length + added.length === 0 ? 'all tasks stay in scope' : `${out.length} out of scope, ${added.length} added`,
      because: [fact('out of scope', out), fact('added', added), fact('criteria', criteria)],
    }),
  };
}

/** The caller gave the goal up: what is still open will not run (layers.md R7). */
export const cancelOpenTasks = (graph: TaskGraph): TaskGraph => ({
  ...graph,
  changed: true,
  tasks: graph.tasks.map((task) =>
    task.status === 'COMPLETE' || task.status === 'FAILED' ? task : { ...task, status: 'BLOCKED' as const, block_reason: 'goal_cancelled' },
  ),
});

/** True when there are tasks and every one is finished or cancelled. */
export const nothingLeft = (graph: TaskGraph): boolean =>
  graph.tasks.length > 0 &&
  graph.tasks.every(({ status, block_reason }) => status === 'COMPLETE' || (status === 'BLOCKED' && block_reason === 'goal_cancelled'));

/** An empty list of tasks is not a finished one. */
export const allComplete = (graph: TaskGraph): boolean =>
  graph.tasks.length > 0 && graph.tasks.every(({ status }) => status === 'COMPLETE');
