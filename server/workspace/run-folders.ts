import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { userError } from '@/harness/contract/errors';
import type { ToolHost } from '@/harness/contract/tool';
import { applyChanges, changesOf, type FolderChanges, type PutBack, type SeenChange, undoChanges } from './folder-changes';
import { openRunFolder, type RunFolder, type RunFolderMode, removeRunFolder, reopenRunFolder } from './run-folder';
import { hashOf } from './text-file';

/** Whose folder it is: turns of one chat session go on in one folder, a run without a session has one of its own. */
export interface FolderOwner {
  runId: string;
  sessionId: string | null;
}

export interface OwnedFolder {
  owner: FolderOwner;
  /** The folder that the person chose. */
  source: string;
  /**
   * A copy when absent. Each mode has a place of its own: a chat that turns from the folder itself to a copy must not go on in the folder.
   */
  mode?: RunFolderMode;
}

/** The folders that runs work in. All that is known of them is on disk, so a restart changes nothing. */
export class RunFolders {
  readonly #base: string;
  readonly #opening = new Map<string, Promise<RunFolder>>();

  /** `base` is a folder of its own, outside of every folder that a run may choose. */
  constructor(base: string) {
    this.#base = base;
  }

  #owned({ runId, sessionId }: FolderOwner): string {
    const id = sessionId ?? runId;
    // Ids come from the host, but one is also part of a path here.
    if (!/^[\w-]{1,100}$/.test(id)) throw userError('RUN_NOT_FOUND', `"${id}" is no id of a run.`);
    return join(this.#base, id);
  }

  #place({ owner, source, mode = 'copy' }: OwnedFolder): string {
    return join(this.#owned(owner), `${hashOf(source).slice(0, 16)}${mode === 'copy' ? '' : `-${mode}`}`);
  }

  /** Makes the folder, or finds it. Calls that come at the same time share one. */
  async open(owned: OwnedFolder, signal?: AbortSignal): Promise<RunFolder> {
    const place = this.#place(owned);
    const running = this.#opening.get(place);
    if (running !== undefined) return running;
    const opening = openRunFolder({ source: owned.source, place, mode: owned.mode ?? 'copy', ...(signal === undefined ? {} : { signal }) });
    this.#opening.set(place, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(place);
    }
  }

  /** The folder if there is one yet: nothing was written before. */
  find(owned: OwnedFolder): Promise<RunFolder | null> {
    const place = this.#place(owned);
    return this.#opening.get(place) ?? reopenRunFolder(place);
  }

  async changes(owned: OwnedFolder, signal?: AbortSignal): Promise<FolderChanges & { mode: RunFolderMode | null; work: string | null }> {
    const folder = await this.find(owned);
    if (folder === null) return { changes: [], complete: true, mode: null, work: null };
    return { ...(await changesOf(folder, signal)), mode: folder.mode, work: folder.work };
  }

  async undo(owned: OwnedFolder, seen: readonly SeenChange[]): Promise<PutBack> {
    return undoChanges(await this.#existing(owned), seen);
  }

  async apply(owned: OwnedFolder, seen: readonly SeenChange[]): Promise<PutBack> {
    return applyChanges(await this.#existing(owned), seen);
  }

  /** Removes the copies of a run or session. The folder that the person chose stays. */
  async remove(owner: FolderOwner): Promise<void> {
    const own = this.#owned(owner);
    for (const name of await readdir(own).catch(() => [])) await removeRunFolder(join(own, name));
    await rm(own, { recursive: true, force: true });
  }

  async #existing(owned: OwnedFolder): Promise<RunFolder> {
    const folder = await this.find(owned);
    if (folder === null) throw userError('WORKSPACE_UNCHANGED', 'The run has written nothing.');
    return folder;
  }
}

/**
 * Lets tools work in the run's own folder. Until the first call that may write, the chosen folder is read as it is; from then on every call,
 * reading ones too, goes to the run's folder. A run that only reads costs no copy.
 */
export function inRunFolder(tools: ToolHost, folders: RunFolders, setting: FolderOwner & { mode: RunFolderMode }): ToolHost {
  const effects = new Map(tools.list().map((tool) => [tool.name, tool.effect]));
  return {
    list: () => tools.list(),
    async targets(name, input, context) {
      if (context.workspace === null) return null;
      const folder = await folders.find({ owner: setting, source: context.workspace, mode: setting.mode }).catch(() => null);
      return (await tools.targets?.(name, input, folder === null ? context : { ...context, workspace: folder.work })) ?? null;
    },
    async call(name, input, context) {
      const effect = effects.get(name);
      if (context.workspace === null || effect === undefined) return tools.call(name, input, context);
      const owned: OwnedFolder = { owner: setting, source: context.workspace, mode: setting.mode };
      const folder = effect === 'read' ? await folders.find(owned) : await folders.open(owned, context.signal);
      return tools.call(name, input, folder === null ? context : { ...context, workspace: folder.work });
    },
  };
}
