import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import type { ModelEnvironment } from './models/provider';
import type { ConfiguredCommands } from './workspace/detect-command';

const text = z
  .string()
  .trim()
  .transform((value) => (value === '' ? undefined : value))
  .optional();

const list = (separator: RegExp) =>
  text.transform((value) =>
    (value ?? '')
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

const environmentSchema = z.object({
  BRIDLE_DATA_DIR: text,
  HOST: text,
  PORT: text,
  BRIDLE_TOKEN: text,
  BRIDLE_ALLOW_HOSTS: list(/[\s,]+/),
  /** Separated like PATH, or by commas. */
  BRIDLE_WORKSPACES: list(process.platform === 'win32' ? /[;,]/ : /[:,]/),
  OPENAI_API_KEY: text,
  ANTHROPIC_API_KEY: text,
  GOOGLE_GENERATIVE_AI_API_KEY: text,
  GEMINI_API_KEY: text,
  BRIDLE_OPENAI_COMPATIBLE_URL: text,
  BRIDLE_OPENAI_COMPATIBLE_KEY: text,
  OLLAMA_HOST: text,
  /** Hosts that the guarded client may reach although their address is private, e.g. `127.0.0.1:8080`. */
  BRIDLE_ALLOW_OUTBOUND: list(/[\s,]+/),
  /** Commands for workspaces that define none of their own. */
  BRIDLE_POST_FORMAT_COMMAND: text,
  BRIDLE_POST_LINT_FIX_COMMAND: text,
  BRIDLE_POST_LINT_COMMAND: text,
  BRIDLE_POST_TEST_COMMAND: text,
  /** Process id of the script that began the server. */
  BRIDLE_SUPERVISOR: text,
  NODE_ENV: text,
});

/** Everything Bridle takes from its environment, read in one place. */
export interface Environment {
  /** Absolute. */
  dataFolder: string;
  /** Address the server listens on. */
  host: string;
  port: number;
  /** Asked of every caller when set; never shorter than 16 characters. */
  token: string | null;
  /** Names by which the server may be called, besides the loopback ones and its own address. */
  allowHosts: string[];
  /** Folders that runs may work in; empty = any. Absolute. */
  workspaces: string[];
  allowOutbound: string[];
  models: ModelEnvironment;
  /** Beaten by a workspace's own `.bridle/commands.json`, and before anything that is detected. */
  commands: ConfiguredCommands;
  /** The server ends when this process does. */
  supervisor: number | null;
  production: boolean;
}

const shortestToken = 16;

const folder = (path: string): string => resolve(path.startsWith('~/') ? path.replace('~', homedir()) : path);
const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

/** Throws `ENVIRONMENT_INVALID` that names the variable and what it should be. */
export function readEnvironment(source: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const parsed = environmentSchema.parse(source);
  const port = Number(parsed.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw userError('ENVIRONMENT_INVALID', `PORT is "${parsed.PORT}"; it should be a number from 0 to 65535.`);
  }
  const token = parsed.BRIDLE_TOKEN ?? null;
  if (token !== null && token.length < shortestToken) {
    throw userError('ENVIRONMENT_INVALID', `BRIDLE_TOKEN is too short; use at least ${shortestToken} characters that nobody can guess.`);
  }
  return {
    dataFolder: real(folder(parsed.BRIDLE_DATA_DIR ?? '.data')),
    host: parsed.HOST ?? '127.0.0.1',
    port,
    token,
    allowHosts: parsed.BRIDLE_ALLOW_HOSTS.map((host) => host.toLowerCase()),
    workspaces: parsed.BRIDLE_WORKSPACES.map((path) => real(folder(path))),
    allowOutbound: parsed.BRIDLE_ALLOW_OUTBOUND,
    models: {
      openaiKey: parsed.OPENAI_API_KEY,
      anthropicKey: parsed.ANTHROPIC_API_KEY,
      googleKey: parsed.GOOGLE_GENERATIVE_AI_API_KEY ?? parsed.GEMINI_API_KEY,
      compatibleUrl: parsed.BRIDLE_OPENAI_COMPATIBLE_URL,
      compatibleKey: parsed.BRIDLE_OPENAI_COMPATIBLE_KEY,
      ollamaHost: parsed.OLLAMA_HOST,
    },
    commands: {
      format: parsed.BRIDLE_POST_FORMAT_COMMAND,
      lintFix: parsed.BRIDLE_POST_LINT_FIX_COMMAND,
      lint: parsed.BRIDLE_POST_LINT_COMMAND,
      test: parsed.BRIDLE_POST_TEST_COMMAND,
    },
    supervisor: parsed.BRIDLE_SUPERVISOR === undefined ? null : Number(parsed.BRIDLE_SUPERVISOR),
    production: parsed.NODE_ENV === 'production',
  };
}
