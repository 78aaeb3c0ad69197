import { lstat, readdir, readFile, readlink, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toErrorRecord, userError } from '@/harness/contract/errors';
import { changedPaths, listingOf } from './changed-paths';
import type { RunFolder } from './run-folder';
import { hashOf, maxFileBytes, textOfBytes } from './text-file';
import { unifiedDiff } from './unified-diff';
import { oneAtATime, resolveForWrite, writeInside } from './write-inside';

export interface FileChange {
  path: string;
  kind: 'added' | 'changed' | 'removed';
  /** Empty for a file that is no text, a link, or too large. */
  diff: string;
  /** What stands there now, as it was seen; `null` for a file that is gone. */
  hash: string | null;
}

/** A change that a person has seen: the path, and what stood there then. */
export type SeenChange = Pick<FileChange, 'path' | 'hash'>;

export interface FolderChanges {
  changes: FileChange[];
  /** False when the folder has more files than are looked at, or more changes than are listed. */
  complete: boolean;
}

const maxChanges = 2000;

/** The content of a place as it is compared: a link is its target. */
interface Content {
  hash: string;
  bytes: Buffer | null;
  mode: number;
}

async function contentOf(place: string): Promise<Content | null> {
  const stats = await lstat(place).catch(() => null);
  if (stats === null || stats.isDirectory()) return null;
  const mode = stats.mode & 0o777;
  if (stats.isSymbolicLink()) return { hash: hashOf(`link ${await readlink(place)}`), bytes: null, mode };
  if (!stats.isFile()) return { hash: hashOf('no file'), bytes: null, mode };
  const bytes = await readFile(place);
  return { hash: hashOf(bytes), bytes, mode };
}

const textOf = (content: Content | null): string | null | undefined => {
  if (content === null) return null;
  const text = content.bytes === null || content.bytes.length > maxFileBytes ? null : textOfBytes(content.bytes);
  return text ?? undefined;
};

/** What differs between the beginning and now, by content: a file that was written with the same text has not changed. */
export async function changesOf(folder: RunFolder, signal?: AbortSignal): Promise<FolderChanges> {
  const now = await listingOf(folder.work, signal);
  const { paths, complete } = changedPaths({ files: folder.listing, truncated: false }, now, maxChanges);
  const skipped = new Set(folder.skipped.map(({ path }) => path));
  const changes: FileChange[] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    if (skipped.has(path)) continue;
    // What the listing did not see stands behind a link, outside of the run's work.
    const there = now.files.has(path) ? contentOf(join(folder.work, path)) : null;
    const [before, after] = await Promise.all([contentOf(join(folder.before, path)), there]);
    if (before?.hash === after?.hash) continue;
    const [old, text] = [textOf(before), textOf(after)];
    changes.push({
      path,
      kind: before === null ? 'added' : after === null ? 'removed' : 'changed',
      diff: old === undefined || text === undefined ? '' : unifiedDiff(path, old, text),
      hash: after?.hash ?? null,
    });
  }
  return { changes, complete };
}

/** One text of all changes. */
export const diffOf = ({ changes }: FolderChanges): string =>
  changes.map(({ path, kind, diff }) => (diff === '' ? `${path}: ${kind}, no text\n` : diff)).join('');

export interface PutBack {
  done: string[];
  /** What was left as it is, and why. */
  refused: { path: string; reason: string }[];
}

/**
 * Puts files back to what they were at the beginning. `seen` are the changes a person looked at: a file that is another one by now is left alone,
 * so that work done meanwhile is not lost.
 */
export const undoChanges = (folder: RunFolder, seen: readonly SeenChange[]): Promise<PutBack> =>
  putEach(seen, async ({ path, hash }) => {
    if (((await contentOf(join(folder.work, path)))?.hash ?? null) !== hash) throw changedMeanwhile(path);
    await put(folder.work, path, await contentOf(join(folder.before, path)));
  });

/** Takes changes over into the folder that the person chose. A file there that is not what the run began with is left alone. */
export async function applyChanges(folder: RunFolder, seen: readonly SeenChange[]): Promise<PutBack> {
  if (folder.mode === 'folder')
    throw userError('WORKSPACE_IN_PLACE', 'The run worked in the folder itself; there is nothing to take over.');
  return putEach(seen, async ({ path, hash }) => {
    const [before, after, there] = await Promise.all(
      [folder.before, folder.work, folder.source].map((root) => contentOf(join(root, path))),
    );
    if ((after?.hash ?? null) !== hash) throw changedMeanwhile(path);
    // Taken over already, perhaps by a call that was cut off.
    if (there?.hash === after?.hash) return;
    if (there?.hash !== before?.hash) {
      throw userError('WORKSPACE_CONFLICT', `"${path}" was changed in the folder since the run began.`);
    }
    await put(folder.source, path, after ?? null);
  });
}

const changedMeanwhile = (path: string) => userError('TOOL_FILE_CHANGED', `"${path}" was changed since the diff was shown.`);

async function putEach(seen: readonly SeenChange[], work: (change: SeenChange) => Promise<void>): Promise<PutBack> {
  const result: PutBack = { done: [], refused: [] };
  for (const change of seen) {
    try {
      await work(change);
      result.done.push(change.path);
    } catch (error) {
      result.refused.push({ path: change.path, reason: toErrorRecord(error).message });
    }
  }
  return result;
}

/** Makes a place below a root hold this content, or nothing. */
async function put(root: string, path: string, content: Content | null): Promise<void> {
  const own = join(root, path);
  // A link that the run put there is removed as a link; what it leads to is not touched.
  if ((await lstat(own).catch(() => null))?.isSymbolicLink() === true) {
    await resolveForWrite(root, join(dirname(path), '.bridle-probe'));
    await rm(own);
  }
  const place = await resolveForWrite(root, path);
  await oneAtATime(place.absolute, async () => {
    if (content !== null) {
      if (content.bytes === null) throw userError('TOOL_PATH_LINK', `"${path}" was a link; it is not made again.`);
      await writeInside(root, { ...place, mode: content.mode }, content.bytes);
      return;
    }
    if (place.stats !== null) await rm(place.absolute);
    await removeEmptyFolders(dirname(place.absolute), root);
  });
}

/** Folders that a run made and that hold nothing any more. */
async function removeEmptyFolders(from: string, root: string): Promise<void> {
  for (let at = from; at.length > root.length; at = dirname(at)) {
    const entries = await readdir(at).catch(() => ['?']);
    if (entries.length > 0) return;
    await rmdir(at).catch(() => undefined);
  }
}
