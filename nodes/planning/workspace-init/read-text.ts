import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject } from '@/harness/contract/json';

/** Lines of a file without the numbers that the tool puts before them; `null` when it cannot be read. */
export async function fileContent(context: Pick<ExecuteContext, 'tool'>, path: string, limit: number): Promise<string | null> {
  const outcome = await context.tool('read_file', { path, limit });
  if (outcome.status !== 'ok' || !isJsonObject(outcome.output) || typeof outcome.output.content !== 'string') return null;
  return outcome.output.content
    .split('\n')
    .map((line) => line.replace(/^\d+: ?/, ''))
    .join('\n');
}
