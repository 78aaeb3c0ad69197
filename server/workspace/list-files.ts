import { type Dirent, existsSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that hold what tools make again by themselves; no place for a person's work. */
const madeFolders: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.venv',
  '.tox',
  '.gradle',
  '.next',
  '.turbo',
]);

/** Names that a person's folder may have too; such a folder is made when it says so itself. */
const ambiguous: Readonly<Record<string, string>> = { target: 'CACHEDIR.TAG', venv: 'pyvenv.cfg', env: 'pyvenv.cfg' };

const isMade = (place: string, name: string): boolean => {
  const sign = Object.hasOwn(ambiguous, name) ? ambiguous[name] : undefined;
  return madeFolders.has(name) || (sign !== undefined && existsSync(join(place, sign)));
};

export interface ListedFile {
  /** Relative to the folder, with `/` between parts. */
  path: string;
  entry: Dirent;
}

export interface ListOptions {
  max: number;
  signal?: AbortSignal | undefined;
  /** A folder that is not looked into, by its path, besides what tools make. */
  except?: string;
}

/** Walks a folder by name, follows no link, and gives everything that is no folder. `truncated` when there was more than `max`. */
export async function listFiles(folder: string, options: ListOptions): Promise<{ files: ListedFile[]; truncated: boolean }> {
  const files: ListedFile[] = [];
  const waiting: string[] = [''];
  for (let base = waiting.shift(); base !== undefined; base = waiting.shift()) {
    options.signal?.throwIfAborted();
    for (const entry of await entriesOf(join(folder, base), options.max)) {
      const path = base === '' ? entry.name : `${base}/${entry.name}`;
      if (entry.isDirectory()) {
        if (path !== options.except && !isMade(join(folder, path), entry.name)) waiting.push(path);
        continue;
      }
      // A worktree has a file of this name.
      if (entry.name === '.git') continue;
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
