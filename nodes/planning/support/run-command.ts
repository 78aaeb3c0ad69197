import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject } from '@/harness/contract/json';
import { contextTier } from '@/harness/planning/context/tier';
import { readWhole } from './read-back';
import { toolText } from './tool-text';

type Context = Pick<ExecuteContext, 'tool' | 'tools' | 'decide'>;

/** How a command of the workspace ended, by its exit and never by its output (planning.md P8). */
export interface CommandRun {
  command: string;
  /** False when it never started: refused, not granted, or the tool itself failed. */
  ran: boolean;
  success: boolean;
  /** Null when there was none. */
  exit_code: number | null;
  timed_out: boolean;
  signal: string | null;
  output: string;
  /** Files that it changed. */
  paths: string[];
}

/** Runs one command through a tool of the workspace, so through the attached guards. The output is whole, also where the tool put it into a file. */
export async function runCommand(
  context: Context,
  { tool, command, timeoutSeconds }: { tool: string; command: string; timeoutSeconds: number },
): Promise<CommandRun> {
  const outcome = await context.tool(tool, { command, timeoutSeconds });
  const none = { command, ran: false, success: false, exit_code: null, timed_out: false, signal: null, paths: [] };
  if (outcome.status !== 'ok') return { ...none, output: outcome.message };
  const given = outcome.output;
  if (!isJsonObject(given)) return { ...none, output: `${tool} answered something else than the end of a command.` };
  const { text, exit_code, savedTo } = toolText(tool, given, contextTier(null));
  const whole = savedTo === null ? null : await readWhole(context, savedTo);
  return {
    command: typeof given.command === 'string' ? given.command : command,
    ran: exit_code !== null,
    success: exit_code === 0,
    exit_code,
    timed_out: given.timedOut === true,
    signal: typeof given.signal === 'string' ? given.signal : null,
    output: whole ?? text,
    paths: Array.isArray(given.paths) ? given.paths.filter((path) => typeof path === 'string') : [],
  };
}

/** `test_result` of planning.md §17 as a decision. */
export function tellResult(context: Pick<Context, 'decide'>, { tool, run }: { tool: string; run: CommandRun }): void {
  context.decide({
    rule: 'test_result',
    outcome: run.success ? 'passed' : 'failed',
    because: [
      { name: 'tool', value: tool },
      { name: 'exit code', value: run.exit_code, operator: '==', threshold: 0, holds: run.success },
      { name: 'command', value: run.command },
      ...(run.timed_out ? [{ name: 'timed out', value: true }] : []),
      ...(run.signal === null ? [] : [{ name: 'signal', value: run.signal }]),
      ...(run.ran ? [] : [{ name: 'did not run', value: run.output.slice(0, 300) }]),
    ],
  });
}
