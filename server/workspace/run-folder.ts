import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import { parseJson } from '../models/json-text';
import { listingOf } from './changed-paths';
import { type CopyLimits, copyLimits, copyTree, type Skipped } from './copy-tree';
import { runProcess } from './run-process';

/**
 * - `copy`: a copy of the folder, uncommitted changes included; the folder itself stays as it is.
 * - `worktree`: a git worktree at the last commit; the folder's files stay as they are, its repository learns of the worktree.
 * - `folder`: the folder itself. What was there before is kept, so that it can be undone.
 */
export const runFolderModes = ['copy', 'worktree', 'folder'] as const;
export type RunFolderMode = (typeof runFolderModes)[number];

const stateSchema = z.object({
  version: z.literal(1),
  mode: z.enum(runFolderModes),
  source: z.string(),
  work: z.string(),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Size and times of the files of `work` at the beginning. */
  listing: z.record(z.string(), z.string()),
});

export interface RunFolder {
  mode: RunFolderMode;
  /** The folder that the person chose. */
  source: string;
  /** The folder that tools work in. */
  work: string;
  /** What the files were at the beginning. Never changed. */
  before: string;
  skipped: Skipped[];
  listing: ReadonlyMap<string, string>;
}

export interface RunFolderRequest {
  /** Absolute, resolved and allowed: that is checked before. */
  source: string;
  /** A folder of this run's own, outside of the source. Made here. */
  place: string;
  mode: RunFolderMode;
  signal?: AbortSignal;
  limits?: CopyLimits;
}

const stateOf = (place: string): string => join(place, 'run-folder.json');
const beforeOf = (place: string): string => join(place, 'before');

/** The folder of a run that has one already, also after a restart; `null` for none. */
export async function reopenRunFolder(place: string): Promise<RunFolder | null> {
  const parsed = parseJson(await readFile(stateOf(place), 'utf8').catch(() => ''));
  const state = stateSchema.safeParse(parsed.ok ? parsed.value : null);
  if (!state.success) return null;
  const { mode, source, work, skipped, listing } = state.data;
  return { mode, source, work, skipped, before: beforeOf(place), listing: new Map(Object.entries(listing)) };
}

/**
 * Makes the folder that a run works in, or finds the one it has. Its description is written last: what a crash left half done is made anew.
 * Throws `WORKSPACE_TOO_LARGE`, `WORKSPACE_NO_GIT` or `TOOL_NO_WORKSPACE`.
 */
export async function openRunFolder(request: RunFolderRequest): Promise<RunFolder> {
  const { place, source, mode, signal } = request;
  const known = await reopenRunFolder(place);
  if (known !== null) {
    if (!existsSync(known.work)) throw userError('TOOL_NO_WORKSPACE', "The run's folder does not exist any more.");
    return known;
  }
  if (!existsSync(source)) throw userError('TOOL_NO_WORKSPACE', "The run's folder does not exist any more.");
  const options = { limits: request.limits ?? copyLimits, ...(signal === undefined ? {} : { signal }) };
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true, mode: 0o700 });
  const work = mode === 'folder' ? source : mode === 'copy' ? join(place, 'work') : await addWorktree(source, join(place, 'work'), signal);
  const skipped = mode === 'copy' ? await copyTree(source, work, options) : [];
  skipped.push(...(await copyTree(work, beforeOf(place), options)));
  const listing = await listingOf(work, signal);
  const state: z.input<typeof stateSchema> = { version: 1, mode, source, work, skipped, listing: Object.fromEntries(listing.files) };
  await writeFile(stateOf(place), JSON.stringify(state), { mode: 0o600 });
  return { mode, source, work, skipped, before: beforeOf(place), listing: listing.files };
}

/** Removes what a run's folder took, never the person's own one. */
export async function removeRunFolder(place: string): Promise<void> {
  const known = await reopenRunFolder(place);
  if (known?.mode === 'worktree') {
    await git(known.source, ['worktree', 'remove', '--force', join(place, 'work')]).catch(() => undefined);
  }
  await rm(place, { recursive: true, force: true });
}

/** A hook or monitor that the repository names is a program; it is not run. */
const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'] as const;

const git = (folder: string, args: readonly string[], signal: AbortSignal = new AbortController().signal) =>
  runProcess({ argv: ['git', ...quiet, ...args], folder, timeoutMs: 120_000, signal });

async function addWorktree(source: string, work: string, signal?: AbortSignal): Promise<string> {
  const top = await git(source, ['rev-parse', '--show-toplevel'], signal);
  if (top.exitCode !== 0) {
    throw userError('WORKSPACE_NO_GIT', 'The folder is in no git repository, so it can have no worktree. Let the run work on a copy.');
  }
  await git(source, ['worktree', 'prune'], signal);
  const added = await git(source, ['worktree', 'add', '--detach', work, 'HEAD'], signal);
  if (added.exitCode !== 0) {
    throw userError('WORKSPACE_NO_GIT', `Git could not make a worktree: ${added.output.trim().split('\n').at(-1) ?? 'no reason given'}`);
  }
  const inner = join(work, relative(top.output.trim(), source));
  if (!existsSync(inner)) throw userError('WORKSPACE_NO_GIT', 'The folder is not in the last commit. Let the run work on a copy.');
  return inner;
}
