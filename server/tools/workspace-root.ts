import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { userError } from '@/harness/contract/errors';

/** A place inside the workspace: where it is on disk, and how it is named to the model (`/` between parts, `.` for the root). */
export interface Place {
  absolute: string;
  name: string;
}

export function requireWorkspace(workspace: string | null): string {
  if (workspace === null) {
    throw userError('TOOL_NO_WORKSPACE', 'This run has no folder to work in. Choose a folder beside the message or in the run dialog.');
  }
  return workspace;
}

/** By their texts alone: nothing is looked up on disk. */
export const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
};

export const outside = (path: string): Error =>
  userError('TOOL_PATH_OUTSIDE', `"${path}" is outside the run's folder. Paths are relative to it, and links that lead out are refused.`);

const missing = (path: string): Error => userError('TOOL_PATH_MISSING', `"${path}" does not exist in the run's folder.`);

export const errorCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/**
 * The one way from a path a model wrote to a path on disk: relative to the root (or absolute inside it), every symlink resolved, and still
 * inside. Throws `TOOL_PATH_OUTSIDE`, `TOOL_PATH_MISSING` or `TOOL_INPUT`.
 */
export async function resolveInside(workspace: string, path: string): Promise<Place> {
  if (path.includes('\0')) throw userError('TOOL_INPUT', 'A path cannot hold a NUL character.');
  const root = await realpath(workspace).catch(() => {
    throw userError('TOOL_NO_WORKSPACE', "The run's folder does not exist any more.");
  });
  const wanted = resolve(root, path === '' ? '.' : path);
  // Before touching the disk, so that a refusal tells nothing about what is out there.
  if (!isInside(root, wanted) && !isInside(resolve(workspace), wanted)) throw outside(path);
  const absolute = await realpath(wanted).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') throw missing(path);
    throw userError('TOOL_PATH_REFUSED', `"${path}" cannot be read (${code ?? 'unknown fault'}).`);
  });
  if (!isInside(root, absolute)) throw outside(path);
  return { absolute, name: relative(root, absolute).split(sep).join('/') || '.' };
}

/** Opens a regular file and nothing else: never waits at a pipe, never reads a device, and fails when the place was swapped meanwhile. */
export async function openInside(workspace: string, path: string): Promise<{ handle: FileHandle; stats: Stats; place: Place }> {
  const place = await resolveInside(workspace, path);
  const kind = await lstat(place.absolute);
  if (kind.isDirectory()) throw userError('TOOL_NOT_A_FILE', `"${place.name}" is a folder. Use list_directory for it.`);
  if (!kind.isFile()) throw userError('TOOL_NOT_A_FILE', `"${place.name}" is not a regular file.`);
  const handle = await open(place.absolute, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0)).catch(
    (error: unknown) => {
      throw userError('TOOL_PATH_REFUSED', `"${place.name}" cannot be read (${errorCode(error) ?? 'unknown fault'}).`);
    },
  );
  const stats = await handle.stat();
  if (!stats.isFile() || stats.ino !== kind.ino || stats.dev !== kind.dev) {
    await handle.close();
    throw userError('TOOL_NOT_A_FILE', `"${place.name}" changed while it was opened.`);
  }
  return { handle, stats, place };
}
