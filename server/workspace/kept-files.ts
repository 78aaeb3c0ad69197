import { lstat, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileKeep, KeptFiles } from '@/harness/contract/tool';
import { outputFolder } from './changed-paths';
import { listFiles } from './list-files';
import { hashOf } from './text-file';
import { resolveForWrite, writeInside } from './write-inside';

const maxFiles = 20_000;
/** A larger file is compared by its size and times, and cannot be put back. */
const maxKeptBytes = 5_000_000;

interface Kept {
  digest: string;
  mode: number;
  bytes: Buffer | null;
}

interface Request {
  workspace: string;
  keep: readonly FileKeep[];
  signal: AbortSignal;
  onKept: (index: number, files: KeptFiles) => void;
}

/**
 * Does some work and puts back what it changed of the files to be kept, also when it fails: a command, a formatter or a rename is no way around
 * a guard of files (planning.md P6). Links are not followed; a file that a link has replaced counts as changed.
 */
export async function withKeptFiles<T>({ workspace, keep, signal, onKept }: Request, work: () => Promise<T>): Promise<T> {
  const root = await realpath(workspace);
  const patterns = keep.map(({ pattern }) => new RegExp(pattern));
  const before = await Promise.all(patterns.map((pattern) => matching(root, pattern, signal)));
  try {
    return await work();
  } finally {
    // Not with the signal: what was changed must be put back when the run is cancelled, too.
    for (const [index, pattern] of patterns.entries()) {
      const [known, own] = [before[index] ?? new Map<string, Kept>(), new Set(keep[index]?.except ?? [])];
      const after = await matching(root, pattern);
      const restored: string[] = [];
      for (const [path, file] of known) {
        if (own.has(path) || after.get(path)?.digest === file.digest || file.bytes === null) continue;
        if (await putBack(root, path, file)) restored.push(path);
      }
      onKept(index, { before: digests(known), after: digests(after), restored });
    }
  }
}

const digests = (files: ReadonlyMap<string, Kept>): Record<string, string> =>
  Object.fromEntries([...files].map(([path, { digest }]) => [path, digest]));

async function matching(root: string, pattern: RegExp, signal?: AbortSignal): Promise<Map<string, Kept>> {
  const { files } = await listFiles(root, { max: maxFiles, signal, except: outputFolder });
  const found = new Map<string, Kept>();
  for (const { path, entry } of files) {
    if (!entry.isFile() || !pattern.test(path)) continue;
    const stats = await lstat(join(root, path)).catch(() => null);
    if (stats === null || !stats.isFile()) continue;
    const bytes = stats.size > maxKeptBytes ? null : await readFile(join(root, path)).catch(() => null);
    const digest = bytes === null ? `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}` : hashOf(bytes);
    found.set(path, { digest, mode: stats.mode & 0o777, bytes });
  }
  return found;
}

async function putBack(root: string, path: string, { bytes, mode }: Kept): Promise<boolean> {
  try {
    const now = await lstat(join(root, path)).catch(() => null);
    // A link or a folder that took its place goes; nothing that it leads to is touched.
    if (now !== null && !now.isFile()) await rm(join(root, path), { recursive: true });
    await writeInside(root, { ...(await resolveForWrite(root, path)), mode }, bytes ?? Buffer.alloc(0));
    return true;
  } catch {
    return false;
  }
}
