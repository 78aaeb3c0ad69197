import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ignore from 'ignore';
import { userError } from '@/harness/contract/errors';
import { isInside } from '../tools/workspace-root';
import { outputFolder } from './changed-paths';
import { listFiles } from './list-files';

export interface CopyLimits {
  maxFiles: number;
  maxBytes: number;
  /** A larger file is left out. */
  maxFileBytes: number;
  /** A larger file that the folder's own .gitignore names is left out. */
  maxIgnoredBytes: number;
}

export const copyLimits: CopyLimits = { maxFiles: 20_000, maxBytes: 500_000_000, maxFileBytes: 50_000_000, maxIgnoredBytes: 1_000_000 };

/** What was left out of a copy, and why. */
export interface Skipped {
  path: string;
  reason: string;
}

const atOnce = 16;

/**
 * Copies a folder without what tools make (`node_modules`, `.git`, caches). No link is followed: one that stays inside is made again, any other
 * is left out. Throws `WORKSPACE_TOO_LARGE` before anything is copied when the folder has too many files, and when it has too many bytes.
 */
export async function copyTree(from: string, to: string, options: { limits: CopyLimits; signal?: AbortSignal }): Promise<Skipped[]> {
  const { limits, signal } = options;
  const { files, truncated } = await listFiles(from, { max: limits.maxFiles, signal, except: outputFolder });
  if (truncated) throw tooLarge(`more than ${limits.maxFiles} files`);
  const ignored = ignore().add((await readFile(join(from, '.gitignore'), 'utf8').catch(() => '')) ?? '');
  const skipped: Skipped[] = [];
  let bytes = 0;

  const copyOne = async (path: string): Promise<void> => {
    const source = join(from, path);
    const target = join(to, path);
    const stats = await lstat(source);
    if (stats.isSymbolicLink()) {
      const way = await readlink(source);
      if (way.startsWith('/') || !isInside(from, join(dirname(source), way))) {
        skipped.push({ path, reason: 'a link that leads out' });
        return;
      }
      await mkdir(dirname(target), { recursive: true });
      await symlink(way, target);
      return;
    }
    if (!stats.isFile()) skipped.push({ path, reason: 'no regular file' });
    else if (stats.size > limits.maxFileBytes) skipped.push({ path, reason: `${stats.size} bytes` });
    else if (stats.size > limits.maxIgnoredBytes && ignored.ignores(path))
      skipped.push({ path, reason: `ignored by git, ${stats.size} bytes` });
    else {
      bytes += stats.size;
      if (bytes > limits.maxBytes) throw tooLarge(`more than ${limits.maxBytes} bytes`);
      await mkdir(dirname(target), { recursive: true });
      // On file systems that can, both share their blocks until one of them is written.
      await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    }
  };

  await mkdir(to, { recursive: true });
  for (let at = 0; at < files.length; at += atOnce) {
    signal?.throwIfAborted();
    await Promise.all(
      files.slice(at, at + atOnce).map(({ path }) =>
        copyOne(path).catch((error: unknown) => {
          const code = error instanceof Error && 'code' in error ? String(error.code) : '';
          if (!['EACCES', 'EPERM', 'ENOENT', 'ELOOP'].includes(code)) throw error;
          skipped.push({ path, reason: `cannot be read (${code})` });
        }),
      ),
    );
  }
  return skipped.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const tooLarge = (what: string) =>
  userError('WORKSPACE_TOO_LARGE', `The folder has ${what}, too many for a copy of the run's own. Choose a smaller folder.`);
