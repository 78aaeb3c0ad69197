import { z } from 'zod';
import { jsonSchema } from '../../contract/json';
import { document, joined, listSection, textSection } from './markdown';

/** How a clarifying question ended (planning.md §4). `empty` lets the model guess and record an assumption. */
export const clarificationOutcomeSchema = z.enum(['answered', 'empty', 'cancelled', 'disconnected', 'error']);

export const clarificationSchema = z.object({ question: z.string(), answer: z.string(), outcome: clarificationOutcomeSchema });
export type Clarification = z.output<typeof clarificationSchema>;

export const recordedToolCallSchema = z.object({ name: z.string(), arguments: jsonSchema.default({}) });

/** What phase 1 leaves behind (planning.md §4). Never the scope document. */
export const phase1SummarySchema = z.object({
  prose: z.string(),
  tool_calls: z.array(recordedToolCallSchema).default([]),
  clarifications: z.array(clarificationSchema).default([]),
});
export type Phase1Summary = z.output<typeof phase1SummarySchema>;

/** The prompt that chat mode hands to the planner (planning.md §2). */
export const suggestedPromptSchema = z.object({ text: z.string(), references: z.array(z.string()).default([]) });
export type SuggestedPrompt = z.output<typeof suggestedPromptSchema>;

export const renderPhase1Summary = (summary: Phase1Summary): string =>
  document('Clarification', [
    textSection('Summary', summary.prose),
    listSection(
      'Clarifications',
      summary.clarifications.map(({ question, answer, outcome }) => joined([question, outcome === 'answered' ? answer : `(${outcome})`])),
    ),
    listSection(
      'Tool calls',
      summary.tool_calls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`),
    ),
  ]);

export const renderSuggestedPrompt = ({ text, references }: SuggestedPrompt): string =>
  `## Suggested Agent Prompt\n\n${text.trim()}\n\n${listSection('References', references).replace('## ', '### ')}\n`;
