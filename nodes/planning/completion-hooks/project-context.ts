import { isBridleError } from '@/harness/contract/errors';
import { writeArtefact } from '../support/artefact-file';
import { materialNote, prompt, section } from '../support/prompt';
import type { PlanningChannels } from '../support/state';
import type { HookContext } from './extract';
import type { Report } from './report';

const system = [
  'You keep the description of a codebase up to date after a change. Output the whole description anew, in Markdown.',
  'Change only what the change made wrong or what it added; keep everything else word for word.',
  materialNote,
].join('\n');

/** Brings `.bridle/project_context.md` up to date (planning.md §16). That it cannot be done fails nothing. */
export async function updateProjectContext(context: HookContext, state: PlanningChannels, report: Report): Promise<void> {
  const before = state.planTask.context.trim();
  if (!context.config.updateContext || before === '' || report.files_modified.length === 0) return;
  try {
    const reply = await context.model({
      role: context.config.role,
      messages: [
        { role: 'system', content: system },
        {
          role: 'user',
          content: prompt(
            section('Description', before),
            section('Change', report.text),
            section('Steps', state.stepResults.map(({ description, summary }) => `- ${description} ${summary}`).join('\n')),
          ),
        },
      ],
    });
    if (reply.text.trim() !== '') await writeArtefact(context, 'project_context.md', `${reply.text.trim()}\n`);
  } catch (thrown) {
    if (!isBridleError(thrown) || !thrown.code.startsWith('MODEL_') || thrown.code === 'MODEL_UNSCRIPTED') throw thrown;
    context.log('warning', `The project description was not brought up to date: ${thrown.message}`);
  }
}
