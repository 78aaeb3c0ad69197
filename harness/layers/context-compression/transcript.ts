import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../shared/explain';

export const transcriptConfigSchema = z.object({
  maxMessages: z.number().int().min(2).default(40).meta({ title: 'Messages after which the transcript is folded' }),
  maxCharacters: z.number().int().min(100).default(20_000).meta({ title: 'Characters after which the transcript is folded' }),
  keep: z.number().int().min(1).default(10).meta({ title: 'Newest messages kept as they are' }),
  excerpt: z.number().int().min(0).default(200).meta({ title: 'Characters kept of each folded message' }),
});
export type TranscriptConfig = z.output<typeof transcriptConfigSchema>;
export const defaultTranscriptConfig: TranscriptConfig = transcriptConfigSchema.parse({});

export interface TranscriptMessage {
  role: string;
  content: string;
}

/** True when the transcript is over one of its limits and has something to fold. */
export const needsFolding = (messages: readonly TranscriptMessage[], config: TranscriptConfig = defaultTranscriptConfig): boolean =>
  messages.length > config.keep &&
  (messages.length > config.maxMessages || messages.reduce((sum, { content }) => sum + content.length, 0) > config.maxCharacters);

/** How many of the newest messages stay so that no result of a tool stands without the call it answers. */
export function wholeTail(messages: readonly TranscriptMessage[], keep: number): number {
  let start = Math.max(0, messages.length - keep);
  while (start > 0 && messages[start]?.role === 'tool') start -= 1;
  return messages.length - start;
}

/**
 * Folds everything but the newest messages into one. `summary`, when a model check wrote one, takes the place of the excerpts
 * (around-the-loop.md §1). The characters lost are counted.
 */
export function foldTranscript<M extends TranscriptMessage>(
  messages: readonly M[],
  config: TranscriptConfig = defaultTranscriptConfig,
  summary?: string,
): { messages: (M | TranscriptMessage)[]; folded: number; lostCharacters: number; decision: Decision } {
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  const because = [
    compared('messages', messages.length, '>', config.maxMessages),
    compared('characters', characters, '>', config.maxCharacters),
  ];
  if (!needsFolding(messages, config)) {
    return {
      messages: [...messages],
      folded: 0,
      lostCharacters: 0,
      decision: decided({ rule: 'context', outcome: 'kept whole', because }),
    };
  }
  const older = messages.slice(0, messages.length - config.keep);
  const excerpts = older.map(
    ({ role, content }) => `${role}: ${content.slice(0, config.excerpt)}${content.length > config.excerpt ? '…' : ''}`,
  );
  const text = summary ?? excerpts.join('\n');
  const olderCharacters = older.reduce((sum, { content }) => sum + content.length, 0);
  const lostCharacters = Math.max(
    0,
    summary === undefined
      ? older.reduce((sum, { content }) => sum + Math.max(0, content.length - config.excerpt), 0)
      : olderCharacters - summary.length,
  );
  const head: TranscriptMessage = {
    role: 'system',
    content: `Earlier in this conversation (${older.length} messages, shortened):\n${text}`,
  };
  return {
    messages: [head, ...messages.slice(messages.length - config.keep)],
    folded: older.length,
    lostCharacters,
    decision: decided({
      rule: summary === undefined ? 'context: excerpts' : 'context: summary',
      outcome: `folded ${older.length} messages`,
      because: [...because, fact('characters lost', lostCharacters)],
    }),
  };
}
