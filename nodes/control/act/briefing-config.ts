import { z } from 'zod';
import type { strategies } from '@/harness/layers/recovery/state';

const strategyTexts: Record<(typeof strategies)[number], string> = {
  DIRECT_EDIT: 'Make the change where it obviously belongs.',
  TRACE_EXEC: 'Follow what really happens first: run it, read the output, trace the failing path to its cause, then change that.',
  BROADER_SEARCH: 'Look wider before you change anything: other callers, similar code, configuration, documentation.',
  REIMPLEMENT: 'Stop mending. Write the part anew in the simplest way that does what is asked.',
  MINIMAL_FIX: 'Make the smallest change that meets the criterion and touch nothing else.',
  ESCALATE: 'Do not change anything. Say what is missing and what a person would have to decide.',
};

const count = (title: string, description: string, initial: number) =>
  z.int().min(0).max(200).default(initial).meta({ title, description });

/** What of the run's state is put before the agent. */
export const briefingConfigSchema = z.object({
  strategies: z.record(z.string(), z.string().max(5000)).default(strategyTexts).meta({
    title: 'What each strategy tells the agent',
    description: 'By the name of the rung on the strategy ladder.',
  }),
  journalEntries: count('Journal entries', 'The newest ones are shown to the agent.', 8),
  evidenceItems: count('Pieces of evidence', 'The newest ones are shown, with their reliability.', 12),
  earlierResults: count('Results of earlier tasks', 'Those the task depends on come first.', 5),
});
export type BriefingConfig = z.output<typeof briefingConfigSchema>;
