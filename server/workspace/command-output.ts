import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { outputFolder } from './changed-paths';
import type { ProcessResult } from './run-process';
import { resolveForWrite, writeInside } from './write-inside';

/** planning.md §13: longer output is saved, and only its end is shown. */
const inlineCharacters = 2000;
const shownLines = 40;
const shownCharacters = 8000;
const keptMs = 3_600_000;

/** The exit code as the pipeline counts it: −1 for a command that we ended. */
export const exitCodeOf = (result: ProcessResult): number => result.exitCode ?? -1;

/** One line that says how a command ended. It is also out of band, in `passed` and `exitCode`; nobody should read it out of the text. */
export function verdictOf(result: ProcessResult, timeoutMs: number): string {
  if (result.ended === 'timeout') return `FAILED (exit code -1): stopped after ${timeoutMs / 1000} seconds`;
  if (result.ended === 'output') return 'FAILED (exit code -1): stopped, because it wrote too much';
  const code = exitCodeOf(result);
  if (code === 0) return 'PASSED';
  return `FAILED (exit code ${code})${result.signal === null ? '' : `: ended by ${result.signal}`}`;
}

export interface OutputRequest {
  workspace: string;
  tool: string;
  now: number;
  timeoutMs: number;
}

/** What the model is shown of a command: all of it when short, else the verdict, where the whole is, and the last lines. */
export async function shownOutput(result: ProcessResult, request: OutputRequest): Promise<{ output: string; savedTo: string | null }> {
  const verdict = verdictOf(result, request.timeoutMs);
  if (result.output.length <= inlineCharacters) return { output: `${verdict}\n${result.output}`.trimEnd(), savedTo: null };
  const savedTo = await save(result, request);
  const tail = result.output.trimEnd().split('\n').slice(-shownLines).join('\n').slice(-shownCharacters);
  const place = savedTo === null ? 'The whole output could not be saved.' : `The whole output is in ${savedTo}.`;
  const advice = exitCodeOf(result) === 0 || savedTo === null ? '' : ' You must read that file before you diagnose the failure.';
  return { output: `${verdict}\n${place}${advice} Its last ${shownLines} lines:\n${tail}`, savedTo };
}

async function save(result: ProcessResult, { workspace, tool, now }: OutputRequest): Promise<string | null> {
  try {
    const folder = join(workspace, outputFolder);
    for (let number = 1; number <= 100; number += 1) {
      const path = `${outputFolder}/${tool}_${now}${number === 1 ? '' : `_${number}`}.txt`;
      const place = await resolveForWrite(workspace, path);
      if (place.stats !== null) continue;
      const note = result.truncated ? `(only the end of ${result.outputBytes} bytes was kept)\n` : '';
      await writeInside(workspace, place, Buffer.from(note + result.output));
      await purge(folder);
      return path;
    }
  } catch {
    // A folder that cannot be written, or is a link: the command did run, and its result stands.
  }
  return null;
}

/** By the file system's own clock, which also wrote the times: a run's clock may stand still. */
async function purge(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.txt'));
  const files = await Promise.all(names.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })));
  const newest = Math.max(...files.map(({ time }) => time));
  await Promise.all(
    files.filter(({ time }) => newest - time > keptMs).map(({ name }) => unlink(join(folder, name)).catch(() => undefined)),
  );
}
