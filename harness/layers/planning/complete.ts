import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../shared/explain';
import type { Verification } from '../verification/state';
import { releaseDependents } from './dependents';
import { type TaskGraph, taskById } from './state';
import { setTaskStatus } from './transitions';

export interface CompleteInput {
  taskGraph: TaskGraph;
  taskId: string | null;
  /** How the work on the task ended; `null` when nothing says so. */
  result: 'done' | 'continue' | 'failed' | null;
  verification: Pick<Verification, 'has_critical_failure' | 'checks' | 'task_id'> | null;
  /** A task whose verification failed is not finished, whoever leads here (D4). */
  requireVerified: boolean;
}

export const completedCount = (graph: TaskGraph): number => graph.tasks.filter(({ status }) => status === 'COMPLETE').length;

/**
 * Finishes a task and lets what waited for it go on (layers.md R7). A task that was not done, or whose own verification failed, waits again
 * instead: COMPLETE is final and so never given on trust.
 */
export function completeTask(input: CompleteInput): { taskGraph: TaskGraph; completed: boolean; decision: Decision } {
  const { taskGraph, taskId, result, verification, requireVerified } = input;
  const task = taskId === null ? undefined : taskById(taskGraph, taskId);
  if (!task) {
    const decision = decided({ rule: 'task update', outcome: 'no task to update', because: [fact('current task', taskId)] });
    return { taskGraph, completed: false, decision };
  }
  const own = verification !== null && (verification.task_id ?? task.id) === task.id ? verification : null;
  const failed = own?.checks.filter(({ status }) => status === 'FAIL') ?? [];
  const because = [
    fact('task', task.id),
    fact('result', result ?? 'none'),
    own === null ? fact('verification', 'none') : compared('failed checks', failed.length, '==', 0),
  ];
  if (task.status === 'COMPLETE') {
    return { taskGraph, completed: false, decision: decided({ rule: 'task update', outcome: `${task.id} is finished already`, because }) };
  }
  const refused = result === 'failed' || result === 'continue' || (requireVerified && own?.has_critical_failure === true);
  if (refused) {
    const decision = decided({
      rule: result === 'done' || result === null ? 'verification failed' : 'the work is not done',
      outcome: `${task.id} waits again`,
      because,
      alternatives: [{ outcome: 'COMPLETE', needs: 'a result that is done and no failed check' }],
    });
    return { taskGraph: setTaskStatus(taskGraph, task.id, { status: 'PENDING' }), completed: false, decision };
  }
  const next = releaseDependents(setTaskStatus(taskGraph, task.id, { status: 'COMPLETE' }), task.id);
  const freed = next.tasks.filter(({ status, depends_on }) => status === 'PENDING' && depends_on.includes(task.id)).map(({ id }) => id);
  return {
    taskGraph: next,
    completed: true,
    decision: decided({
      rule: 'task update',
      outcome: `${task.id} COMPLETE`,
      because: [...because, compared('finished tasks', completedCount(next), '==', next.tasks.length), fact('waited for it', freed)],
    }),
  };
}
