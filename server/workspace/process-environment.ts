import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** Names of places where toolchains stand. They hold no secrets, and without them a compiler is not found once `HOME` is another folder. */
const toolchains = ['JAVA_HOME', 'GOROOT', 'PYENV_ROOT', 'RUSTUP_HOME', 'DOTNET_ROOT', 'ANDROID_HOME', 'RBENV_ROOT', 'NVM_DIR'];
const windows = ['SystemRoot', 'SystemDrive', 'PATHEXT', 'COMSPEC', 'WINDIR'];

/** What no command may set for itself: it would change which program runs. */
const fixed = new Set(['PATH', 'HOME', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'DYLD_LIBRARY_PATH']);

/** The folders of PATH in which programs are looked for. Relative ones are left out: they would mean the workspace. */
export const searchPath = (source: NodeJS.ProcessEnv = process.env): string[] => [
  ...(source.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder)),
  dirname(process.execPath),
];

/**
 * The environment of a command: what a program needs to run, and nothing that Bridle itself was given. No key, token or setting of the server
 * is in it. `home` is a fresh folder of the command's own.
 */
export function processEnvironment(home: string, more: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: searchPath().join(delimiter),
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    CI: '1',
    TERM: 'dumb',
    NO_COLOR: '1',
    PYTHONUNBUFFERED: '1',
    PYTHONPYCACHEPREFIX: join(home, 'pycache'),
    GIT_TERMINAL_PROMPT: '0',
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
  };
  for (const name of process.platform === 'win32' ? [...toolchains, ...windows] : toolchains) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  const rustup = join(homedir(), '.rustup');
  if (environment.RUSTUP_HOME === undefined && existsSync(rustup)) environment.RUSTUP_HOME = rustup;
  for (const [name, value] of Object.entries(more)) if (!fixed.has(name.toUpperCase())) environment[name] = value;
  return environment;
}
