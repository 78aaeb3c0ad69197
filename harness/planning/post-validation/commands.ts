import type { Decision } from '../../contract/decision';
import { decided, fact } from '../../layers/shared/explain';
import { type CommandSet, type ValidationStep, validationSteps } from '../artefacts/results';

/** Where a command may come from, the first that has one wins (planning.md §1, decision P9). */
export const commandSources = ['commands.json', 'channel', 'environment', 'detected'] as const;
export type CommandSource = (typeof commandSources)[number];

/** Commands by step as one source gives them; blank = none. `reasons` says in words where each comes from. */
export interface CommandsOfSource {
  source: CommandSource;
  commands: Partial<Record<ValidationStep, string>>;
  reasons?: Partial<Record<ValidationStep, string>>;
}

export interface ResolvedCommands {
  commands: CommandSet;
  sources: Record<ValidationStep, CommandSource | 'none'>;
  /** One for each step that has a command or an override. */
  decisions: Decision[];
}

/**
 * The command of each step: `commands.json` beats the environment field by field, the environment only fills blanks (planning.md §1). An
 * override is said.
 */
export function resolveCommands(given: readonly CommandsOfSource[]): ResolvedCommands {
  const commands: CommandSet = { format: '', lint_fix: '', lint: '', test: '' };
  const sources: ResolvedCommands['sources'] = { format: 'none', lint_fix: 'none', lint: 'none', test: 'none' };
  const decisions: Decision[] = [];
  for (const step of validationSteps) {
    const offers = commandSources.flatMap((source) => {
      const from = given.find((entry) => entry.source === source);
      const command = from?.commands[step]?.trim() ?? '';
      return command === '' ? [] : [{ source, command, reason: from?.reasons?.[step] ?? '' }];
    });
    const [first, ...rest] = offers;
    if (first === undefined) continue;
    commands[step] = first.command;
    sources[step] = first.source;
    const overridden = rest.filter(({ command }) => command !== first.command);
    decisions.push(
      decided({
        rule: `post-validation: ${step} command`,
        outcome: first.command,
        because: [
          fact('from', first.source),
          ...(first.reason === '' ? [] : [fact('reason', first.reason)]),
          ...overridden.map(({ source, command }) => fact(`overrides ${source}`, command)),
        ],
        alternatives: overridden.map(({ source, command }) => ({ outcome: command, needs: `no command in what comes before ${source}` })),
      }),
    );
  }
  return { commands, sources, decisions };
}
