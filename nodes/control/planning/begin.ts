import type { NextPlan } from '@/harness/layers/planning/plan-next';
import type { Task, TaskGraph } from '@/harness/layers/planning/state';
import type { Proposal, TaskResult, WorkMessage } from '../channels';
import { clip } from '../support/helpers';
import type { ControlChannels } from '../support/state';
import { openCalls, proposalOf, withNote } from '../support/work';

export interface Begun {
  /** Tasks with the proposal each begins with: a call that waits at the gates, or none. */
  branches: { task: Task; proposal: Proposal | null }[];
  /** Only the entries that change. */
  taskResults: Record<string, TaskResult>;
  conversation: Record<string, WorkMessage[]>;
}

const fresh = (step: number): TaskResult => ({
  status: 'continue',
  output: null,
  error: null,
  failure: null,
  turns: 0,
  step,
  recorded: true,
  changed_paths: [],
});

/**
 * What changes when tasks are dispatched. A task that was sent back by a gate keeps its turns. One that ended before and is open again starts
 * over: its old result no longer counts, and its conversation says why it is open.
 */
export function begin(state: ControlChannels, plan: Extract<NextPlan, { kind: 'dispatch' }>, note: string | null): Begun {
  const step = state.progress.steps_used + 1;
  const taskResults: Record<string, TaskResult> = {};
  const conversation: Record<string, WorkMessage[]> = {};
  for (const { id } of plan.tasks) {
    const last = state.taskResults[id];
    if (last?.status !== 'continue') taskResults[id] = fresh(step);
    const before = state.conversation[id] ?? [];
    let messages = before;
    if (last && last.status !== 'continue' && messages.length > 0) messages = reopened(messages, whyOpen(state, id, last));
    if (note !== null && note.trim() !== '') messages = [...messages, { role: 'user', content: `A person says: ${note.trim()}` }];
    if (messages !== before) conversation[id] = messages;
  }
  const conversations = { ...state.conversation, ...conversation };
  const branches = plan.tasks.map((task) => {
    const proposal = proposalOf({ proposal: state.proposal, conversation: conversations }, { ...task, task });
    return { task, proposal: proposal.kind === 'tool' ? { ...proposal, gate: null } : null };
  });
  return { branches, taskResults, conversation };
}

/** Calls that waited when the earlier attempt ended are answered, so that none of them runs in the new one. */
function reopened(messages: readonly WorkMessage[], why: string): WorkMessage[] {
  const settled = openCalls(messages).reduce<WorkMessage[]>(
    (rest, call) => withNote(rest, 'Not carried out: the attempt it belonged to ended.', { tool: call.name, call_id: call.id }),
    [...messages],
  );
  return [...settled, { role: 'user', content: why }];
}

function whyOpen(state: ControlChannels, id: string, last: TaskResult): string {
  const { verification, strategyState } = state;
  const failed = verification?.task_id === id ? verification.checks.filter(({ status }) => status === 'FAIL') : [];
  const reasons =
    last.status === 'failed'
      ? [`The last attempt failed: ${clip(last.error ?? 'no reason is known', 600)}`]
      : failed.length > 0
        ? ['The last result did not pass verification:', ...failed.map(({ check, detail }) => `- ${check}: ${clip(detail, 1500)}`)]
        : ['The last result was not accepted.'];
  return ['This task is open again.', ...reasons, `Strategy now: ${strategyState.current_strategy}. Do not repeat what did not work.`].join(
    '\n',
  );
}

/** What the reply says when a task failed and nothing usable came out; `null` when none failed. */
export function couldNotComplete(graph: TaskGraph, results: Readonly<Record<string, TaskResult>>): string | null {
  const failed = graph.tasks.filter(({ status }) => status === 'FAILED');
  if (failed.length === 0) return null;
  const lines = failed.slice(0, 10).map(({ id, description }) => {
    const error = results[id]?.error;
    return error ? `"${description}" (${clip(error, 200)})` : `"${description}"`;
  });
  return `Could not complete: ${lines.join('; ')}`;
}
