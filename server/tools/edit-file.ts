import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import { findAll, nearestLines } from '../workspace/find-text';
import { lineEnding, maxFileBytes, requireText, withLineEnding } from '../workspace/text-file';
import { unifiedDiff } from '../workspace/unified-diff';
import { oneAtATime, resolveForWrite, writeInside } from '../workspace/write-inside';
import { defineTool } from './define-tool';
import { openInside, requireWorkspace } from './workspace-root';

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces one piece of text in a file of the workspace. "find" must stand in the file exactly once, white space included, without line numbers.',
  effect: 'write',
  ceiling: 'HIGH',
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe('File, relative to the workspace.'),
    find: z.string().min(1).max(200_000).describe('The text to replace, exactly as it stands in the file.'),
    replace: z.string().max(2_000_000).describe('What comes in its place. Empty removes it.'),
  }),
  output: z.object({ path: z.string(), line: z.int(), paths: z.array(z.string()), diff: z.string() }),
  async run({ path, find, replace }, context) {
    const workspace = requireWorkspace(context.workspace);
    if (replace.includes('\0')) throw userError('TOOL_BINARY_FILE', 'The replacement holds a NUL character. Only text files are changed.');
    const { absolute } = await resolveForWrite(workspace, path);
    return oneAtATime(absolute, async () => {
      context.signal.throwIfAborted();
      const place = await resolveForWrite(workspace, path);
      if (place.stats === null) {
        throw userError('TOOL_PATH_MISSING', `"${place.name}" does not exist in the run's folder. Use create_file to make it.`);
      }
      if (place.stats.size > maxFileBytes) throw userError('TOOL_FILE_TOO_LARGE', `"${place.name}" is too large to be edited.`);
      const text = requireText(await readOpened(workspace, place.name), place.name);
      const edit = locate(text, find, replace, place.name);
      const changed = text.slice(0, edit.at) + edit.replace + text.slice(edit.at + edit.find.length);
      if (changed === text) throw userError('TOOL_EDIT_NOTHING', 'The replacement is the same as the text; nothing would change.');
      await writeInside(workspace, place, Buffer.from(changed));
      return { path: place.name, line: edit.line, paths: [place.name], diff: unifiedDiff(place.name, text, changed) };
    });
  },
});

async function readOpened(workspace: string, name: string): Promise<Buffer> {
  const { handle } = await openInside(workspace, name);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The one place of `find`, and both texts with the line endings of the file. */
function locate(text: string, find: string, replace: string, name: string): { at: number; line: number; find: string; replace: string } {
  const ending = lineEnding(text);
  let sought = find;
  let found = findAll(text, sought);
  if (found.length === 0 && text.includes('\r\n')) {
    // The model saw lines without their `\r`.
    sought = withLineEnding(find, '\r\n');
    found = findAll(text, sought);
  }
  const [first, second] = found;
  if (first === undefined) {
    throw userError('TOOL_EDIT_NOT_FOUND', `The text to replace is not in "${name}". ${nearestLines(text, find)}`);
  }
  if (second !== undefined) {
    const lines = found.slice(0, 20).map(({ line }) => line);
    throw userError(
      'TOOL_EDIT_NOT_UNIQUE',
      `The text to replace stands in "${name}" ${found.length} times, at lines ${lines.join(', ')}. Give more of the text around it.`,
      { lines },
    );
  }
  return { ...first, find: sought, replace: replace.includes('\r') ? replace : withLineEnding(replace, ending) };
}
