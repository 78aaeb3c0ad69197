import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that hold what tools make again by themselves; no place for a person's work. */
export const madeFolders: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.venv',
  'venv',
  '.tox',
  'target',
  '.gradle',
  '.next',
  '.turbo',
]);

export interface ListedFile {
  /** Relative to the folder, with `/` between parts. */
  path: string;
  entry: Dirent;
}

export interface ListOptions {
  max: number;
  signal?: AbortSignal | undefined;
  /** Whether to look into a folder, by its path. Default: all but `madeFolders`. */
  enter?: (path: string, name: string) => boolean;
}

/** Walks a folder by name, follows no link, and gives everything that is no folder. `truncated` when there was more than `max`. */
export async function listFiles(folder: string, options: ListOptions): Promise<{ files: ListedFile[]; truncated: boolean }> {
  const enter = options.enter ?? ((_path: string, name: string) => !madeFolders.has(name));
  const files: ListedFile[] = [];
  const waiting: string[] = [''];
  for (let base = waiting.shift(); base !== undefined; base = waiting.shift()) {
    options.signal?.throwIfAborted();
    for (const entry of await entriesOf(join(folder, base), options.max)) {
      const path = base === '' ? entry.name : `${base}/${entry.name}`;
      if (entry.isDirectory()) {
        if (enter(path, entry.name)) waiting.push(path);
        continue;
      }
      if (files.length >= options.max) return { files, truncated: true };
      files.push({ path, entry });
    }
  }
  return { files, truncated: false };
}

/** One folder's entries by name. One that cannot be read, or has just gone, is empty. */
async function entriesOf(folder: string, max: number): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    // Not `readdir`: a folder of a million files would be read whole before anything is counted.
    for await (const entry of await opendir(folder)) {
      entries.push(entry);
      if (entries.length > max) break;
    }
  } catch {
    return entries;
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
