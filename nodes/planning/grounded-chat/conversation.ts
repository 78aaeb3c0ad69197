import { z } from 'zod';
import type { Json } from '@/harness/contract/json';
import type { ChatMessage } from '@/harness/contract/model';
import type { ChatContractConfig } from '@/harness/planning/chat-contract/config';
import { type ChatRound, roundOf } from '@/harness/planning/chat-contract/contract';
import { checkQuestions } from '@/harness/planning/chat-contract/questions';
import { isPromptRequest } from '@/harness/planning/chat-contract/recognise';
import { transcriptMessageSchema } from '../../channels';
import { materialNote } from '../support/prompt';

type Message = z.output<typeof transcriptMessageSchema>;

export function transcriptOf(value: Json | undefined): Message[] {
  const parsed = z.array(transcriptMessageSchema).safeParse(value);
  return parsed.success ? parsed.data : [];
}

/** The round a message begins: the second one when the last reply put the questions that a request for a prompt was answered with. */
export function roundIn(transcript: readonly Message[], message: string, config: ChatContractConfig): ChatRound {
  const last = transcript.findLastIndex(({ role }) => role === 'assistant');
  const before = transcript.slice(0, Math.max(0, last)).findLast(({ role }) => role === 'user');
  const asked =
    last !== -1 && before !== undefined && isPromptRequest(before.content) && checkQuestions(transcript[last]?.content ?? '', config).ok;
  return roundOf(message, asked);
}

const rounds = (round: ChatRound, config: ChatContractConfig): string => {
  if (round === 'questions') {
    return `The user wants a prompt for the coding agent. Explore first. End your reply with ${config.minQuestions} to ${config.maxQuestions} numbered questions and nothing after them.`;
  }
  if (round === 'prompt') {
    return `The user has answered your questions. Verify what the answers touch, then give exactly one fenced block that begins with "${config.promptTitle}" and has a "${config.referencesTitle}" section with file:line, documents or addresses.`;
  }
  return 'Answer the message.';
};

export const systemFor = (round: ChatRound, config: ChatContractConfig): string =>
  [
    'You talk with a developer about their workspace. You look things up and explain; you write no plan, no code and no implementation.',
    ...(config.alwaysExplore
      ? [
          'Before any reply of substance look into the workspace or the documentation with a tool. Only a greeting or thanks may be answered without.',
        ]
      : []),
    'Cite files as path:line. Never invent files, names or tool output; say what you could not find.',
    rounds(round, config),
    materialNote,
  ].join('\n');

export const opening = (system: string, earlier: readonly Message[], message: string): ChatMessage[] => [
  { role: 'system', content: system },
  ...earlier,
  { role: 'user', content: message },
];
