import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { parseJson } from '../models/json-text';
import { listFiles } from './list-files';
import { searchPath } from './process-environment';

/** What a detector may ask about a workspace. */
export interface WorkspaceFacts {
  /** Paths of its files, relative, without what tools make themselves. */
  files: readonly string[];
  has(path: string): boolean;
  /** Text of a file, or `null`. */
  text(path: string): Promise<string | null>;
  /** A JSON object, `null` when there is no such file, `'broken'` when it does not parse. */
  json(path: string): Promise<Record<string, unknown> | null | 'broken'>;
  /** Whether a program can be run: on PATH, or by a path in the workspace. */
  runnable(program: string): Promise<boolean>;
}

const maxFiles = 20_000;
const maxBytes = 2_000_000;

export async function factsOf(folder: string, signal: AbortSignal): Promise<WorkspaceFacts> {
  const { files } = await listFiles(folder, { max: maxFiles, signal });
  const paths = files.filter(({ entry }) => entry.isFile()).map(({ path }) => path);
  const known = new Set(paths);
  const text = async (path: string): Promise<string | null> => {
    const place = join(folder, path);
    // Only regular files that the listing saw: a link could lead out, and a pipe would be waited for.
    if (!known.has(path) || ((await stat(place).catch(() => null))?.size ?? maxBytes + 1) > maxBytes) return null;
    return readFile(place, 'utf8').catch(() => null);
  };
  return {
    files: paths,
    has: (path) => known.has(path),
    text,
    async json(path) {
      const source = await text(path);
      if (source === null) return null;
      const parsed = parseJson(source.replace(/^\uFEFF/, ''));
      return parsed.ok && typeof parsed.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value)
        ? parsed.value
        : 'broken';
    },
    runnable: (program) => canRun(program, folder),
  };
}

async function canRun(program: string, folder: string): Promise<boolean> {
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  const places = program.includes('/')
    ? [isAbsolute(program) ? program : join(folder, program)]
    : searchPath().map((at) => join(at, program));
  for (const place of places) {
    for (const ending of endings) {
      const found = await stat(`${place}${ending}`).catch(() => null);
      if (found?.isFile() !== true) continue;
      const allowed = await access(`${place}${ending}`, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (allowed) return true;
    }
  }
  return false;
}
