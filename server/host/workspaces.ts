import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, parse, relative, sep } from 'node:path';
import { toErrorRecord, userError } from '@/harness/contract/errors';
import type { WorkspaceSample } from '../api-types';
import type { WorkspaceService } from './services';

export interface WorkspaceRules {
  /** Where the sample folders stand. */
  samplesFolder: string;
  dataFolder: string;
  /** Folders that runs may work in; empty = any. */
  roots: readonly string[];
}

const refused = (message: string) => userError('WORKSPACE_REFUSED', message);

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

const title = (id: string): string => {
  const words = id.replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function sampleFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
}

function label(folder: string): string {
  const names = readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();
  const shown = names.slice(0, 4).join(', ');
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}

/** Which folder a run works in: a sample by its id, or a folder that a person names. A run's tools never leave it. */
export function createWorkspaces(rules: WorkspaceRules): WorkspaceService {
  const resolveTyped = (choice: string): string => {
    const path = choice === '~' || choice.startsWith(`~${sep}`) ? choice.replace('~', homedir()) : choice;
    if (!isAbsolute(path)) throw refused(`"${choice}" is neither a sample nor a full path. Name a folder from its root on.`);
    if (!existsSync(path)) throw refused(`There is no folder ${choice}.`);
    const real = realpathSync(path);
    if (!statSync(real).isDirectory()) throw refused(`${choice} is a file; a run works in a folder.`);
    if (real === parse(real).root) throw refused('A run may not work in the root of the file system. Choose a folder below it.');
    const data = existsSync(rules.dataFolder) ? realpathSync(rules.dataFolder) : rules.dataFolder;
    if (isInside(real, data)) throw refused('A run may not work in the data folder of Bridle, where keys are kept.');
    if (isInside(data, real)) {
      throw refused(
        `${choice} holds the data folder of Bridle, where keys are kept. Choose a folder below it, or move the data with BRIDLE_DATA_DIR.`,
      );
    }
    const roots = rules.roots.filter((root) => existsSync(root)).map((root) => realpathSync(root));
    if (rules.roots.length > 0 && !roots.some((root) => isInside(real, root))) {
      throw refused(`${choice} is outside of the folders that BRIDLE_WORKSPACES allows.`);
    }
    return real;
  };

  const resolve = (choice: string): string =>
    sampleFolders(rules.samplesFolder).includes(choice) ? realpathSync(join(rules.samplesFolder, choice)) : resolveTyped(choice);

  return {
    isSample: (folder) => sampleFolders(rules.samplesFolder).some((id) => realpathSync(join(rules.samplesFolder, id)) === folder),
    samples: (): WorkspaceSample[] =>
      sampleFolders(rules.samplesFolder).map((id) => ({ id, title: title(id), label: label(join(rules.samplesFolder, id)) })),
    check(path) {
      try {
        const folder = resolve(path);
        return { ok: true, message: `${readdirSync(folder).length} entries` };
      } catch (thrown) {
        return { ok: false, message: toErrorRecord(thrown).message };
      }
    },
    resolve,
  };
}
