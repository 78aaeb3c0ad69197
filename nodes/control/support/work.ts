import type { Json } from '@/harness/contract/json';
import { changeOf } from '@/harness/layers/execution/change';
import type { Task } from '@/harness/layers/planning/state';
import type { Proposal, WorkMessage } from '../channels';
import { asText, currentTask, messageOf } from './helpers';
import type { ControlChannels } from './state';

/** Stands for a task where none was chosen: the objective itself is worked on. */
export const objectiveId = 'objective';

/** What this branch works on. `task` is `null` when it is the objective, or a task that is no longer in the graph. */
export interface Work {
  id: string;
  description: string;
  task: Task | null;
}

export function workOf(state: Pick<ControlChannels, 'currentTask' | 'taskGraph' | 'goal'>, input: Json): Work {
  const task = currentTask(state);
  const objective = state.goal.objective.trim() === '' ? messageOf(input) : state.goal.objective;
  return { id: state.currentTask ?? objectiveId, description: task?.description ?? objective, task };
}

export type RequestedCall = NonNullable<WorkMessage['tool_calls']>[number];

/** Calls of the last reply that nothing has answered yet, in their order. */
export function openCalls(messages: readonly WorkMessage[]): RequestedCall[] {
  const last = messages.findLastIndex(({ tool_calls }) => tool_calls !== undefined && tool_calls.length > 0);
  if (last === -1) return [];
  const answered = new Set(messages.slice(last + 1).flatMap(({ tool_call_id }) => (tool_call_id === undefined ? [] : [tool_call_id])));
  return (messages[last]?.tool_calls ?? []).filter(({ id }) => !answered.has(id));
}

/** A call of a writing tool as the gates see it, still undecided. */
export function toolProposal(taskId: string, call: RequestedCall): Proposal {
  const change = changeOf(call.name, call.arguments);
  return {
    task_id: taskId,
    kind: 'tool',
    text: change.text,
    tool: call.name,
    call_id: call.id,
    arguments: call.arguments,
    diff: change.diff,
    gate: null,
  };
}

const taskProposal = ({ id, description }: Work): Proposal => ({
  task_id: id,
  kind: 'task',
  text: description,
  tool: null,
  call_id: null,
  arguments: null,
  diff: null,
  gate: null,
});

/**
 * What is about to be done for this work: the proposal on record when it is its own, else the first call of its conversation that waits, else
 * the task itself. The conversation is the truth: after a merge of two branches the channel can hold only one of their proposals.
 */
export function proposalOf(state: Pick<ControlChannels, 'proposal' | 'conversation'>, work: Work): Proposal {
  const [waiting] = openCalls(state.conversation[work.id] ?? []);
  const { proposal } = state;
  const own = proposal !== null && proposal.task_id === work.id ? proposal : null;
  if (waiting) return own?.kind === 'tool' && own.call_id === waiting.id ? own : toolProposal(work.id, waiting);
  return own?.kind === 'task' ? own : taskProposal(work);
}

/** The conversation with a note of the harness: the answer of the call it is about, or a message where there is none. */
export function withNote(messages: readonly WorkMessage[], note: string, about: Pick<Proposal, 'tool' | 'call_id'> | null): WorkMessage[] {
  const call = openCalls(messages).find(({ id }) => id === about?.call_id);
  return [...messages, call ? { role: 'tool', content: note, tool_call_id: call.id, tool: call.name } : { role: 'user', content: note }];
}

/** One line of a proposal for decisions and questions. */
export const proposalTitle = ({ kind, tool, text, arguments: input }: Proposal): string =>
  kind === 'tool' ? `${tool ?? 'tool'} ${asText(input).slice(0, 120)}` : text.slice(0, 160);
