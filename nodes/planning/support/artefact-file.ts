import type { ExecuteContext } from '@/harness/contract/execute';

/** Where artefacts live in a workspace (planning.md, preamble). */
export const artefactFolder = '.bridle';

/**
 * Writes a file of the pipeline through `create_file`, so that guards and the trace see it. A refusal or failure is told and never fails the
 * phase. Returns whether it was written.
 */
export async function writeArtefact(context: Pick<ExecuteContext, 'tool' | 'log'>, name: string, content: string): Promise<boolean> {
  const path = `${artefactFolder}/${name}`;
  const outcome = await context.tool('create_file', { path, content, overwrite: true });
  if (outcome.status === 'ok') return true;
  context.log('warning', `${path} was not written: ${outcome.message}`);
  return false;
}

/** The same, only where the node's config asks for debug artefacts. */
export async function debugArtefact(
  context: Pick<ExecuteContext, 'tool' | 'log'> & { readonly config: { debugPlanning: boolean } },
  name: string,
  content: string,
): Promise<void> {
  if (context.config.debugPlanning) await writeArtefact(context, `debug/${name}`, content);
}
