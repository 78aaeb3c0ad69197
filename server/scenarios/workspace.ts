import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { userError } from '@/harness/contract/errors';
import type { LoadedScenario } from './load-scenario';

export interface PreparedWorkspace {
  /** Null when the scenario has none. */
  folder: string | null;
  remove(): void;
}

/** A fresh folder for a scenario, filled as it says; the original of a sample or folder is never touched. */
export function prepareWorkspace({ workspace, folder: beside, samples }: LoadedScenario): PreparedWorkspace {
  if (workspace === undefined) return { folder: null, remove: () => {} };
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'bridle-scenario-')));
  const folder = join(base, 'work');
  mkdirSync(folder);
  const prepared = { folder, remove: () => rmSync(base, { recursive: true, force: true }) };
  if ('files' in workspace) {
    for (const [path, text] of Object.entries(workspace.files)) writeFileSync(insideWorkspace(prepared, path), text);
    return prepared;
  }
  const source = 'sample' in workspace ? join(samples, workspace.sample) : resolve(beside, workspace.folder);
  if (!existsSync(source))
    throw userError(
      'SCENARIO_WORKSPACE',
      `There is no folder ${'sample' in workspace ? `of the sample "${workspace.sample}"` : workspace.folder}.`,
    );
  cpSync(source, folder, { recursive: true });
  return prepared;
}

/** The place of a file below the workspace, with its folders made. Throws `SCENARIO_PATH` for one that leaves it. */
export function insideWorkspace({ folder }: PreparedWorkspace, path: string): string {
  if (folder === null) throw userError('SCENARIO_WORKSPACE', 'The scenario changes files, but has no workspace.');
  const place = resolve(folder, path);
  if (relative(folder, place).startsWith('..')) throw userError('SCENARIO_PATH', `"${path}" is outside of the workspace.`);
  mkdirSync(dirname(place), { recursive: true });
  return place;
}

export function readWorkspaceFile(workspace: PreparedWorkspace, path: string): string | null {
  if (workspace.folder === null) return null;
  const place = resolve(workspace.folder, path);
  return existsSync(place) ? readFileSync(place, 'utf8') : null;
}
