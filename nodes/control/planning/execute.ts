import type { ExecuteContext, VisitResult } from '@/harness/contract/execute';
import { implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { defaultPlanningConfig } from '@/harness/layers/planning/config';
import { describeBlocked } from '@/harness/layers/planning/dependents';
import { type NextPlan, planNext, whatIsOpen } from '@/harness/layers/planning/plan-next';
import { cancelOpenTasks } from '@/harness/layers/planning/revalidate';
import { type Blocker, budgetAsk } from '@/harness/layers/recovery/blocker';
import type { Progress } from '../channels';
import { decideAll, isoNow } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { begin, couldNotComplete } from './begin';
import { planning } from './node';

type Context = ExecuteContext<ConfigOf<typeof planning>>;
type DispatchPlan = Extract<NextPlan, { kind: 'dispatch' }>;
type Reason = 'complete' | 'stuck' | 'empty' | 'person' | 'budget_exhausted';

export const executePlanning = implementNode(planning, async (context) => {
  const state = stateOf(context);
  const { goal, progress } = state;
  const plan = planNext(
    {
      taskGraph: state.taskGraph,
      control: state.controlState,
      results: state.taskResults,
      steps: { used: progress.steps_used, limit: goal.max_steps + progress.extra_steps },
    },
    { ...defaultPlanningConfig, ...context.config },
  );
  decideAll(context, plan.decisions);
  if (plan.kind === 'complete') return leave(context, state, { plan, port: 'complete', reason: 'complete' });
  if (plan.kind !== 'dispatch') return leave(context, state, { plan, port: 'nothing-eligible', reason: plan.kind });
  return plan.exhausted ? exhausted(context, state, plan) : dispatch(context, state, { plan, extra: 0, note: null });
});

async function exhausted(context: Context, state: ControlChannels, plan: DispatchPlan): Promise<VisitResult> {
  const { onExhausted, extension } = context.config;
  if (onExhausted === 'stop') return leave(context, state, { plan, port: 'nothing-eligible', reason: 'budget_exhausted' });
  const limit = state.goal.max_steps + state.progress.extra_steps;
  const key = `budget-${limit}`;
  const answer = await context.ask(key, budgetAsk(state.progress.steps_used, limit, extension));
  context.decide({
    rule: 'step budget used up, a person was asked',
    outcome: answer.choice === 'stop' ? 'stop, open tasks are cancelled' : `${extension} more steps`,
    because: [
      { name: 'answer', value: answer.choice },
      { name: 'steps', value: state.progress.steps_used, operator: '>=', threshold: limit, holds: true },
    ],
    ...(answer.comment ? { note: answer.comment } : {}),
  });
  if (answer.choice !== 'stop') {
    const granted = planNext(
      {
        taskGraph: state.taskGraph,
        control: state.controlState,
        results: state.taskResults,
        steps: { used: state.progress.steps_used, limit: limit + extension },
      },
      { ...defaultPlanningConfig, ...context.config },
    );
    if (granted.kind === 'dispatch') return dispatch(context, state, { plan: granted, extra: extension, note: answer.comment ?? null });
  }
  const cancelled = { ...plan, taskGraph: cancelOpenTasks(plan.taskGraph) };
  return leave(context, state, { plan: cancelled, port: 'nothing-eligible', reason: 'budget_exhausted' });
}

/** One token per task; with two, each walks on with a task and a proposal of its own. */
function dispatch(
  context: Context,
  state: ControlChannels,
  { plan, extra, note }: { plan: DispatchPlan; extra: number; note: string | null },
): VisitResult {
  const begun = begin(state, plan, note);
  const shared = {
    taskGraph: plan.taskGraph,
    ...(Object.keys(begun.taskResults).length > 0 ? { taskResults: begun.taskResults } : {}),
    ...(Object.keys(begun.conversation).length > 0 ? { conversation: begun.conversation } : {}),
    progress: { steps_used: state.progress.steps_used + 1, ...(extra > 0 ? { extra_steps: state.progress.extra_steps + extra } : {}) },
  };
  const branches = begun.branches.map(({ task, proposal }) => ({
    port: 'task',
    output: { task_id: task.id, task: task.description, reason: 'task', message: '', open: [] },
    writes: { currentTask: task.id, proposal },
  }));
  const [only, second] = branches;
  if (only && !second) return { port: only.port, output: only.output, writes: writesOf(context, { ...shared, ...only.writes }) };
  return {
    dispatch: branches.map(({ port, output, writes }) => ({ port, output, writes: writesOf(context, writes) })),
    writes: writesOf(context, shared),
  };
}

async function leave(
  context: Context,
  state: ControlChannels,
  { plan, port, reason }: { plan: NextPlan; port: 'complete' | 'nothing-eligible'; reason: Reason },
): Promise<VisitResult> {
  const open = reason === 'complete' ? [] : whatIsOpen({ taskGraph: plan.taskGraph, results: state.taskResults });
  const progress: Partial<Progress> = {};
  const failed = couldNotComplete(plan.taskGraph, state.taskResults);
  // a run that is stuck without a failure has nothing else that says why
  const silent = reason === 'stuck' && failed === null && state.progress.blocker === null;
  if (reason === 'budget_exhausted' || reason === 'person' || (reason === 'stuck' && silent)) {
    progress.blocker = blockerOf(state, reason, await isoNow(context), open);
  }
  if (reason !== 'complete' && failed !== null && !isUsable(state.progress.final_result)) progress.final_result = failed;
  const message = reason === 'complete' ? '' : [failed ?? '', ...describeBlocked(plan.taskGraph)].filter((line) => line !== '').join('\n');
  return {
    port,
    output: { task_id: null, task: null, reason, message, open },
    writes: writesOf(context, {
      taskGraph: plan.taskGraph,
      currentTask: null,
      ...(Object.keys(progress).length > 0 ? { progress } : {}),
    }),
  };
}

const isUsable = (result: Progress['final_result']): boolean => result !== null && result !== '';

const blockerOf = (
  state: ControlChannels,
  reason: 'budget_exhausted' | 'person' | 'stuck',
  at: string,
  open: { id: string; why: string }[],
): Blocker => ({
  reason: reason === 'budget_exhausted' ? 'budget_exhausted' : 'cannot_make_progress',
  missing_info: open.slice(0, 20).map(({ id, why }) => `${id}: ${why}`),
  current_task_summary:
    reason === 'person'
      ? `A person is required before any task is chosen (${state.progress.escalations[0]?.dimension ?? state.controlState.escalation_reason ?? 'no reason given'}).`
      : reason === 'stuck'
        ? `No task can run; ${open.length} ${open.length === 1 ? 'task is' : 'tasks are'} open.`
        : `Step ${state.progress.steps_used} of ${state.goal.max_steps + state.progress.extra_steps} was the last; ${open.length} tasks are open.`,
  escalated_at: at,
});
