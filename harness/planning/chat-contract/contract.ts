import { z } from 'zod';
import type { Decision, Reason } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { type ChatContractConfig, defaultChatContractConfig } from './config';
import { checkQuestions } from './questions';
import { isPromptRequest, isSocial } from './recognise';
import { checkSuggestedPrompt, type SuggestedPrompt } from './suggested-prompt';

/** Where a conversation stands in the two-round protocol: asked for nothing, questions put, prompt delivered next. */
export const chatRounds = ['none', 'questions', 'prompt'] as const;
export const chatRoundSchema = z.enum(chatRounds);
export type ChatRound = z.output<typeof chatRoundSchema>;

export const contractEventSchema = z.object({
  kind: z.literal('contract_violation'),
  contract: z.enum(['explore_first', 'questions', 'suggested_prompt']),
  problem: z.string(),
});
export type ContractEvent = z.output<typeof contractEventSchema>;

/** The round a message of a person begins. `asked` is whether questions of round 1 stand in the conversation, unanswered until now. */
export function roundOf(message: string, asked: boolean): ChatRound {
  if (asked) return isSocial(message) ? 'none' : 'prompt';
  return isPromptRequest(message) ? 'questions' : 'none';
}

export interface ChatReply {
  round: ChatRound;
  message: string;
  text: string;
  /** Names of the tools called since the message, those that failed left out. */
  calls: readonly string[];
  /** Corrections already put to the model for this message. */
  corrected: number;
}

export type ContractOutcome =
  | { outcome: 'accept'; questions: string[]; prompt: SuggestedPrompt | null; decision: Decision }
  /** The reply is not shown as an answer; `nudge` goes to the model. */
  | { outcome: 'correct'; nudge: string; decision: Decision }
  /** The reply is shown all the same, and the breach with it. */
  | { outcome: 'violation'; events: ContractEvent[]; questions: string[]; prompt: SuggestedPrompt | null; decision: Decision };

interface Breach {
  contract: ContractEvent['contract'];
  problem: string;
  advice: string;
}

const groundingIn = (calls: readonly string[], config: ChatContractConfig): number =>
  calls.filter((name) => config.groundingTools.includes(name)).length;

/** Whether a reply is of substance: not mere courtesy on either side. */
const isSubstantive = ({ message, text }: Pick<ChatReply, 'message' | 'text'>): boolean => !isSocial(message) || !isSocial(text);

/** A greeting answered with an offer of help says nothing about the workspace. */
const isCourtesy = ({ message, text }: Pick<ChatReply, 'message' | 'text'>): boolean =>
  isSocial(message) && text.length <= 280 && !/`|\n\s*(?:[-*]|\d+[.)])\s/.test(text);

/**
 * Holds a final reply against the contracts of planning.md §2: a grounding call before anything of substance, 3 to 5 numbered questions in round
 * 1, one fenced prompt with references in round 2. One correction, then the breach is recorded and the reply shown.
 */
export function checkReply(reply: ChatReply, config: ChatContractConfig = defaultChatContractConfig): ContractOutcome {
  const breaches: Breach[] = [];
  const grounding = groundingIn(reply.calls, config);
  const needsGrounding = config.alwaysExplore && isSubstantive(reply) && !isCourtesy(reply);
  if (needsGrounding && grounding < config.minGroundingCalls) {
    breaches.push({
      contract: 'explore_first',
      problem: `The reply rests on ${grounding} grounding tool calls; it needs ${config.minGroundingCalls}.`,
      advice: 'Look into the workspace or the documentation with a tool before you answer.',
    });
  }
  const asked = reply.round === 'questions' ? checkQuestions(reply.text, config) : null;
  if (asked?.ok === false) {
    breaches.push({
      contract: 'questions',
      problem: asked.problem,
      advice: `End your reply with ${config.minQuestions} to ${config.maxQuestions} numbered questions, and with nothing after them.`,
    });
  }
  const prompt = reply.round === 'prompt' ? checkSuggestedPrompt(reply.text, config) : null;
  if (prompt?.ok === false) {
    breaches.push({
      contract: 'suggested_prompt',
      problem: prompt.problem,
      advice: `Give exactly one fenced block that begins with "${config.promptTitle}" and has a "${config.referencesTitle}" section with file:line, documents or addresses.`,
    });
  }
  const found = { questions: asked?.ok ? asked.questions : [], prompt: prompt?.ok ? prompt.prompt : null };
  const because: Reason[] = [
    fact('round', reply.round),
    compared('grounding calls', grounding, '>=', needsGrounding ? config.minGroundingCalls : 0),
    ...breaches.map(({ contract, problem }) => fact(contract, problem)),
  ];
  if (breaches.length === 0)
    return { outcome: 'accept', ...found, decision: decided({ rule: 'chat contract', outcome: 'accept', because }) };
  because.push(compared('corrections made', reply.corrected, '<', config.corrections));
  if (reply.corrected < config.corrections) {
    return {
      outcome: 'correct',
      nudge: breaches.map(({ problem, advice }) => `${problem} ${advice}`).join('\n'),
      decision: decided({ rule: 'chat contract', outcome: 'correct once', because }),
    };
  }
  return {
    outcome: 'violation',
    events: breaches.map(({ contract, problem }) => ({ kind: 'contract_violation', contract, problem })),
    ...found,
    decision: decided({ rule: 'chat contract', outcome: 'violation', because }),
  };
}
