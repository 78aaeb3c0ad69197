import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject, type Json } from '@/harness/contract/json';
import type { ReadBack } from '@/harness/planning/execution/artefact-store';

const linesAtOnce = 5000;
/** A file beyond this is larger than any budget; what is over is not read. */
const mostPages = 20;

type ToolContext = Pick<ExecuteContext, 'tool' | 'tools'>;

/** The tool shows each line as `12: text`. */
const withoutNumbers = (content: string): string =>
  content
    .split('\n')
    .map((line) => line.replace(/^\d+: /, ''))
    .join('\n');

function pageOf(output: Json): { text: string; next: number | null } | null {
  if (typeof output === 'string') return { text: output, next: null };
  if (!isJsonObject(output) || typeof output.content !== 'string') return null;
  const numbered = typeof output.firstLine === 'number';
  const next = output.truncated === true && typeof output.lastLine === 'number' ? output.lastLine + 1 : null;
  return { text: numbered ? withoutNumbers(output.content) : output.content, next };
}

/** A file as it is on disk; `null` when it cannot be read, for a model cannot use it then either. */
export async function readWhole(context: ToolContext, path: string): Promise<string | null> {
  const pages: string[] = [];
  let offset = 1;
  for (let page = 0; page < mostPages; page += 1) {
    const outcome = await context.tool('read_file', { path, offset, limit: linesAtOnce });
    const read = outcome.status === 'ok' ? pageOf(outcome.output) : null;
    if (read === null) return null;
    pages.push(read.text);
    if (read.next === null) break;
    offset = read.next;
  }
  return pages.join('\n');
}

export const canUse = (context: Pick<ExecuteContext, 'tools'>, name: string): boolean => context.tools().some((tool) => tool.name === name);

/** Files re-read after a step (planning.md §13). Without the tool nothing is read. */
export async function readBack(context: ToolContext, paths: readonly string[]): Promise<ReadBack[]> {
  if (!canUse(context, 'read_file')) return [];
  const files: ReadBack[] = [];
  for (const path of paths) files.push({ path, content: await readWhole(context, path) });
  return files;
}
