import type { ChatMessage } from '@/harness/contract/model';
import type { PlanStep } from '@/harness/planning/artefacts/plan-step';
import { type StepPromptInput, stepPromptParts } from '@/harness/planning/execution/step-prompt';
import { materialNote, prompt } from '../support/prompt';

const rules = [
  'You carry out one step of an approved plan. Others carry out the rest; do this step and nothing else.',
  '',
  '- Use the tool and the file that the step names. Looking around first is allowed.',
  '- Keep to the names of the tables below; other steps rely on them.',
  '- Before you edit a file that is not shown here, read it. Files shown here are as they are on disk now.',
  '- An answer that begins with ERROR says what to do differently. What a guard refuses stays refused; do not look for a way around it.',
  '- A command that fails is a result: say so in the summary. Mend only what this step is about.',
  '- Call task_complete as soon as the step is done, with one sentence on what was done. If it cannot be done, say in it why.',
].join('\n');

/** What one step is told; nothing of other conversations is in it. */
export function stepMessages(input: StepPromptInput, instructions: string): ChatMessage[] {
  const { system, user } = stepPromptParts(input);
  return [
    { role: 'system', content: prompt(rules, materialNote, instructions, ...system) },
    { role: 'user', content: prompt(...user) },
  ];
}

export const stepReminder = (step: PlanStep): string =>
  `Your step: ${step.tool}${step.file_path === '' ? '' : ` ${step.file_path}`}. Do this step only, then call task_complete.`;
