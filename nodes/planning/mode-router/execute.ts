import { z } from 'zod';
import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { compared, decided, fact } from '@/harness/layers/shared/explain';
import { messageOf } from '../../control/support/helpers';
import { journalText } from '../support/notes';
import { materialNote, prompt, section } from '../support/prompt';
import { type PlanningChannels, type PlanningWrites, planningState, planningWrites } from '../support/state';
import { askPhase } from '../support/structured';
import { modeRouter, modes } from './node';

type Context = ExecuteContext<ConfigOf<typeof modeRouter>>;
type Mode = (typeof modes)[number];

interface Chosen {
  mode: Mode;
  reason: string;
}

const system = [
  'You decide how a message to a coding agent is handled. Reply with one JSON object.',
  'plan: a substantive change of code. fix: a bug report, an exception or a failing test. request: an open question, a guide, anything that is not code.',
  'When you are not sure, choose plan.',
  materialNote,
].join('\n');

const replySchema = z.object({ mode: z.enum(['plan', 'fix', 'request']), reason: z.string().default('') });

export const executeModeRouter = implementNode(modeRouter, async (context) => {
  const state = planningState(context);
  const message = (context.config.task.trim() === '' ? messageOf(context.input) : context.text(context.config.task)).trim();
  const command = /^\/(plan|fix|request|resume)(?:\s+|$)/i.exec(message);
  const rest = command === null ? message : message.slice(command[0].length).trim();
  const chosen = settled(context, state, command === null ? await choose(context, message) : named(command[1] ?? ''));
  const resumed = chosen.mode === 'resume';
  const task = resumed ? resumedTask(state, rest) : rest;
  return {
    port: chosen.mode,
    output: { mode: chosen.mode, task, reason: chosen.reason },
    writes: planningWrites(resumed ? resumeWrites(state, task) : freshWrites(state, task)),
  };
});

function named(command: string): Chosen {
  const mode = modes.find((each) => each === command.toLowerCase()) ?? 'plan';
  return { mode, reason: `the message begins with /${mode}` };
}

async function choose(context: Context, message: string): Promise<Chosen> {
  if (context.config.decideBy === 'rules') return byWords(context.config.fixWords, message);
  const answer = await askPhase(context, {
    name: 'mode',
    role: context.config.role,
    schema: replySchema,
    system,
    prompt: prompt(section('Message', message)),
  });
  return answer.ok
    ? { ...answer.value }
    : { mode: 'plan', reason: `the model gave no usable answer (${answer.problem}), so the safest mode` };
}

/** Whole words only: `debugger` reports no bug. */
function byWords(words: readonly string[], message: string): Chosen {
  const text = ` ${message.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const found = words.find((word) => text.includes(` ${word.toLowerCase().trim()} `));
  return found === undefined ? { mode: 'plan', reason: 'no word of a fix' } : { mode: 'fix', reason: `it says “${found}”` };
}

/** There is nothing to take up in a session without earlier work: then it is planned. */
function settled(context: Context, { sessionWork }: PlanningChannels, chosen: Chosen): Chosen {
  const nothing = chosen.mode === 'resume' && sessionWork.task.trim() === '';
  const final: Chosen = nothing ? { mode: 'plan', reason: 'there is no earlier task in this session' } : chosen;
  context.decide(
    decided({
      rule: 'intent_decided',
      outcome: final.mode,
      because: [fact('reason', final.reason), compared('characters of the earlier task', sessionWork.task.length, nothing ? '>' : '>=', 0)],
      alternatives: modes.filter((mode) => mode !== final.mode).map((mode) => ({ outcome: mode, needs: `/${mode} before the message` })),
    }),
  );
  return final;
}

const resumedTask = ({ sessionWork }: PlanningChannels, rest: string): string =>
  rest === '' ? sessionWork.task : `${sessionWork.task}\n\nGo on with: ${rest}`;

/** The original task with the journal and the scratchpad of the run before (planning.md §3). */
const resumeWrites = ({ sessionWork }: PlanningChannels, task: string): PlanningWrites => ({
  planTask: {
    task,
    context: prompt(
      section('Journal of the earlier run', journalText(sessionWork.journal)),
      section('Scratchpad of the earlier run', sessionWork.scratchpad),
    ),
  },
  scratchpad: sessionWork.scratchpad,
  journal: sessionWork.journal,
});

const freshWrites = ({ planTask }: PlanningChannels, task: string): PlanningWrites => ({
  planTask: { ...planTask, task },
  sessionWork: { task, context: '', scratchpad: '', journal: [] },
});
