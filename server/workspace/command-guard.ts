import { userError } from '@/harness/contract/errors';
import { classifyCommand } from '@/harness/planning/guards/classify-command';
import { type RunnableCommand, runnableCommand } from '@/harness/planning/guards/command-line';

/** The arguments of a command that needs no shell. Throws `TOOL_COMMAND`. */
export function requireRunnable(command: string): Extract<RunnableCommand, { ok: true }> {
  const runnable = runnableCommand(command);
  if (!runnable.ok) throw userError('TOOL_COMMAND', `"${command}" cannot be run: ${runnable.problem}.`);
  return runnable;
}

/** Refuses what never runs. A command that only needs approval is a policy's to stop, before the call. Throws `TOOL_COMMAND_BLOCKED`. */
export function requireAllowed(command: string): void {
  const { verdict, reason, rule } = classifyCommand(command);
  if (verdict === 'block') throw userError('TOOL_COMMAND_BLOCKED', `This command is blocked: ${reason}`, { rule });
}

/**
 * For tools that nobody is asked about: they take no command that a person should see first, wherever it comes from (a model can write
 * `.bridle/commands.json` too). Throws `TOOL_COMMAND_BLOCKED`.
 */
export function requireHarmless(command: string): void {
  requireAllowed(command);
  const { verdict, reason, rule } = classifyCommand(command);
  if (verdict === 'ask') throw userError('TOOL_COMMAND_BLOCKED', `A check does not run this: ${reason} Use run_command for it.`, { rule });
}
