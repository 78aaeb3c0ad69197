import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { charactersOf, newestWithin } from '@/harness/planning/context/tokens';
import { memoryCandidateSchema } from '@/harness/planning/memory/row';
import { windowOf } from '../support/config';
import { journalText } from '../support/notes';
import { materialNote, prompt, section } from '../support/prompt';
import type { PlanningChannels } from '../support/state';
import { askPhase } from '../support/structured';
import type { Suggestion } from '../support/take-in';
import type { completionHooksNode } from './node';
import type { Report } from './report';

export type HookContext = ExecuteContext<ConfigOf<typeof completionHooksNode>>;

const replySchema = z.object({
  memories: z.array(memoryCandidateSchema.pick({ content: true, category: true, tags: true, confidence: true })),
});

const system = [
  'You look back at a finished change of a codebase and note what the next person who changes it should know.',
  'A memory is one to three sentences that hold beyond this task: how the project builds and tests, its conventions, traps, decisions. Not what was done, nothing that stands in the code anyway, no secrets.',
  'Fewer is better; none is a good answer.',
  materialNote,
].join('\n');

/** Memories of the session as the worker sees them (planning.md §16). A model that fails suggests none. */
export async function extractMemories(context: HookContext, state: PlanningChannels, report: Report): Promise<Suggestion[]> {
  const { config } = context;
  const most = config.mostPerSession;
  const room = Math.floor(charactersOf(windowOf(config)) / 2);
  const answer = await askPhase(context, {
    name: 'session-memories',
    role: config.role,
    schema: replySchema,
    system,
    prompt: prompt(section('Limit', `At most ${most} memories.`), newestWithin(materialOf(state, report), room)),
  });
  if (!answer.ok) {
    context.decide({ rule: 'memory: extraction', outcome: 'none', because: [{ name: 'problem', value: answer.problem.slice(0, 500) }] });
    return [];
  }
  const offered = answer.value.memories.filter(({ content }) => content.trim() !== '');
  context.decide({
    rule: 'memory: extraction',
    outcome: `${Math.min(offered.length, most)} suggested`,
    because: [{ name: 'offered', value: offered.length, operator: '<=', threshold: most, holds: offered.length <= most }],
  });
  return offered.slice(0, most).map((memory) => ({ ...memory, source_phase: context.node.label }));
}

function materialOf(state: PlanningChannels, report: Report): string {
  const attempts = state.validationAttempts.map(
    ({ attempt, failing_commands, diagnosis, succeeded }) =>
      `- attempt ${attempt} at ${failing_commands.join(', ')} ${succeeded ? 'succeeded' : 'failed'}: ${diagnosis}`,
  );
  const steps = state.stepResults.map(
    ({ step_number, status, description, summary }) => `- ${step_number} ${status}: ${description} ${summary}`,
  );
  return prompt(
    section('Task', state.planTask.task),
    section('Outcome', report.summary),
    section('Feedback of the person', state.approvalState.feedback.map((text) => `- ${text}`).join('\n')),
    section('Steps', steps.join('\n')),
    section('Repairs', attempts.join('\n')),
    section('Journal', journalText(state.journal)),
  );
}
