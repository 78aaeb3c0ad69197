import type { Decision } from '../../contract/decision';
import { cancelOpenTasks, freshTaskId } from '../planning/revalidate';
import type { TaskGraph } from '../planning/state';
import { decided, fact } from '../shared/explain';
import type { PlanSituation, TurnRouting } from './decide';

/**
 * What a turn makes of the tasks: a new turn brings its own; while a plan is under way it is kept, given up, or set aside for the new
 * tasks, as the judgement says (layers.md R14).
 */
export function takeTurn(
  graph: TaskGraph,
  routing: Pick<TurnRouting, 'tasks' | 'policy' | 'setPlanAside'>,
  plan: PlanSituation,
): { taskGraph: TaskGraph; decisions: Decision[] } {
  if (!plan.active) return { taskGraph: added(graph, routing.tasks), decisions: [] };
  const open = graph.tasks.filter(({ status }) => status !== 'COMPLETE').map(({ id }) => id);
  if (routing.policy.isAbandonRequest) {
    const decision = decided({ rule: 'plan given up', outcome: 'its open tasks are blocked', because: [fact('open tasks', open)] });
    return { taskGraph: cancelOpenTasks(graph), decisions: [decision] };
  }
  if (routing.setPlanAside) {
    const decision = decided({
      rule: 'plan set aside',
      outcome: 'its open tasks are blocked, the new ones run',
      because: [fact('open tasks', open), fact('continues the plan', false)],
    });
    return { taskGraph: added(cancelOpenTasks(graph), routing.tasks), decisions: [decision] };
  }
  const decision = decided({
    rule: 'plan under way',
    outcome: 'its tasks are kept',
    because: [fact('open tasks', open)],
    alternatives: [{ outcome: 'new tasks', needs: 'a message that sets the plan aside or gives it up' }],
  });
  return { taskGraph: graph, decisions: [decision] };
}

function added(graph: TaskGraph, tasks: TurnRouting['tasks']): TaskGraph {
  let next = graph;
  for (const task of tasks) {
    const taken = next.tasks.some(({ id }) => id === task.id);
    next = { ...next, tasks: [...next.tasks, taken ? { ...task, id: freshTaskId(next) } : task], changed: graph.tasks.length > 0 };
  }
  return next;
}
