import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenDatabase } from '@/db/open';
import { toErrorRecord } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { DoctorCheck, DoctorReport } from '../api-types';
import type { Environment } from '../env';
import type { Providers } from '../settings/providers';

const run = promisify(execFile);

export interface DoctorOptions {
  environment: Environment;
  database: OpenDatabase;
  providers: Providers;
  /** Path of the bundled ripgrep. */
  ripgrep: string;
  sandbox: (source: string) => Promise<Json>;
  /** Names of secrets and providers whose sealed value this data folder's key does not open. */
  unreadable: () => string[];
  liveRuns: () => number;
  now: () => number;
}

type Finding = Omit<DoctorCheck, 'id' | 'title'>;
type Check = { id: string; title: string; look: (options: DoctorOptions) => Finding | Promise<Finding> };

const ok = (detail: string): Finding => ({ status: 'ok', detail });
const warning = (detail: string, fix: string): Finding => ({ status: 'warning', detail, fix });
const problem = (detail: string, fix: string): Finding => ({ status: 'problem', detail, fix });

const sizeWords = (bytes: number): string => (bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`);
const runWords = (count: number): string => (count === 1 ? '1 run' : `${count === 0 ? 'no' : count} runs`);
const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

const checks: readonly Check[] = [
  {
    id: 'node',
    title: 'Node.js',
    look: () => {
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
      const good = major > 20 || (major === 20 && minor >= 19);
      return good ? ok(`Version ${process.versions.node}`) : problem(`Version ${process.versions.node}`, 'Install Node.js 20.19 or newer.');
    },
  },
  {
    id: 'data-folder',
    title: 'Data folder',
    look: ({ environment }) => {
      const probe = join(environment.dataFolder, `.probe-${process.pid}`);
      writeFileSync(probe, '');
      rmSync(probe);
      const open = process.platform !== 'win32' && (statSync(environment.dataFolder).mode & 0o077) !== 0;
      return open
        ? warning(
            `${environment.dataFolder} can be read by other users of this machine.`,
            `Run: chmod 700 ${JSON.stringify(environment.dataFolder)}`,
          )
        : ok(`${environment.dataFolder} is writable`);
    },
  },
  {
    id: 'database',
    title: 'Database',
    look: ({ database, liveRuns }) => {
      const found = database.client.pragma('quick_check(1)', { simple: true });
      const size = `${sizeWords(sizeOf(database.file))}, write-ahead log ${sizeWords(sizeOf(`${database.file}-wal`))}, ${runWords(liveRuns())} going on`;
      if (found === 'ok') return ok(`Sound; ${size}`);
      return problem(
        `Damaged: ${String(found)}; ${size}`,
        'Stop the server and restore the data folder from a backup, or move it away to begin anew.',
      );
    },
  },
  {
    id: 'secrets',
    title: 'Secrets',
    look: ({ unreadable }) => {
      const names = unreadable();
      if (names.length === 0) return ok('Every stored key and secret can be opened');
      return problem(`Cannot be opened: ${names.join(', ')}`, 'They were sealed with another key. Enter them again in Settings.');
    },
  },
  {
    id: 'providers',
    title: 'Model providers',
    look: ({ providers }) => {
      const usable = providers.registry.list();
      if (usable.length > 0) return ok(usable.map((config) => config.title ?? config.id).join(', '));
      return warning(
        'None is configured: the built-in rehearsal model answers, offline and from scripts.',
        'Add a provider in Settings, or set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY.',
      );
    },
  },
  {
    id: 'ollama',
    title: 'Ollama',
    look: async ({ providers, now }) => {
      await providers.discover(now());
      const found = providers.ollama;
      if (found === null) return ok('Not running; it is optional');
      const models = found.models ?? [];
      return models.length > 0
        ? ok(`Answers with ${models.length} models: ${models.slice(0, 5).join(', ')}`)
        : warning('Answers, but has no model.', 'Run: ollama pull llama3.2');
    },
  },
  {
    id: 'ripgrep',
    title: 'ripgrep',
    look: async ({ ripgrep }) => {
      accessSync(ripgrep, constants.X_OK);
      const { stdout } = await run(ripgrep, ['--version'], { timeout: 5000 });
      return ok(stdout.split('\n')[0] ?? 'Works');
    },
  },
  {
    id: 'git',
    title: 'git',
    look: async () => {
      try {
        const { stdout } = await run('git', ['--version'], { timeout: 5000 });
        return ok(stdout.trim());
      } catch {
        return warning('Not found; flows that look at history cannot.', 'Install git and make sure it is on the PATH.');
      }
    },
  },
  {
    id: 'sandbox',
    title: 'Code sandbox',
    look: async ({ sandbox }) => {
      const value = await sandbox('return 6 * 7');
      return value === 42
        ? ok('Runs code in WebAssembly, apart from this process')
        : problem(`Answered ${JSON.stringify(value)} to 6 * 7`, 'Reinstall: npm ci');
    },
  },
  {
    id: 'workspaces',
    title: 'Workspace folders',
    look: ({ environment }) => {
      const missing = environment.workspaces.filter((root) => !existsSync(root));
      if (missing.length > 0) return problem(`Missing: ${missing.join(', ')}`, 'Make these folders or correct BRIDLE_WORKSPACES.');
      return ok(environment.workspaces.length === 0 ? 'Runs work in any folder that a person names' : environment.workspaces.join(', '));
    },
  },
  {
    id: 'access',
    title: 'Access',
    look: ({ environment }) =>
      ok(
        environment.token === null
          ? `Listens on ${environment.host} only, without a token`
          : `Listens on ${environment.host} and asks for the token`,
      ),
  },
];

/** Looks at everything that Bridle needs. A check that fails is a finding, never an error. */
export async function examine(options: DoctorOptions): Promise<DoctorReport> {
  const found = await Promise.all(
    checks.map(async ({ id, title, look }): Promise<DoctorCheck> => {
      try {
        return { id, title, ...(await look(options)) };
      } catch (thrown) {
        return {
          id,
          title,
          ...problem(toErrorRecord(thrown).message, 'Reinstall with npm ci, and check that the data folder is writable.'),
        };
      }
    }),
  );
  return { checks: found, at: options.now() };
}
