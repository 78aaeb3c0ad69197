import { runnableCommand } from '@/harness/planning/guards/command-line';
import type { CommandPurpose, Suggestion } from './command-purpose';
import { ecosystemCommands } from './ecosystem-commands';
import { packageCommands } from './package-commands';
import { factsOf, type WorkspaceFacts } from './workspace-facts';

/** Where a command comes from, the first that gives one wins (planning.md §1, decision P9). */
export type CommandSource = 'commands.json' | 'environment' | 'detected';

export type DetectedCommand =
  | {
      found: true;
      command: string;
      argv: [string, ...string[]];
      variables: Record<string, string>;
      reason: string;
      source: CommandSource;
      /** What later sources give instead, the first of each, where it is another command. */
      overridden: { source: CommandSource; command: string }[];
    }
  | { found: false; reason: string };

/** Commands a person gave the server for all workspaces, by what they are for. */
export interface ConfiguredCommands {
  format?: string | undefined;
  lintFix?: string | undefined;
  lint?: string | undefined;
  test?: string | undefined;
}

const configured: Record<CommandPurpose, { field: string; key: keyof ConfiguredCommands; variable: string } | null> = {
  syntax: { field: 'lint', key: 'lint', variable: 'BRIDLE_POST_LINT_COMMAND' },
  lint: { field: 'lint', key: 'lint', variable: 'BRIDLE_POST_LINT_COMMAND' },
  lint_fix: { field: 'lint_fix', key: 'lintFix', variable: 'BRIDLE_POST_LINT_FIX_COMMAND' },
  format: { field: 'format', key: 'format', variable: 'BRIDLE_POST_FORMAT_COMMAND' },
  unit: { field: 'test', key: 'test', variable: 'BRIDLE_POST_TEST_COMMAND' },
  integration: null,
};

/** Where commands of a workspace are kept, and the first place they are looked for (planning.md §1). */
export const commandsFile = '.bridle/commands.json';

type Sourced = Suggestion & { source: CommandSource };

async function* suggestions(purpose: CommandPurpose, facts: WorkspaceFacts, environment: ConfiguredCommands): AsyncGenerator<Sourced> {
  const own = await facts.json(commandsFile);
  const place = configured[purpose];
  if (own === 'broken') yield { remark: `${commandsFile} is not a JSON object`, source: 'commands.json' };
  else if (own !== null) {
    // `syntax` and `integration` are no fields of the specification, but a person who writes them means them.
    for (const field of [...(purpose === 'syntax' ? ['syntax'] : []), place?.field ?? purpose]) {
      const command = own[field];
      if (typeof command === 'string' && command.trim() !== '')
        yield { command, because: `${commandsFile} gives it as "${field}"`, source: 'commands.json' };
    }
  }
  const given = place === null ? undefined : environment[place.key];
  if (given !== undefined && given.trim() !== '' && place !== null)
    yield { command: given, because: `${place.variable} is set`, source: 'environment' };
  for await (const suggestion of packageCommands(purpose, facts)) yield { ...suggestion, source: 'detected' };
  for await (const suggestion of ecosystemCommands(purpose, facts)) yield { ...suggestion, source: 'detected' };
}

/**
 * Finds the command of a workspace for a purpose: `.bridle/commands.json` first, the server's environment second, then what its manifests and
 * files say. The first one that can run here wins; `reason` says why, and what was passed over.
 */
export async function detectCommand(
  purpose: CommandPurpose,
  folder: string,
  options: { environment: ConfiguredCommands; signal: AbortSignal },
): Promise<DetectedCommand> {
  const facts = await factsOf(folder, options.signal);
  const passed: string[] = [];
  let chosen: Extract<DetectedCommand, { found: true }> | null = null;
  for await (const suggestion of suggestions(purpose, facts, options.environment)) {
    if (chosen !== null) {
      override(chosen, suggestion);
      continue;
    }
    if ('remark' in suggestion) {
      passed.push(suggestion.remark);
      continue;
    }
    const { command, because, source } = suggestion;
    const runnable = runnableCommand(command);
    if (!runnable.ok) {
      passed.push(`${because}, but "${command}" cannot be run: ${runnable.problem}`);
      continue;
    }
    if (!(await facts.runnable(runnable.argv[0]))) {
      passed.push(`${because}, but ${runnable.argv[0]} is not installed here`);
      continue;
    }
    const { argv, variables } = runnable;
    chosen = { found: true, command, argv, variables, reason: [...passed, because].join('; '), source, overridden: [] };
  }
  if (chosen !== null) return chosen;
  const sought = {
    syntax: 'syntax check',
    lint: 'linter',
    lint_fix: 'command that repairs lint',
    format: 'formatter',
    unit: 'unit test',
    integration: 'integration test',
  };
  return { found: false, reason: [...passed, `no ${sought[purpose]} was found in the workspace`].join('; ') };
}

function override(chosen: Extract<DetectedCommand, { found: true }>, suggestion: Sourced): void {
  if ('remark' in suggestion || suggestion.source === chosen.source || suggestion.command.trim() === chosen.command.trim()) return;
  if (chosen.overridden.some(({ source }) => source === suggestion.source)) return;
  chosen.overridden.push({ source: suggestion.source, command: suggestion.command });
}
