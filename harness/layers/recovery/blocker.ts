import { z } from 'zod';
import type { AskInput } from '../../contract/ask';

export const escalationReasons = [
  'blocked_state',
  'cannot_make_progress',
  'budget_exhausted',
  'review_failure',
  'action_requires_compressed_state',
  'supervisor_question',
] as const;

/** Why a run stopped for a person, and what is missing (layers.md R10). */
export const blockerSchema = z.object({
  reason: z.enum(escalationReasons),
  missing_info: z.array(z.string()).default([]),
  current_task_summary: z.string().default(''),
  escalated_at: z.string(),
  question: z.string().optional(),
  options: z.array(z.string()).max(4).optional(),
});
export type Blocker = z.output<typeof blockerSchema>;

/** Steps that "continue" adds to a used-up budget. */
export const budgetExtension = 10;

/** The question about a used-up budget: go on, stop, or say more. */
export const budgetAsk = (steps: number, limit: number, extension = budgetExtension): AskInput => ({
  kind: 'question',
  title: 'The step budget is used up',
  body: `Step ${steps} reached the limit of ${limit}, and tasks are still open.`,
  choices: [
    { id: 'continue', label: `Continue for ${extension} more steps`, tone: 'accept' },
    { id: 'stop', label: 'Stop and cancel open tasks', tone: 'reject' },
    { id: 'clarify', label: 'Say more', tone: 'neutral' },
  ],
});

/** The question of a blocked run, in the words of its blocker. */
export const blockerAsk = (blocker: Blocker): AskInput => ({
  kind: 'question',
  title: blocker.question ?? `The run cannot go on: ${blocker.reason.replaceAll('_', ' ')}`,
  body: [blocker.current_task_summary, ...blocker.missing_info.map((missing) => `- ${missing}`)].filter((line) => line !== '').join('\n'),
  choices:
    blocker.options && blocker.options.length >= 2
      ? blocker.options.map((label, index) => ({ id: `option-${index + 1}`, label }))
      : [
          { id: 'continue', label: 'Continue', tone: 'accept' },
          { id: 'stop', label: 'Stop', tone: 'reject' },
        ],
});
