import { implementNode } from '@/harness/contract/execute';
import { compared } from '@/harness/layers/shared/explain';
import { messageOf } from '../../control/support/helpers';
import { planningState, planningWrites } from '../support/state';
import { detectCommands } from './commands';
import { workspaceInit } from './node';
import { projectContext } from './project-context';
import { createWorkBranch } from './work-branch';

export const executeWorkspaceInit = implementNode(workspaceInit, async (context) => {
  const { config } = context;
  const { planTask } = planningState(context);
  const task = planTask.task.trim() === '' ? messageOf(context.input) : planTask.task;
  const branch = config.workBranch ? await createWorkBranch(context, config.branchPrefix, task) : null;
  const commands = await detectCommands(context, config.writeFiles);
  const { text, source } = await projectContext(context);
  if (text.trim() === '') {
    context.decide({
      rule: 'thin architecture awareness',
      outcome: 'the phases go on without project context',
      because: [compared('characters of project context', 0, '>', 0)],
    });
  }
  // What is on record already, such as the journal of a task that is taken up again, stands behind the description.
  const known = [text, planTask.context].filter((part) => part.trim() !== '').join('\n\n');
  return {
    output: { context: known, commands, source, branch },
    writes: planningWrites({
      planTask: { task, context: known },
      commandSet: commands,
      planWarnings: known === '' ? ['There is no project context: thin architecture awareness in every phase.'] : undefined,
    }),
  };
});
