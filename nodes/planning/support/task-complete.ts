import { isJsonObject, type Json } from '@/harness/contract/json';
import type { ToolOffer } from '@/harness/contract/model';

/** The tool by which a model says that it is done. */
export const completionOffer = (name: string): ToolOffer => ({
  name,
  description:
    'Call this when the work is done, with a summary of what was found or done. Other calls of the same reply are carried out first.',
  inputSchema: {
    type: 'object',
    properties: { summary: { type: 'string', description: 'What was found or done.' } },
    required: ['summary'],
  },
});

export const summaryOf = (given: Json): string => (isJsonObject(given) && typeof given.summary === 'string' ? given.summary : '');
