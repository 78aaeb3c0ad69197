import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { operationalError, userError } from '@/harness/contract/errors';
import { errorCode, isInside, outside, type Place, resolveInside } from '../tools/workspace-root';

/** A place for a file that may be there already. */
export interface WritePlace extends Place {
  /** What is there now; `null` for nothing. */
  stats: Stats | null;
  /** Permissions it shall have; absent = those that it has. */
  mode?: number;
}

const maxPart = 255;

/**
 * The one way from a path a model wrote to a place that may be written: inside the root with every link of its folders resolved, itself no
 * link, no folder and nothing of git's. Throws `TOOL_PATH_OUTSIDE`, `TOOL_PATH_LINK`, `TOOL_PATH_REFUSED`, `TOOL_NOT_A_FILE` or `TOOL_INPUT`.
 */
export async function resolveForWrite(workspace: string, path: string): Promise<WritePlace> {
  if (path.trim() === '' || path.endsWith('/') || path.includes('\0')) throw userError('TOOL_INPUT', `"${path}" names no file.`);
  const root = (await resolveInside(workspace, '.')).absolute;
  const folder = await existingFolder(workspace, root, path);
  const absolute = join(folder.absolute, ...folder.rest);
  const name = relative(root, absolute).split(sep).join('/');
  if (folder.rest.some((part) => Buffer.byteLength(part) > maxPart)) throw userError('TOOL_INPUT', `A part of "${path}" is too long.`);
  // Hooks and settings in there are programs that run later, without anybody looking.
  if (name.split('/').some((part) => part.toLowerCase() === '.git')) {
    throw userError('TOOL_PATH_REFUSED', `"${name}" belongs to git and is not written. Use git itself.`);
  }
  const stats = await lstat(absolute).catch(() => null);
  if (stats?.isSymbolicLink() === true) throw userError('TOOL_PATH_LINK', `"${name}" is a link. Write to the file that it leads to.`);
  if (stats?.isDirectory() === true) throw userError('TOOL_NOT_A_FILE', `"${name}" is a folder.`);
  if (stats !== null && !stats.isFile()) throw userError('TOOL_NOT_A_FILE', `"${name}" is not a regular file.`);
  return { absolute, name, stats };
}

/** The deepest folder on the way that exists, resolved and checked, and the names from there on; the last one is the file's. */
async function existingFolder(workspace: string, root: string, path: string): Promise<{ absolute: string; rest: string[] }> {
  // Absolute paths may be written with the root's own name or with its resolved one.
  const unresolved = resolve(workspace);
  const within = isAbsolute(path) && (path === unresolved || path.startsWith(`${unresolved}${sep}`)) ? relative(unresolved, path) : path;
  const wanted = resolve(root, within);
  if (!isInside(root, wanted)) throw outside(path);
  if (wanted === root) throw userError('TOOL_NOT_A_FILE', `"${path}" is the run's folder itself.`);
  const rest = [basename(wanted)];
  for (let at = dirname(wanted); ; at = dirname(at)) {
    try {
      const { absolute, name } = await resolveInside(workspace, at);
      if (!(await lstat(absolute)).isDirectory()) throw userError('TOOL_NOT_A_FOLDER', `"${name}" is a file, so nothing can be in it.`);
      return { absolute, rest };
    } catch (error) {
      if (errorCode(error) === 'TOOL_PATH_OUTSIDE') throw outside(path);
      // A folder that is yet to be made. A link to nothing is no such folder: it would decide where the file goes.
      if (errorCode(error) !== 'TOOL_PATH_MISSING' || at === root) throw error;
      const entry = await lstat(at).catch(() => null);
      if (entry !== null) throw userError('TOOL_PATH_LINK', `"${path}" leads over a link to nothing, or over a file.`);
      rest.unshift(basename(at));
    }
  }
}

/**
 * Puts a file in place at once: no reader sees half of it, and a crash leaves the old or the new one. Folders on the way are made; the mode of a
 * file that is there is kept. Throws `TOOL_FILE_CHANGED` when something else stands there by now than `place` saw.
 */
export async function writeInside(workspace: string, place: WritePlace, bytes: Uint8Array): Promise<void> {
  const folder = dirname(place.absolute);
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw operationalError('TOOL_FAILED', `The folder of "${place.name}" cannot be made (${errorCode(error) ?? 'unknown fault'}).`);
  });
  // A folder may have been swapped for a link since the path was resolved.
  if ((await realpath(folder)) !== folder) throw userError('TOOL_PATH_REFUSED', `The folder of "${place.name}" changed meanwhile.`);
  await resolveInside(workspace, folder);
  const temporary = join(folder, `.${randomUUID()}.bridle-tmp`);
  const kept = place.mode ?? (place.stats === null ? undefined : place.stats.mode & 0o777);
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    const handle = await open(temporary, flags, kept ?? 0o666);
    try {
      await handle.writeFile(bytes);
      // What `open` was given is cut by the umask; a script must stay runnable.
      if (kept !== undefined) await handle.chmod(kept);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const now = await lstat(place.absolute).catch(() => null);
    if (!sameFile(place.stats, now)) {
      throw operationalError('TOOL_FILE_CHANGED', `"${place.name}" was changed by something else meanwhile. Read it again.`);
    }
    await rename(temporary, place.absolute);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    const code = errorCode(error);
    if (code !== null && /^E[A-Z]+$/.test(code)) throw operationalError('TOOL_FAILED', `"${place.name}" cannot be written (${code}).`);
    throw error;
  }
}

const sameFile = (before: Stats | null, now: Stats | null): boolean =>
  before === null || now === null
    ? before === now
    : before.ino === now.ino && before.size === now.size && before.mtimeMs === now.mtimeMs && !now.isSymbolicLink();

const queues = new Map<string, Promise<unknown>>();

/** Runs one change of a place after the other: two steps that edit one file at the same time must not lose an edit. */
export async function oneAtATime<T>(place: string, change: () => Promise<T>): Promise<T> {
  const before = queues.get(place) ?? Promise.resolve();
  const mine = before.then(change, change);
  const settled = mine.catch(() => undefined);
  queues.set(place, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(place) === settled) queues.delete(place);
  }
}
