import type { Decision } from '../../contract/decision';
import type { ControlState } from '../control-state/state';
import { compared, decided, fact } from '../shared/explain';
import { defaultPlanningConfig, type PlanningConfig } from './config';
import { allComplete } from './revalidate';
import { selectTask } from './select';
import { type Task, type TaskGraph, taskById } from './state';
import { setTaskStatus } from './transitions';
import { updateTaskGraph } from './update';

export interface PlanInput {
  taskGraph: TaskGraph;
  control: Pick<ControlState, 'escalation_reason'>;
  /** How the work on a task was left, by task id. */
  results: Readonly<Record<string, { status: 'done' | 'continue' | 'failed' }>>;
  /** Steps taken so far, and the most that are allowed. */
  steps: { used: number; limit: number };
}

export type NextPlan = {
  taskGraph: TaskGraph;
  decisions: Decision[];
} & (
  | { kind: 'complete' }
  /** Nothing can run: `person` when a person is required, `stuck` when open tasks wait for ever, `empty` without tasks. */
  | { kind: 'person' | 'stuck' | 'empty' }
  /** One or two tasks, RUNNING in the graph. `resumed` ones were under way already; `exhausted`: no step is left for them. */
  | { kind: 'dispatch'; tasks: Task[]; resumed: string[]; exhausted: boolean }
);

/** A task is under way while it is RUNNING and neither done nor failed; a result that no layer has settled is not taken up again. */
const underWay = ({ taskGraph, results }: PlanInput): Task[] =>
  taskGraph.tasks.filter(({ id, status }) => status === 'RUNNING' && (results[id]?.status ?? 'continue') === 'continue');

/**
 * What runs next (layers.md R0, R7): work that is under way goes on before anything new is begun; at most two tasks, and never two
 * when one of them runs alone by its risk. Throws `GRAPH_CYCLE`.
 */
export function planNext(input: PlanInput, config: PlanningConfig = defaultPlanningConfig): NextPlan {
  if (allComplete(input.taskGraph)) {
    const done = decided({
      rule: 'all tasks complete',
      outcome: 'complete',
      because: [compared('finished tasks', input.taskGraph.tasks.length, '==', input.taskGraph.tasks.length)],
    });
    return { kind: 'complete', taskGraph: input.taskGraph, decisions: [done] };
  }
  const updated = updateTaskGraph(input.taskGraph);
  const graph = updated.taskGraph;
  const decisions = updated.decision.because.length > 0 ? [updated.decision] : [];
  const running = underWay(input);
  const selection = selectTask(graph, input.control, config);
  if (selection.escalate) return { kind: 'person', taskGraph: graph, decisions: [...decisions, selection.decision] };
  if (running.length > 0) return goOn(input, { graph, running, decisions }, config);
  decisions.push(selection.decision);
  if (!selection.task) return { kind: graph.tasks.length === 0 ? 'empty' : 'stuck', taskGraph: graph, decisions };
  const tasks = selection.parallelDispatch && selection.concurrent ? [selection.task, selection.concurrent] : [selection.task];
  return dispatch(input, { graph, tasks, resumed: [], decisions });
}

function goOn(
  input: PlanInput,
  { graph, running, decisions }: { graph: TaskGraph; running: Task[]; decisions: Decision[] },
  config: PlanningConfig,
): NextPlan {
  const pair = running.slice(0, 2);
  const alone = graph.serial === true || !config.parallel || pair.some(({ risk_level }) => config.serialRisks.includes(risk_level));
  const tasks = alone ? pair.slice(0, 1) : pair;
  const decision = decided({
    rule: 'work under way goes first',
    outcome: `goes on with ${tasks.map(({ id }) => id).join(' and ')}`,
    because: running.slice(0, 5).map(({ id }) => fact(`${id} is RUNNING`, input.results[id]?.status ?? 'no result yet')),
    alternatives: tasks.length < pair.length ? [{ outcome: 'both at once', needs: `neither task ${config.serialRisks.join(' or ')}` }] : [],
  });
  return dispatch(input, { graph, tasks, resumed: tasks.map(({ id }) => id), decisions: [...decisions, decision] });
}

function dispatch(
  { steps }: PlanInput,
  { graph, tasks, resumed, decisions }: { graph: TaskGraph; tasks: Task[]; resumed: string[]; decisions: Decision[] },
): NextPlan {
  const exhausted = steps.used + 1 > steps.limit;
  const budget = decided({
    rule: 'step budget',
    outcome: exhausted ? 'no step is left' : `step ${steps.used + 1} of ${steps.limit}`,
    because: [compared('steps', steps.used + 1, '>', steps.limit)],
    alternatives: exhausted ? [{ outcome: 'go on', needs: 'more steps' }] : [],
  });
  const taskGraph = tasks.reduce(
    (next, { id, status }) => (status === 'RUNNING' ? next : setTaskStatus(next, id, { status: 'RUNNING' })),
    graph,
  );
  return {
    kind: 'dispatch',
    taskGraph: exhausted ? graph : taskGraph,
    tasks: tasks.map((task) => taskById(taskGraph, task.id) ?? task),
    resumed,
    exhausted,
    decisions: [...decisions, budget],
  };
}

/** Open tasks and what keeps each from running, for the reply when nothing can run. */
export function whatIsOpen({ taskGraph, results }: Pick<PlanInput, 'taskGraph' | 'results'>): { id: string; why: string }[] {
  const status = new Map(taskGraph.tasks.map((task) => [task.id, task.status]));
  return taskGraph.tasks
    .filter((task) => task.status !== 'COMPLETE')
    .map((task) => {
      const waits = task.depends_on.filter((need) => status.get(need) !== 'COMPLETE');
      if (task.status === 'RUNNING') return { id: task.id, why: `its result (${results[task.id]?.status ?? 'none'}) was not settled` };
      if (task.status === 'FAILED') return { id: task.id, why: 'it failed' };
      if (task.block_reason) return { id: task.id, why: `blocked: ${task.block_reason}${task.blocked_by ? ` (${task.blocked_by})` : ''}` };
      return {
        id: task.id,
        why: waits.length > 0 ? `waits for ${waits.map((need) => `${need} (${status.get(need) ?? 'unknown'})`).join(', ')}` : task.status,
      };
    });
}
