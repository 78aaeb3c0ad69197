import { userError } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import { type DesignAndRisks, designFromProse, renderDesignAndRisks } from '@/harness/planning/artefacts/design';
import type { ExecutionPlan } from '@/harness/planning/artefacts/execution-plan';
import { renderFileSummary } from '@/harness/planning/artefacts/render-file-summary';
import { renderScopeDocument } from '@/harness/planning/artefacts/scope-document';
import { defaultTierConfig, shortenedSummary, summaryShortening } from '@/harness/planning/context/tier';
import { messageOf } from '../../control/support/helpers';
import { section } from './prompt';
import type { PlanningChannels } from './state';

/* What earlier phases left behind, as parts of prompts. */

/** The task; a flow without a node that notes it down plans what the run was given. */
export function taskOf(context: Pick<ExecuteContext, 'input'>, { planTask }: PlanningChannels): string {
  const task = planTask.task.trim() === '' ? messageOf(context.input).trim() : planTask.task.trim();
  if (task === '')
    throw userError('PLAN_NO_TASK', 'There is nothing to plan: the run was given no task. Type one, or write the channel “planTask”.');
  return task;
}

export function requirePlan(context: Pick<ExecuteContext, 'node'>, { executionPlan }: PlanningChannels): ExecutionPlan {
  if (executionPlan !== null) return executionPlan;
  throw userError('PLAN_MISSING', `"${context.node.label}" needs an execution plan and there is none. Put “Assemble plan” before it.`);
}

/** Without a design phase everything in it is empty. */
export const designOf = ({ designAndRisks }: PlanningChannels): DesignAndRisks => designAndRisks ?? designFromProse('');

export const taskPart = (task: string): string => section('Task', task);

export const scopePart = ({ scopeDocument }: PlanningChannels): string =>
  scopeDocument === null ? '' : renderScopeDocument(scopeDocument);

export const contextPart = ({ planTask }: PlanningChannels): string => section('Project context', planTask.context);

export const designPart = ({ designAndRisks }: PlanningChannels): string =>
  designAndRisks === null ? '' : renderDesignAndRisks(designAndRisks);

const withoutSummary = ({ observations }: PlanningChannels): string =>
  section(
    'Files that exploration recorded',
    observations
      .map(({ file_path, role, reason, key_snippets }) => [`### \`${file_path}\` (${role})`, reason, ...key_snippets].join('\n\n'))
      .join('\n\n'),
  );

/** The file summary; in a small window shortened by a model to its share, cut when that fails (planning.md §0). */
export async function fileSummaryPart(
  context: Pick<ExecuteContext, 'model' | 'decide'>,
  channels: PlanningChannels,
  window: { tokens: number | null; small: number },
): Promise<string> {
  if (channels.fileSummary === null) return withoutSummary(channels);
  const markdown = renderFileSummary(channels.fileSummary);
  const config = { ...defaultTierConfig, smallWindow: window.small };
  const shortening = summaryShortening(markdown, window.tokens, config);
  if (shortening === null) return markdown;
  const reply = await context.model({
    role: 'worker',
    maxOutputTokens: shortening.maxOutputTokens,
    messages: [
      {
        role: 'system',
        content: 'Shorten this report. Keep every path, name and signature exactly; drop prose first, then long snippets. Add nothing.',
      },
      { role: 'user', content: shortening.input },
    ],
  });
  const shortened = shortenedSummary(markdown, reply.text, shortening.budget, config);
  context.decide({
    rule: 'file summary shortened',
    outcome: `by ${shortened.by}`,
    because: [
      { name: 'characters', value: markdown.length, operator: '<=', threshold: shortening.budget, holds: false },
      { name: 'characters kept', value: shortened.text.length },
    ],
  });
  return shortened.text;
}
