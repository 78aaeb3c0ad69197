import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Json } from '@/harness/contract/json';

/** The command was called wrongly; its message says how to call it. Exit code 2. */
export class UsageError extends Error {}

type Options = Record<string, { type: 'string' | 'boolean' }>;

/** Options and positional words of a command; unknown options are refused. */
export function readArguments(args: string[], options: Options): { values: Record<string, string | boolean | undefined>; words: string[] } {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    return { values, words: positionals };
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** The same for a command that takes no words. */
export function readOptions(args: string[], options: Options): Record<string, string | boolean | undefined> {
  const { values, words } = readArguments(args, options);
  if (words.length > 0) throw new UsageError(`This command takes no "${words[0]}".`);
  return values;
}

export const textOption = (value: string | boolean | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export function readText(file: string): string {
  try {
    return file === '-' ? readFileSync(0, 'utf8') : readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new UsageError(`${file} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

export function parseJsonText(text: string, what: string): Json {
  try {
    // What JSON.parse returns is JSON.
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw new UsageError(`${what} is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** `--input` is JSON, or `@file`, or a plain text that stands for `{"message": text}`. */
export function readInput(given: string | undefined): Json {
  if (given === undefined) return {};
  if (given.startsWith('@')) return parseJsonText(readText(given.slice(1)), given);
  const looksLikeJson = /^\s*[[{"\d-]|^\s*(true|false|null)\s*$/.test(given);
  return looksLikeJson ? parseJsonText(given, '--input') : { message: given };
}
