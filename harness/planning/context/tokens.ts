import { z } from 'zod';
import type { ChatMessage } from '../../contract/model';

/** Characters that one token stands for, everywhere in planning (planning.md §0). */
export const charactersPerToken = 3.5;
/** The rougher figure by which a loop estimates a prompt whose size no provider reported. */
export const estimatedCharactersPerToken = 4;

/** Characters that so many tokens hold, rounded down. */
export const charactersOf = (tokens: number): number => Math.floor(tokens * charactersPerToken);

/** Tokens of a text, roughly, rounded up. */
export const estimatedTokens = (characters: number): number => Math.ceil(characters / estimatedCharactersPerToken);

function charactersOfMessage(message: ChatMessage): number {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return calls.reduce((sum, call) => sum + call.name.length + JSON.stringify(call.arguments).length, message.content.length);
}

/** Tokens of a prompt when the provider reports none; calls count with their names and arguments. */
export const estimatedPromptTokens = (messages: readonly ChatMessage[]): number =>
  estimatedTokens(messages.reduce((sum, message) => sum + charactersOfMessage(message), 0));

const share = (title: string, initial: number) => z.number().min(0).max(1).default(initial).meta({ title });

/** Shares of the context window (planning.md §0). */
export const windowSharesSchema = z.object({
  scratchpad: share('Scratchpad, share of the window', 0.05),
  journal: share('Journal, share of the window', 0.03),
  memory: share('Memories, share of the window', 0.02),
  artefacts: share('Artefacts of finished steps, share of the window', 0.1),
  output: share('Reply, share of the window', 0.25),
  planOutput: share('Plan, least share of the window of the expert', 0.4),
});
export type WindowShares = z.output<typeof windowSharesSchema>;
export const defaultWindowShares: WindowShares = windowSharesSchema.parse({});

/** Characters that a share of a window of so many tokens holds. */
export const shareInCharacters = (window: number, part: number): number => charactersOf(window * part);

/** Tokens that the plan may take: what the expert may write anyway, or 40 % of its window, whichever is more. */
export const planOutputTokens = (window: number, expertMaxTokens: number | null, shares: WindowShares = defaultWindowShares): number =>
  Math.max(expertMaxTokens ?? 0, Math.floor(window * shares.planOutput));

/** The end of a text within so many characters, cut at a line where one is near; the cut is said in its first line. */
export function newestWithin(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const notice = '[earlier parts left out]\n';
  const room = characters - notice.length;
  if (room <= 0) return '';
  const tail = text.slice(text.length - room);
  const line = tail.indexOf('\n');
  return notice + (line === -1 || line > room / 2 ? tail : tail.slice(line + 1));
}
