import { userError } from '../../contract/errors';
import { type Task, type TaskGraph, type TaskStatus, taskById } from './state';

/** COMPLETE is terminal; FAILED is set by the execution layer only; everything else is allowed (layers.md R7). */
export const transitionAllowed = (from: TaskStatus, to: TaskStatus, fromExecutionLayer: boolean): boolean =>
  from !== 'COMPLETE' && (to !== 'FAILED' || fromExecutionLayer);

export interface StatusChange {
  status: TaskStatus;
  fromExecutionLayer?: boolean;
  blockReason?: string;
  blockedBy?: string;
}

/** Moves a task. Throws `TASK_UNKNOWN` or `TASK_TRANSITION`. */
export function setTaskStatus(graph: TaskGraph, id: string, change: StatusChange): TaskGraph {
  const task = taskById(graph, id);
  if (!task) throw userError('TASK_UNKNOWN', `There is no task "${id}" in the task graph`);
  if (!transitionAllowed(task.status, change.status, change.fromExecutionLayer === true)) {
    const why = task.status === 'COMPLETE' ? 'COMPLETE is final' : 'only the execution layer may fail a task';
    throw userError('TASK_TRANSITION', `Task "${id}" cannot go from ${task.status} to ${change.status}: ${why}`);
  }
  return replaceTask(graph, {
    ...task,
    status: change.status,
    ...(change.blockReason === undefined ? {} : { block_reason: change.blockReason }),
    ...(change.blockedBy === undefined ? {} : { blocked_by: change.blockedBy }),
  });
}

export const replaceTask = (graph: TaskGraph, next: Task): TaskGraph => ({
  ...graph,
  changed: true,
  tasks: graph.tasks.map((task) => (task.id === next.id ? next : task)),
});

/** The reviewer alone may open a finished task again (layers.md R11). */
export const reopenTask = (graph: TaskGraph, id: string): TaskGraph => {
  const task = taskById(graph, id);
  return task?.status === 'COMPLETE' ? replaceTask(graph, { ...task, status: 'PENDING' }) : graph;
};
