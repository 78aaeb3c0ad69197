import { type TaskGraph, taskById } from '../planning/state';
import { reopenTask } from '../planning/transitions';
import type { Finding } from './state';

/** The task graph with these finished tasks open again (layers.md R11). */
export const reopenTasks = (graph: TaskGraph, ids: readonly string[]): TaskGraph => ids.reduce(reopenTask, graph);

/** What each reopened task is told: the findings that name it. */
export function findingsFor(findings: readonly Finding[], id: string): string[] {
  return findings.filter(({ taskIds, text }) => taskIds.includes(id) || text.includes(id)).map(({ text }) => text);
}

/** One sentence per task that is not finished, with the reason where there is one. */
export function unfinishedTasks(graph: TaskGraph): string[] {
  return graph.tasks
    .filter(({ status }) => status !== 'COMPLETE')
    .map((task) => {
      const cause = task.blocked_by === undefined ? undefined : (taskById(graph, task.blocked_by)?.description ?? task.blocked_by);
      const why = cause === undefined ? (task.block_reason ?? '') : `"${cause}" failed`;
      return `"${task.description}" is ${task.status.toLowerCase().replaceAll('_', ' ')}${why === '' ? '' : ` (${why.replaceAll('_', ' ')})`}.`;
    });
}
