import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from './list-files';

/** Where the full output of commands is kept; what lands there is no change of the run's work. */
export const outputFolder = '.bridle/tool_output';

const maxFiles = 20_000;
const maxPaths = 200;
const atOnce = 64;

/** Size and times of the files of a folder at one moment. */
export interface Listing {
  files: ReadonlyMap<string, string>;
  /** Some files were left out; what is said of changes is then not complete. */
  truncated: boolean;
}

/** Looks at every file without reading it. Folders that tools fill themselves (`node_modules`, caches, `.git`) are left out. */
export async function listingOf(folder: string, signal?: AbortSignal): Promise<Listing> {
  const { files, truncated } = await listFiles(folder, { max: maxFiles, signal, except: outputFolder });
  const known = new Map<string, string>();
  for (let from = 0; from < files.length; from += atOnce) {
    await Promise.all(
      files.slice(from, from + atOnce).map(async ({ path }) => {
        const stats = await lstat(join(folder, path)).catch(() => null);
        // The time of the last change of state too: a write that keeps the size and sets the time back is seen.
        if (stats !== null) known.set(path, `${stats.ino}:${stats.size}:${stats.mode}:${stats.mtimeMs}:${stats.ctimeMs}`);
      }),
    );
  }
  return { files: known, truncated };
}

/** The files that differ between two listings, sorted; at most `max`. `complete` is false when there may be more. */
export function changedPaths(before: Listing, after: Listing, max = maxPaths): { paths: string[]; complete: boolean } {
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])]
    .filter((path) => before.files.get(path) !== after.files.get(path))
    .sort();
  return { paths: paths.slice(0, max), complete: paths.length <= max && !before.truncated && !after.truncated };
}
