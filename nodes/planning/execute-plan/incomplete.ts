import type { StepResult } from '@/harness/planning/artefacts/results';
import { incompleteEntry } from '@/harness/planning/execution/step-outcome';
import { canUse, readWhole } from '../support/read-back';
import type { ExecutionContext } from './execute';

const path = '.bridle/incomplete.md';

/** Appends what failed to the workspace's own note (planning.md §13). That it cannot be written is told and stops nothing. */
export async function noteIncomplete(context: ExecutionContext, failed: readonly StepResult[]): Promise<void> {
  if (!context.config.recordIncomplete || context.run.workspace === null) return;
  if (!canUse(context, 'create_file') || !canUse(context, 'read_file')) return;
  const before = await readWhole(context, path);
  const content = [...(before === null ? ['# Incomplete steps'] : [before.trimEnd()]), ...failed.map(incompleteEntry)].join('\n\n');
  const written = await context.tool('create_file', { path, content, overwrite: true });
  if (written.status !== 'ok') context.log('warning', `${path} was not written: ${written.message}`);
}
