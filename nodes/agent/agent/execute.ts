import { operationalError } from '@/harness/contract/errors';
import { implementNode, type VisitResult } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import type { ChatMessage, FinishReason, ModelReply, ModelRequest } from '@/harness/contract/model';
import type { ToolSpec } from '@/harness/contract/tool';
import { conversation } from '../../support/conversation';
import { schemaProblems } from '../../support/json-schema';
import { modelLimits } from '../../support/model-limits';
import { askForObject, readJson } from '../../support/structured';
import { citationsIn } from './citations';
import { agent } from './node';
import { type AgentContext, answerCalls, CallLog } from './tool-turn';

type Finish = 'stop' | 'turn-limit' | 'length' | 'content-filter' | 'other';

/** What the loop ended with. */
interface Ending {
  text: string;
  finish: Finish;
  turns: number;
}

export const executeAgent = implementNode(agent, async (context) => {
  const log = new CallLog();
  const messages = conversation(context, context.config);
  const ending = await work(context, messages, log);
  return result(context, messages, ending, log);
});

/** Turn after turn until the model answers without calling a tool, or its turns are used up. */
async function work(context: AgentContext, messages: ChatMessage[], log: CallLog): Promise<Ending> {
  const { config } = context;
  const tools = usableTools(context);
  let nudged = false;
  let text = '';
  for (let turns = 1; turns <= config.maxTurns; turns++) {
    const reply = await context.model(request(context, messages, tools));
    text = reply.text === '' ? text : reply.text;
    if (reply.toolCalls.length > 0) {
      messages.push({ role: 'assistant', content: reply.text, toolCalls: reply.toolCalls });
      messages.push(...(await answerCalls(context, reply.toolCalls, tools, log)));
      continue;
    }
    const untouched = tools.length > 0 && log.records.length === 0;
    if (untouched && config.textOnly === 'fail') throw noToolUsed(context, turns);
    if (untouched && config.textOnly === 'nudge' && !nudged) {
      nudged = true;
      nudge(context, messages, reply, tools);
      continue;
    }
    messages.push({ role: 'assistant', content: reply.text });
    return end(context, { text: reply.text, finish: finishOf(reply.finish), turns }, log);
  }
  return atLimit(context, messages, text, log);
}

function usableTools(context: AgentContext): ToolSpec[] {
  const granted = context.tools();
  const wanted = context.config.tools;
  if (wanted === null) return granted;
  const missing = wanted.filter((name) => !granted.some((tool) => tool.name === name));
  if (missing.length > 0) {
    context.log(
      'warning',
      `Not available here: ${missing.join(', ')}. The flow does not grant it, a policy hides it, or it does not exist.`,
    );
  }
  return granted.filter((tool) => wanted.includes(tool.name));
}

const request = (context: AgentContext, messages: readonly ChatMessage[], tools: readonly ToolSpec[]): ModelRequest => ({
  role: context.config.role,
  messages: [...messages],
  ...(tools.length === 0 ? {} : { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) }),
  ...modelLimits(context.config),
});

function nudge(context: AgentContext, messages: ChatMessage[], reply: ModelReply, tools: readonly ToolSpec[]): void {
  context.decide({
    rule: 'an answer without any tool call',
    outcome: 'remind once',
    because: [
      { name: 'tool calls', value: 0, operator: '>', threshold: 0, distance: 1, holds: false },
      { name: 'tools offered', value: tools.length },
    ],
    alternatives: [{ outcome: 'accept', needs: 'at least one tool call, or “An answer without any tool call” set to accept' }],
  });
  messages.push({ role: 'assistant', content: reply.text.trim() === '' ? '(empty)' : reply.text });
  const names = tools.map((tool) => tool.name).join(', ');
  messages.push({
    role: 'user',
    content: `You have not used a tool yet. Use ${names} to check before you answer; if none helps, say so and answer.`,
  });
}

const noToolUsed = (context: AgentContext, turns: number) =>
  operationalError(
    'AGENT_NO_TOOLS',
    `"${context.node.label}" answered in turn ${turns} without calling any tool, which its settings do not accept.`,
    {
      retryable: true,
    },
  );

const finishes: Readonly<Record<FinishReason, Finish>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content-filter',
  'tool-calls': 'stop',
  error: 'other',
  other: 'other',
};
const finishOf = (reason: FinishReason): Finish => finishes[reason];

async function atLimit(context: AgentContext, messages: ChatMessage[], lastText: string, log: CallLog): Promise<Ending> {
  const { maxTurns, onTurnLimit } = context.config;
  if (onTurnLimit === 'fail') {
    end(context, { text: lastText, finish: 'turn-limit', turns: maxTurns }, log);
    throw operationalError(
      'AGENT_TURN_LIMIT',
      `"${context.node.label}" had no answer after ${maxTurns} turns. Raise “Most turns” or narrow the task.`,
      {
        retryable: false,
      },
    );
  }
  if (onTurnLimit === 'finish') return end(context, { text: lastText, finish: 'turn-limit', turns: maxTurns }, log);
  messages.push({
    role: 'user',
    content: 'Your turns with tools are used up. Answer now with what you have found, and say what is missing.',
  });
  const reply = await context.model(request(context, messages, []));
  messages.push({ role: 'assistant', content: reply.text });
  return end(context, { text: reply.text, finish: 'turn-limit', turns: maxTurns + 1 }, log);
}

function end(context: AgentContext, ending: Ending, log: CallLog): Ending {
  const { maxTurns } = context.config;
  const limited = ending.finish === 'turn-limit';
  context.decide({
    rule: limited ? 'turns used up' : 'the model answered without calling a tool',
    outcome: ending.finish,
    because: [
      {
        name: 'turns',
        value: ending.turns,
        operator: '<=',
        threshold: maxTurns,
        distance: Math.abs(maxTurns - ending.turns),
        holds: !limited,
      },
      { name: 'tool calls', value: log.records.length },
      { name: 'tool calls that gave a result', value: log.records.filter((record) => record.status === 'ok').length },
    ],
  });
  return ending;
}

async function result(context: AgentContext, messages: readonly ChatMessage[], ending: Ending, log: CallLog): Promise<VisitResult> {
  const { schema, citations } = context.config;
  const object = schema === null ? null : await finalObject(context, messages, ending);
  return {
    output: {
      text: ending.text,
      finish: ending.finish,
      turns: ending.turns,
      toolCalls: log.records.map((record) => ({ ...record })),
      ...(citations ? { citations: citationsIn(ending.text, log.shown).map((citation) => ({ ...citation })) } : {}),
      ...(object === null ? {} : { object: object.value }),
    },
  };
}

/** The answer as an object: its own text when that fits already, else one more call that asks for the shape. */
async function finalObject(context: AgentContext, messages: readonly ChatMessage[], ending: Ending): Promise<{ value: Json }> {
  const { schema, role, corrections } = context.config;
  const own = readJson(ending.text);
  if (own !== undefined && schemaProblems(schema ?? {}, own).length === 0) return { value: own };
  const answer = await askForObject(
    context,
    {
      role,
      messages: [...messages, { role: 'user', content: 'Give your final answer as JSON of the schema asked for, and nothing else.' }],
      ...modelLimits(context.config),
    },
    { schema: schema ?? {}, name: 'answer', corrections },
  );
  if (answer.ok) return { value: answer.object };
  throw operationalError('MODEL_BAD_REPLY', `"${context.node.label}" gave no final answer that fits its schema: ${answer.problem}.`, {
    retryable: true,
  });
}
