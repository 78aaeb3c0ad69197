import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { z } from 'zod';
import { defineTool } from './define-tool';
import { byKindAndName, readFolder } from './list-directory';
import { requireWorkspace, resolveInside } from './workspace-root';

const maxLines = 2000;

interface Rules {
  /** Folder the rules stand in, relative to the root, with a final slash; empty for the root. */
  base: string;
  rules: Ignore;
}

async function rulesIn(absolute: string, base: string): Promise<Rules | null> {
  const text = await readFile(join(absolute, '.gitignore'), 'utf8').catch(() => null);
  return text === null ? null : { base, rules: ignore().add(text) };
}

/** As git does: a deeper file decides over a shallower one. */
function isIgnored(all: readonly Rules[], path: string): boolean {
  let ignored = false;
  for (const { base, rules } of all) {
    const verdict = rules.test(path.slice(base.length));
    if (verdict.ignored) ignored = true;
    else if (verdict.unignored) ignored = false;
  }
  return ignored;
}

export const directoryTree = defineTool({
  name: 'directory_tree',
  title: 'Directory tree',
  description:
    'Shows the folders and files below a folder of the workspace as an indented tree. Hidden and git-ignored entries are left out.',
  effect: 'read',
  ceiling: 'LOW',
  input: z.strictObject({
    path: z.string().max(4096).default('.').describe('Folder to start from, relative to the workspace.'),
    depth: z.int().min(1).max(12).default(4).describe('How many levels to show.'),
  }),
  output: z.object({ path: z.string(), tree: z.string(), files: z.int(), directories: z.int(), truncated: z.boolean() }),
  async run({ path, depth }, context) {
    const place = await resolveInside(requireWorkspace(context.workspace), path);
    const lines: string[] = [];
    const count = { files: 0, directories: 0, truncated: false };

    async function walk(absolute: string, base: string, outer: readonly Rules[]): Promise<void> {
      context.signal.throwIfAborted();
      const own = await rulesIn(absolute, base);
      const rules = own === null ? outer : [...outer, own];
      const level = base === '' ? 0 : base.split('/').length - 1;
      for (const entry of (await readFolder(absolute, base || place.name)).sort(byKindAndName)) {
        const name = `${base}${entry.name}`;
        const folder = entry.isDirectory();
        if (entry.name.startsWith('.') || isIgnored(rules, folder ? `${name}/` : name)) continue;
        if (lines.length >= maxLines) {
          count.truncated = true;
          return;
        }
        lines.push(`${'  '.repeat(level)}${entry.name}${folder ? '/' : ''}`);
        if (!folder) {
          count.files += 1;
          continue;
        }
        count.directories += 1;
        if (level + 1 < depth) await walk(join(absolute, entry.name), `${name}/`, rules);
        else count.truncated = true;
      }
    }

    await walk(place.absolute, '', []);
    return { path: place.name, tree: lines.join('\n'), ...count };
  },
});
