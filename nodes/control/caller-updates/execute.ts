import { type ExecuteContext, type InboxMessage, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { applyCallerUpdate } from '@/harness/layers/caller-updates/apply';
import {
  doubtful,
  routeSteering,
  type Steering,
  type SteeringDestination,
  steeringByRules,
  steeringSchema,
} from '@/harness/layers/caller-updates/steering';
import { freshTaskId, newTask } from '@/harness/layers/planning/revalidate';
import type { WorkMessage } from '../channels';
import { decideAll } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import { type ControlChannels, stateOf } from '../support/state';
import { objectiveId, openCalls } from '../support/work';
import { writesOf } from '../support/writes';
import { callerUpdates } from './node';

type Context = ExecuteContext<ConfigOf<typeof callerUpdates>>;
type Port = 'next' | 'changed' | 'cancelled';

interface Taken {
  id: string;
  text: string;
  class: Steering['scope'];
  destination: SteeringDestination;
}

export const executeCallerUpdates = implementNode(callerUpdates, async (context) => {
  const inbox = await context.inbox();
  const before = stateOf(context);
  if (inbox.length === 0) {
    context.decide({ rule: 'inbox', outcome: 'no messages', because: [{ name: 'messages', value: 0 }] });
    return { port: 'next', output: { messages: [], constraints: before.callerState.current_constraints } };
  }
  let state = before;
  let port: Port = 'next';
  const taken: Taken[] = [];
  for (const message of inbox) {
    const steering = await classify(context, state, message);
    const result = take(context, state, { message, steering });
    state = result.state;
    port = stronger(port, result.port);
    taken.push({ id: message.id, text: message.text, class: steering.scope, destination: result.destination });
  }
  const back = new Set(state.progress.handed_back.slice(before.progress.handed_back.length).map(({ id }) => id));
  const changed = Object.entries(state.conversation).filter(([id, messages]) => messages !== before.conversation[id]);
  return {
    port,
    // The host runs these as turns of their own, with the person's words.
    handBack: inbox.map(({ id }) => id).filter((id) => back.has(id)),
    output: { messages: taken.map((entry) => ({ ...entry })), constraints: state.callerState.current_constraints },
    writes: writesOf(context, {
      callerState: state.callerState,
      worldModel: state.worldModel,
      taskGraph: state.taskGraph,
      outputContract: state.outputContract,
      conversation: changed.length === 0 ? undefined : Object.fromEntries(changed),
      progress: state.progress === before.progress ? undefined : { handed_back: state.progress.handed_back },
    }),
  };
});

const order: readonly Port[] = ['next', 'changed', 'cancelled'];
const stronger = (left: Port, right: Port): Port => (order.indexOf(right) > order.indexOf(left) ? right : left);

async function classify(context: Context, state: ControlChannels, { text }: InboxMessage): Promise<Steering> {
  if (!context.config.classify) return steeringByRules(text, context.config.rules);
  const answer = await modelCheck(context, {
    what: 'steering message',
    role: context.config.role,
    schema: steeringSchema,
    otherwise: 'it counts as new work for later',
    system: [
      'A person sent a message while a run is under way. Say how it relates to the work. Reply with JSON.',
      'scope: SAME_TASK when it corrects or adds to the task at hand; SAME_GOAL_NEW_TASK when it adds work for the same goal; NEW_GOAL when it asks for something else; CANCEL_CURRENT when the work is to stop. When in doubt: SAME_GOAL_NEW_TASK.',
      'urgency: immediate only when waiting would waste or spoil work, else deferred. reason: one sentence.',
      'addedConstraints: what must or must not be done from now on. liftedConstraints: constraints in force, word for word, that it takes back. instead: with CANCEL_CURRENT, what is asked for instead, else empty.',
    ].join('\n'),
    prompt: [
      `Goal: ${state.goal.objective}`,
      `Task at hand: ${openTask(state)?.description ?? '(none)'}`,
      `Constraints in force:\n${state.callerState.current_constraints.map((constraint) => `- ${constraint}`).join('\n') || '(none)'}`,
      `Message: ${text}`,
    ].join('\n\n'),
  });
  return answer ?? doubtful('it could not be classified');
}

/** The task whose next model call would read a note: the one at hand, else one that runs, else the next that waits. */
function openTask({ taskGraph, currentTask, goal }: ControlChannels): { id: string; description: string } | undefined {
  // without tasks the objective itself is worked on
  if (taskGraph.tasks.length === 0) return { id: objectiveId, description: goal.objective };
  const open = taskGraph.tasks.filter(({ status }) => status === 'RUNNING' || status === 'PENDING');
  return open.find(({ id }) => id === currentTask) ?? open.find(({ status }) => status === 'RUNNING') ?? open[0];
}

function take(
  context: Context,
  state: ControlChannels,
  { message, steering }: { message: InboxMessage; steering: Steering },
): { state: ControlChannels; port: Port; destination: SteeringDestination } {
  const task = openTask(state);
  const routed = routeSteering(steering, { text: message.text, openTask: task?.id ?? null, deferred: context.config.deferred });
  context.decide(routed.decision);
  let next = state;
  let port: Port = 'next';
  const stays = routed.destination !== 'next-turn';
  const constrained = stays && steering.addedConstraints.length + steering.liftedConstraints.length > 0;
  if (routed.destination === 'cancel' || constrained) {
    const applied = applyCallerUpdate(
      { caller: next.callerState, worldModel: next.worldModel, taskGraph: next.taskGraph, contract: next.outputContract },
      {
        addConstraints: steering.addedConstraints,
        liftConstraints: steering.liftedConstraints,
        cancel: routed.destination === 'cancel',
      },
    );
    decideAll(context, applied.decisions);
    port = applied.port;
    const { caller: callerState, worldModel, taskGraph, contract: outputContract } = applied.state;
    next = { ...next, callerState, worldModel, taskGraph, outputContract };
  }
  if (routed.destination === 'note' && task) {
    const conversation = withUserNote(next.conversation[task.id] ?? [], message.text);
    next = { ...next, conversation: { ...next.conversation, [task.id]: conversation } };
  }
  if (routed.destination === 'task') {
    const added = newTask({ id: freshTaskId(next.taskGraph), description: message.text });
    next = { ...next, taskGraph: { ...next.taskGraph, tasks: [...next.taskGraph.tasks, added], changed: true } };
    port = stronger(port, 'changed');
  }
  if (routed.handedBack !== null) {
    const handed_back = [...next.progress.handed_back, { id: message.id, text: routed.handedBack }];
    next = { ...next, progress: { ...next.progress, handed_back } };
  }
  return { state: next, port, destination: routed.destination };
}

/** A note goes before calls that wait for their results, which have to follow them directly. */
function withUserNote(messages: readonly WorkMessage[], text: string): WorkMessage[] {
  const note = { role: 'user' as const, content: text };
  const [waiting] = openCalls(messages);
  const at = waiting
    ? messages.findLastIndex(({ tool_calls }) => tool_calls?.some(({ id }) => id === waiting.id) === true)
    : messages.length;
  return [...messages.slice(0, at), note, ...messages.slice(at)];
}
