import { type TaskGraph, taskById } from '../planning/state';
import { reopenTask } from '../planning/transitions';
import type { WorldModel } from '../world-model/state';
import { severeConflicts, tasksOf } from './lenses';
import type { Finding } from './state';

/** The task graph with these finished tasks open again (layers.md R11). */
export const reopenTasks = (graph: TaskGraph, ids: readonly string[]): TaskGraph => ids.reduce(reopenTask, graph);

/** What each reopened task is told: the findings that name it; in the reference, those whose text holds its id. */
export function findingsFor(findings: readonly Finding[], id: string): string[] {
  const named = findings.filter(({ taskIds }) => taskIds.includes(id));
  return (named.length > 0 ? named : findings.filter(({ text }) => text.includes(id))).map(({ text }) => text);
}

/**
 * Beliefs that came from reopened tasks and stand in a severe conflict. Their tasks start over and establish them anew; kept, they would fail
 * the consistency check of the very work that is to settle the conflict.
 */
export function disputedBeliefs(model: WorldModel, reopened: readonly string[]): string[] {
  const involved = new Set(severeConflicts(model).flatMap(({ involved_belief_ids }) => involved_belief_ids));
  return [...involved].filter((id) => tasksOf(model, [id]).some((task) => reopened.includes(task)));
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
