import { z } from 'zod';
import { commandsOf, programName } from '../guards/unwrap-command';

export const exitClasses = ['pass', 'fail', 'infrastructure'] as const;
export type ExitClass = (typeof exitClasses)[number];

/** How a command ended. `exit_code` is null when it never gave one. */
export const commandExitSchema = z.object({
  command: z.string(),
  exit_code: z.int().nullable(),
  timed_out: z.boolean().default(false),
  /** Name of the signal that ended it. */
  signal: z.string().nullable().default(null),
});
export type CommandExit = z.output<typeof commandExitSchema>;

/** Runner → exit code → what it means there. The numbers of pytest: 2 interrupted, 3 internal error, 4 usage, 5 no test collected. */
export const defaultRunnerExits: Record<string, Record<string, ExitClass>> = {
  pytest: { '2': 'infrastructure', '3': 'infrastructure', '4': 'infrastructure', '5': 'infrastructure' },
};

export const runnerExitMapSchema = z
  .record(z.string().min(1), z.record(z.string().regex(/^\d+$/), z.enum(exitClasses)))
  .default(defaultRunnerExits)
  .meta({
    title: 'Exit codes by test runner',
    description: 'What a code other than 0 means for a runner whose name stands in the command.',
  });
export type RunnerExitMap = z.output<typeof runnerExitMapSchema>;

const versionless = (name: string): string => name.replace(/[\d.]+$/, '');

/** The runners of the map that a command starts: as its program, as `python -m pytest`, or behind `npx`, `uv run` and their like. */
function runnersIn(command: string, map: RunnerExitMap): string[] {
  const words = new Set<string>();
  for (const argv of commandsOf(command)) {
    if (argv === null) continue;
    // The file a runner is given is no runner, however it is called.
    for (const word of argv.slice(0, 4)) if (!word.startsWith('-')) words.add(programName(word)).add(versionless(programName(word)));
  }
  return Object.keys(map).filter((runner) => words.has(runner.toLowerCase()));
}

/**
 * What an exit says, by its code only (planning.md §14). 126, 127, signals (128 and above, or below 0), a time-out and no code at all say nothing
 * about the tests: infrastructure.
 */
export function classifyExit(exit: CommandExit, map: RunnerExitMap = defaultRunnerExits): ExitClass {
  const { exit_code: code, timed_out, signal } = exit;
  if (timed_out || signal !== null || code === null) return 'infrastructure';
  if (code === 0) return 'pass';
  if (code === 126 || code === 127 || code >= 128 || code < 0) return 'infrastructure';
  for (const runner of runnersIn(exit.command, map)) {
    const codes = map[runner] ?? {};
    const meant = Object.hasOwn(codes, String(code)) ? codes[String(code)] : undefined;
    if (meant !== undefined) return meant;
  }
  return 'fail';
}
