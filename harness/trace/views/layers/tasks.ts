import type { Json } from '../../../contract/json';
import type { Wrote } from './conflicts';
import type { LayerPoint } from './history';
import { fieldOf, listAt, textAt, textsAt } from './read';

/** A task as the graph shows it. */
export interface TaskReading {
  id: string;
  description: string;
  status: string;
  risk: string;
  dependsOn: string[];
  /** The failed task that keeps it from running; '' when none does. */
  blockedBy: string;
  blockReason: string;
  /** True once its one automatic retry has been spent. */
  retried: boolean;
}

export const taskReading = (task: Json): TaskReading => ({
  id: textAt(task, 'id'),
  description: textAt(task, 'description'),
  status: textAt(task, 'status'),
  risk: textAt(task, 'risk_level'),
  dependsOn: textsAt(task, 'depends_on'),
  blockedBy: textAt(task, 'blocked_by'),
  blockReason: textAt(task, 'block_reason'),
  retried: fieldOf(task, 'retried') === true,
});

export const tasksOf = (taskGraph: Json): TaskReading[] => listAt(taskGraph, 'tasks').map(taskReading);

/**
 * What a change of status means for the reader: `reopened` after it was complete, `requeued` after it failed or on its automatic retry,
 * `sent back` from work by a gate, `released` when what blocked it gave way, `moved` for the plain ways forward.
 */
export type TaskMove = 'added' | 'moved' | 'reopened' | 'requeued' | 'sent back' | 'released' | 'dropped';

export interface TaskChange extends Wrote {
  move: TaskMove;
  from: string;
  to: string;
}

function moveOf(before: TaskReading, after: TaskReading): TaskMove {
  if (after.retried && !before.retried) return 'requeued';
  if (after.status !== 'PENDING') return 'moved';
  if (before.status === 'COMPLETE') return 'reopened';
  if (before.status === 'FAILED') return 'requeued';
  if (before.status === 'BLOCKED' || before.status === 'HUMAN_REQUIRED') return 'released';
  return before.status === 'RUNNING' ? 'sent back' : 'moved';
}

/** Every change of every task's status, oldest first, by task id. A task that a write left alone is not looked at again. */
export function taskChanges(points: readonly LayerPoint[], initial: Json = null): Map<string, TaskChange[]> {
  const changes = new Map<string, TaskChange[]>();
  const note = (id: string, change: TaskChange): void => {
    const list = changes.get(id);
    if (list === undefined) changes.set(id, [change]);
    else list.push(change);
  };
  let before = new Map(listAt(initial, 'tasks').map((task) => [textAt(task, 'id'), task]));
  for (const { seq, visit, value } of points) {
    const after = new Map<string, Json>();
    for (const task of listAt(value, 'tasks')) {
      const id = textAt(task, 'id');
      const was = before.get(id);
      after.set(id, task);
      if (was === task) continue;
      const is = taskReading(task);
      if (was === undefined) note(id, { seq, visit, move: 'added', from: '', to: is.status });
      else {
        const old = taskReading(was);
        if (old.status !== is.status) note(id, { seq, visit, move: moveOf(old, is), from: old.status, to: is.status });
      }
    }
    for (const [id, was] of before) if (!after.has(id)) note(id, { seq, visit, move: 'dropped', from: textAt(was, 'status'), to: '' });
    before = after;
  }
  return changes;
}

/** The changes of one task up to a moment. */
export const changesUpTo = (changes: ReadonlyMap<string, readonly TaskChange[]>, id: string, seq: number): TaskChange[] =>
  (changes.get(id) ?? []).filter((change) => change.seq <= seq);

/** How many tasks stand in each status, in the order in which work goes. */
export function countByStatus(tasks: readonly TaskReading[]): { status: string; count: number }[] {
  const order = ['COMPLETE', 'RUNNING', 'PENDING', 'BLOCKED', 'HUMAN_REQUIRED', 'FAILED'];
  const counts = new Map<string, number>();
  for (const { status } of tasks) counts.set(status, (counts.get(status) ?? 0) + 1);
  const rank = (status: string): number => (order.includes(status) ? order.indexOf(status) : order.length);
  return [...counts].map(([status, count]) => ({ status, count })).sort((a, b) => rank(a.status) - rank(b.status));
}
