import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import { lineEnding, maxFileBytes, textOfBytes, withLineEnding } from '../workspace/text-file';
import { unifiedDiff } from '../workspace/unified-diff';
import { oneAtATime, resolveForWrite, writeInside } from '../workspace/write-inside';
import { defineTool } from './define-tool';
import { requireWorkspace } from './workspace-root';

export const createFile = defineTool({
  name: 'create_file',
  title: 'Create file',
  description:
    'Creates a text file in the workspace, with its folders. Refuses to overwrite a file unless overwrite is true; use edit_file to change a part of one.',
  effect: 'write',
  ceiling: 'HIGH',
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe('File, relative to the workspace.'),
    content: z.string().max(2_000_000).describe('The whole text of the file.'),
    overwrite: z.boolean().default(false).describe('Replace a file that is there.'),
  }),
  output: z.object({ path: z.string(), created: z.boolean(), bytes: z.int(), paths: z.array(z.string()), diff: z.string() }),
  async run({ path, content, overwrite }, context) {
    const workspace = requireWorkspace(context.workspace);
    if (content.includes('\0')) throw userError('TOOL_BINARY_FILE', 'The content holds a NUL character. Only text files are written.');
    const { absolute } = await resolveForWrite(workspace, path);
    return oneAtATime(absolute, async () => {
      context.signal.throwIfAborted();
      const place = await resolveForWrite(workspace, path);
      if (place.stats === null) {
        const bytes = Buffer.from(content);
        await writeInside(workspace, place, bytes);
        return { path: place.name, created: true, bytes: bytes.length, paths: [place.name], diff: unifiedDiff(place.name, null, content) };
      }
      if (!overwrite) {
        throw userError('TOOL_FILE_EXISTS', `"${place.name}" exists already. Use edit_file to change it, or overwrite to replace it.`);
      }
      const old = place.stats.size > maxFileBytes ? null : textOfBytes(await readFile(place.absolute));
      if (old === null) throw userError('TOOL_BINARY_FILE', `"${place.name}" is no UTF-8 text and is not overwritten.`);
      // A model writes LF; a file of Windows lines would otherwise change in every line.
      const text = content.includes('\r') ? content : withLineEnding(content, lineEnding(old));
      const bytes = Buffer.from(old.startsWith('\uFEFF') && !text.startsWith('\uFEFF') ? `\uFEFF${text}` : text);
      const changed = bytes.toString('utf8') !== old;
      if (changed) await writeInside(workspace, place, bytes);
      return {
        path: place.name,
        created: false,
        bytes: bytes.length,
        paths: changed ? [place.name] : [],
        diff: unifiedDiff(place.name, old, bytes.toString('utf8')),
      };
    });
  },
});
