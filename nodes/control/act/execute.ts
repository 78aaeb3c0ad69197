import { unexpectedError } from '@/harness/contract/errors';
import { implementNode, type VisitResult } from '@/harness/contract/execute';
import { symptomOf } from '@/harness/layers/execution/symptoms';
import { assertGated } from '@/harness/layers/invariants';
import type { Proposal, TaskResult } from '../channels';
import { type ControlChannels, stateOf } from '../support/state';
import { openCalls, proposalTitle, type Work, workOf } from '../support/work';
import { writesOf } from '../support/writes';
import { wasDone } from './completion';
import { callModel, type ModelTurn, usableTools } from './model-turn';
import { act } from './node';
import { type ActContext, Turn } from './turn';

/** How the visit ends. */
type Ending =
  | { status: 'done'; text: string; turns: number }
  | { status: 'continue'; text: string; turns: number; proposal: Proposal | null; why: string }
  | { status: 'failed'; text: string; turns: number; failure: NonNullable<TaskResult['failure']>; error: string };

export const executeAct = implementNode(act, async (context) => {
  const state = stateOf(context);
  const work = workOf(state, context.input);
  const earlier = attemptOf(state, work);
  const waiting = gatedCall(context, state, work);
  const tools = usableTools(context);
  const turn = new Turn(
    context,
    { id: work.id, step: state.progress.steps_used, logged: state.worldModel.environment_change_log.length },
    { messages: state.conversation[work.id] ?? [], tools },
  );
  const ending = await visit(context, state, { work, turn, tools, turns: earlier.turns, approved: waiting });
  decide(context, turn, ending);
  return result(context, state, { work, turn, ending, earlier });
});

/** What this attempt has come to before this visit; an attempt that ended counts no more. */
function attemptOf(state: ControlChannels, { id }: Work): { turns: number; paths: string[] } {
  const last = state.taskResults[id];
  return last?.status === 'continue' ? { turns: last.turns, paths: last.changed_paths } : { turns: 0, paths: [] };
}

/**
 * INV-15: nothing is executed that no gate let pass, and a write only when the gate passed this very call. Gives the id of the write that may
 * be carried out now.
 */
function gatedCall(context: ActContext, state: ControlChannels, work: Work): string | null {
  assertGated(
    work.id,
    state.progress.gates.map(({ task_id, result }) => ({ taskId: task_id, result })),
  );
  const [waiting] = openCalls(state.conversation[work.id] ?? []);
  if (!waiting || !context.config.gateWrites) return null;
  const { proposal } = state;
  if (proposal?.task_id === work.id && proposal.call_id === waiting.id && proposal.gate === 'PASS') return waiting.id;
  throw unexpectedError(
    'INV_15',
    `INV-15: "${context.node.label}" was reached with the call ${waiting.name} of task "${work.id}" waiting, which the action gate did not let pass`,
  );
}

interface Visit {
  work: Work;
  turn: Turn;
  tools: ReturnType<typeof usableTools>;
  /** Model calls of this attempt so far. */
  turns: number;
  approved: string | null;
}

/** The waiting calls first; when none is left, one model call and the calls it asks for. */
async function visit(context: ActContext, state: ControlChannels, { work, turn, tools, turns, approved }: Visit): Promise<Ending> {
  const next = await turn.answerOpen(approved);
  if (next) return { status: 'continue', text: '', turns, proposal: next, why: 'the next write of the same reply waits for the gates' };
  const { maxTurns, onTurnLimit } = context.config;
  const used = turns >= maxTurns;
  if (used && onTurnLimit === 'fail') {
    return { status: 'failed', text: '', turns, failure: 'exhausted', error: `${turns} of ${maxTurns} turns are used up without a result` };
  }
  const said = await callModel(context, state, { work, turn, tools: used ? [] : tools, lastWords: used });
  return conclude(context, { work, turn, said, turns: turns + 1, lastWords: used });
}

async function conclude(
  context: ActContext,
  { work, turn, said, turns, lastWords }: { work: Work; turn: Turn; said: ModelTurn; turns: number; lastWords: boolean },
): Promise<Ending> {
  const { maxTurns } = context.config;
  switch (said.kind) {
    case 'error':
      return { status: 'failed', text: '', turns, failure: 'system_error', error: said.error };
    case 'refused':
      return { status: 'failed', text: said.text, turns, failure: 'not_accomplished', error: said.error };
    case 'again':
      return lastWords
        ? {
            status: 'failed',
            text: said.text,
            turns,
            failure: 'exhausted',
            error: `${maxTurns} of ${maxTurns} turns are used up, and ${said.why}`,
          }
        : { status: 'continue', text: said.text, turns, proposal: null, why: said.why };
    case 'calls': {
      const proposal = await turn.answerOpen(null);
      const why = proposal ? 'a write waits for the gates' : 'the model sees the results on the next visit';
      return { status: 'continue', text: said.text, turns, proposal, why };
    }
    case 'answer': {
      const missing = await wasDone(context, work, { text: said.text, calls: turn.messages });
      if (missing === null) return { status: 'done', text: said.text, turns };
      return { status: 'failed', text: said.text, turns, failure: 'not_accomplished', error: `The task was not done: ${missing}` };
    }
  }
}

function decide(context: ActContext, turn: Turn, ending: Ending): void {
  const { maxTurns } = context.config;
  const symptom = ending.status === 'failed' && ending.failure === 'system_error' ? symptomOf(ending.error) : null;
  context.decide({
    rule: ruleOf(ending),
    outcome: ending.status,
    because: [
      {
        name: 'turns of this attempt',
        value: ending.turns,
        operator: '<=',
        threshold: maxTurns,
        distance: Math.abs(maxTurns - ending.turns),
        holds: ending.turns <= maxTurns,
      },
      { name: 'tool calls', value: turn.calls.length },
      { name: 'tool calls that gave a result', value: turn.calls.filter(({ status }) => status === 'ok').length },
      ...(ending.status === 'continue' && ending.proposal ? [{ name: 'waits for the gates', value: proposalTitle(ending.proposal) }] : []),
      ...(ending.status === 'failed' ? [{ name: 'kind of failure', value: ending.failure }] : []),
      ...(symptom === null ? [] : [{ name: 'symptom', value: symptom }]),
    ],
    alternatives: ending.status === 'continue' ? [{ outcome: 'done', needs: 'a reply without a tool call' }] : [],
    ...(ending.status === 'failed' ? { note: ending.error } : {}),
  });
}

const ruleOf = (ending: Ending): string => {
  if (ending.status === 'done') return 'the model answered without calling a tool';
  return ending.status === 'continue' ? ending.why : `the attempt ended: ${ending.failure.replaceAll('_', ' ')}`;
};

function result(
  context: ActContext,
  state: ControlChannels,
  { work, turn, ending, earlier }: { work: Work; turn: Turn; ending: Ending; earlier: { paths: string[] } },
): VisitResult {
  const error = ending.status === 'failed' ? ending.error : null;
  const changed = [...new Set([...earlier.paths, ...turn.changes.flatMap(({ affected_paths }) => affected_paths)])];
  const taskResult: TaskResult = {
    status: ending.status,
    output: ending.status === 'done' ? ending.text : null,
    error,
    failure: ending.status === 'failed' ? ending.failure : null,
    turns: ending.turns,
    step: state.progress.steps_used,
    recorded: ending.status === 'continue',
    changed_paths: changed,
  };
  const { worldModel } = state;
  const proposal = ending.status === 'continue' ? ending.proposal : null;
  return {
    port: ending.status,
    output: {
      status: ending.status,
      task_id: work.id,
      text: ending.text,
      error,
      turns: ending.turns,
      calls: turn.calls.map((call) => ({ ...call })),
      waiting: proposal ? proposal.text : null,
      changed_paths: changed,
    },
    writes: writesOf(context, {
      conversation: { [work.id]: turn.messages },
      taskResults: { [work.id]: taskResult },
      proposal,
      ...(turn.results.length > 0 ? { toolResults: [...state.toolResults, ...turn.results] } : {}),
      ...(turn.changes.length > 0
        ? { worldModel: { ...worldModel, environment_change_log: [...worldModel.environment_change_log, ...turn.changes] } }
        : {}),
    }),
  };
}
