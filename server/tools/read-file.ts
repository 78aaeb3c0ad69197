import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import { defineTool } from './define-tool';
import { openInside, requireWorkspace } from './workspace-root';

/** Bytes of the largest file that is read, and characters of the longest answer. */
const maxBytes = 20_000_000;
const maxCharacters = 100_000;
const maxLineCharacters = 2000;

export const readFileTool = defineTool({
  name: 'read_file',
  title: 'Read file',
  description: 'Reads lines of a text file in the workspace. Each line is shown with its number as "12: text"; cite it as path:12.',
  effect: 'read',
  ceiling: 'MEDIUM',
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe('File, relative to the workspace.'),
    offset: z.int().min(1).default(1).describe('First line to show, from 1.'),
    limit: z.int().min(1).max(5000).default(400).describe('How many lines to show.'),
  }),
  output: z.object({
    path: z.string(),
    content: z.string(),
    firstLine: z.int(),
    lastLine: z.int(),
    totalLines: z.int(),
    truncated: z.boolean(),
  }),
  async run({ path, offset, limit }, context) {
    const { handle, stats, place } = await openInside(requireWorkspace(context.workspace), path);
    try {
      if (stats.size > maxBytes) {
        throw userError(
          'TOOL_FILE_TOO_LARGE',
          `"${place.name}" has ${stats.size} bytes; at most ${maxBytes} are read. Use grep_files to find the part you need.`,
        );
      }
      const bytes = await handle.readFile({ signal: context.signal });
      // A NUL byte near the start is how git tells binary files too.
      if (bytes.subarray(0, 8000).includes(0)) throw userError('TOOL_BINARY_FILE', `"${place.name}" is a binary file.`);
      const lines = bytes
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .split(/\r\n|\n|\r/);
      if (lines.at(-1) === '') lines.pop();
      if (offset > Math.max(1, lines.length)) {
        throw userError('TOOL_INPUT', `"${place.name}" has ${lines.length} lines; offset ${offset} is beyond its end.`);
      }
      const shown: string[] = [];
      let characters = 0;
      for (let number = offset; number < offset + limit && number <= lines.length; number += 1) {
        const text = lines[number - 1] ?? '';
        const row = `${number}: ${text.length > maxLineCharacters ? `${text.slice(0, maxLineCharacters)}… (line cut)` : text}`;
        characters += row.length + 1;
        if (characters > maxCharacters && shown.length > 0) break;
        shown.push(row);
      }
      const lastLine = offset + shown.length - 1;
      return {
        path: place.name,
        content: shown.join('\n'),
        firstLine: offset,
        lastLine,
        totalLines: lines.length,
        truncated: lastLine < lines.length,
      };
    } finally {
      await handle.close();
    }
  },
});
