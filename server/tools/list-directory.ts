import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import { defineTool } from './define-tool';
import { errorCode, requireWorkspace, resolveInside } from './workspace-root';

export const maxEntries = 1000;

export const kindOf = (entry: Dirent): 'file' | 'directory' | 'link' | 'other' =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'other';

/** Folders first, then by name, by code point: the same order on every machine. */
export const byKindAndName = (a: Dirent, b: Dirent): number =>
  Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

export async function readFolder(absolute: string, name: string): Promise<Dirent[]> {
  return readdir(absolute, { withFileTypes: true }).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ENOTDIR') throw userError('TOOL_NOT_A_FOLDER', `"${name}" is not a folder. Use read_file for a file.`);
    throw userError('TOOL_PATH_REFUSED', `"${name}" cannot be listed (${code ?? 'unknown fault'}).`);
  });
}

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List directory',
  description: 'Lists what is directly in a folder of the workspace, folders first.',
  effect: 'read',
  ceiling: 'LOW',
  input: z.strictObject({
    path: z.string().max(4096).default('.').describe('Folder, relative to the workspace. "." is the workspace itself.'),
  }),
  output: z.object({
    path: z.string(),
    entries: z.array(z.object({ name: z.string(), kind: z.enum(['file', 'directory', 'link', 'other']), bytes: z.int().optional() })),
    truncated: z.boolean(),
  }),
  async run({ path }, context) {
    const place = await resolveInside(requireWorkspace(context.workspace), path);
    const found = (await readFolder(place.absolute, place.name)).sort(byKindAndName);
    const shown = found.slice(0, maxEntries);
    const entries = await Promise.all(
      shown.map(async (entry) => {
        const kind = kindOf(entry);
        if (kind !== 'file') return { name: entry.name, kind };
        const bytes = await stat(join(place.absolute, entry.name)).then(
          (stats) => stats.size,
          () => undefined,
        );
        return { name: entry.name, kind, ...(bytes === undefined ? {} : { bytes }) };
      }),
    );
    return { path: place.name, entries, truncated: found.length > shown.length };
  },
});
