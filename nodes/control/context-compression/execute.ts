import { z } from 'zod';
import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { compressMemory } from '@/harness/layers/context-compression/compress';
import { foldTranscript, needsFolding, wholeTail } from '@/harness/layers/context-compression/transcript';
import type { WorkMessage } from '../channels';
import { asText } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import { type ControlChannels, stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { contextCompression } from './node';

type Context = ExecuteContext<ConfigOf<typeof contextCompression>>;

export const executeContextCompression = implementNode(contextCompression, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const folded: Record<string, WorkMessage[]> = {};
  const structures = [...state.memoryState.compressed_structures];
  let messages = 0;
  let lost = 0;
  let characters = 0;
  for (const [taskId, conversation] of openConversations(state)) {
    const result = await fold(context, taskId, conversation);
    characters += charactersOf(result?.conversation ?? conversation);
    if (result === null) continue;
    folded[taskId] = result.conversation;
    structures.push({ task_id: taskId, folded: result.folded, text: result.text });
    messages += result.folded;
    lost += result.lost;
  }
  const used = Math.ceil(characters / config.charactersPerToken);
  const { memory, decision } = compressMemory(
    {
      ...state.memoryState,
      compressed_structures: structures,
      journal_retention_policy: config.journal,
      token_budget: { ...state.memoryState.token_budget, used },
    },
    config,
  );
  if (messages === 0) {
    context.decide({
      rule: 'context',
      outcome: 'kept whole',
      because: [
        {
          name: 'longest conversation in messages',
          value: longest(state),
          operator: '>',
          threshold: config.maxMessages,
          holds: longest(state) > config.maxMessages,
        },
        { name: 'characters in all', value: characters },
      ],
    });
  }
  context.decide(decision);
  return {
    output: { folded: messages, lost_characters: lost, used_tokens: used },
    writes: writesOf(context, { conversation: messages === 0 ? undefined : folded, memoryState: memory }),
  };
});

/** Conversations of finished tasks are not read any more. */
function openConversations({ conversation, taskGraph }: ControlChannels): [string, WorkMessage[]][] {
  const finished = new Set(taskGraph.tasks.flatMap(({ id, status }) => (status === 'COMPLETE' ? [id] : [])));
  return Object.entries(conversation).filter(([id]) => !finished.has(id));
}

const longest = (state: ControlChannels): number => Math.max(0, ...openConversations(state).map(([, { length }]) => length));

const charactersOf = (messages: readonly WorkMessage[]): number => messages.reduce((sum, message) => sum + readable(message).length, 0);

/** What a message says, with the calls it makes. */
function readable({ content, tool_calls = [] }: WorkMessage): string {
  const calls = tool_calls.map(({ name, arguments: given }) => `calls ${name} with ${asText(given)}`);
  return [content, ...calls].filter((part) => part !== '').join('\n');
}

interface Folded {
  conversation: WorkMessage[];
  folded: number;
  lost: number;
  text: string;
}

/** One conversation, folded when it is over a limit; `null` when it stays as it is. */
async function fold(context: Context, taskId: string, conversation: readonly WorkMessage[]): Promise<Folded | null> {
  const { config } = context;
  const plain = conversation.map((message) => ({ role: message.role, content: readable(message), message }));
  // results of tools stay together with the calls that they answer
  const limits = { ...config, keep: wholeTail(plain, config.keep) };
  if (!needsFolding(plain, limits)) return null;
  const older = plain.slice(0, plain.length - limits.keep);
  const summary = config.semantic ? await summarise(context, older) : undefined;
  const { folded, lostCharacters, decision, messages } = foldTranscript(plain, limits, summary);
  context.decide({ ...decision, because: [...decision.because, { name: 'task', value: taskId }] });
  const text = messages[0]?.content ?? '';
  return {
    conversation: [{ role: 'user', content: text }, ...conversation.slice(conversation.length - limits.keep)],
    folded,
    lost: lostCharacters,
    text,
  };
}

const summarySchema = z.object({ summary: z.string() });

async function summarise(context: Context, older: readonly { role: string; content: string }[]): Promise<string | undefined> {
  const answer = await modelCheck(context, {
    what: 'summary of older messages',
    role: context.config.role,
    schema: summarySchema,
    otherwise: 'the beginnings of the messages stand instead of a summary',
    system:
      'Summarise the messages so that the work can go on from the summary alone. Keep names, paths, numbers, dates, decisions, constraints and what is still open. Leave out greetings and repetition. Reply with JSON.',
    prompt: older.map(({ role, content }) => `${role}: ${content}`).join('\n\n'),
  });
  const text = answer?.summary.trim() ?? '';
  return text === '' ? undefined : text;
}
