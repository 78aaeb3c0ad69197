import { fact } from '../../layers/shared/explain';
import { type CommandJudgement, classifyCommand } from './classify-command';
import type { GuardConfig } from './guard-config';
import { commandOfCall, type Guard, type GuardedCall, pathsOfCall } from './guarded-call';
import { externalPathsOf, isExternalPath } from './path-rules';
import { commandsOf } from './unwrap-command';

function judgement(call: GuardedCall, config: GuardConfig): { command: string; judged: CommandJudgement } | null {
  if (!config.commandTools.includes(call.tool.name)) return null;
  const command = commandOfCall(call, config);
  return command === null ? null : { command, judged: classifyCommand(command, { block: config.blockCommands, ask: config.askCommands }) };
}

/** Words of the command that lead out, of every program it runs. */
const wordsOutside = (command: string, root: string): string[] => [
  ...new Set(commandsOf(command).flatMap((words) => (words === null ? [] : externalPathsOf(words, root)))),
];

export const externalPath: Guard = (call, { root, resolves_outside }, config) => {
  const named = pathsOfCall(call, config);
  const inCommand = judgement(call, config);
  const outside = [
    ...named.filter((path) => isExternalPath(path, root)),
    ...(inCommand === null ? [] : wordsOutside(inCommand.command, root)),
  ];
  if (outside.length === 0 && resolves_outside !== true) return null;
  // What never runs is not put to a person first.
  if (inCommand?.judged.verdict === 'block') return null;
  const shown = outside.length > 0 ? outside.map((path) => `"${path}"`).join(', ') : named.map((path) => `"${path}"`).join(', ');
  const because = [fact('outside paths', outside), fact('leads outside by a link', resolves_outside === true && outside.length === 0)];
  return config.external === 'deny'
    ? {
        guard: 'G4',
        verdict: 'deny',
        text: `ERROR: ${shown} is outside of the workspace, and nothing outside of it may be touched.`,
        because,
      }
    : { guard: 'G4', verdict: 'ask', text: `${shown} is outside of the workspace.`, because };
};

export const commandSafety: Guard = (call, _facts, config) => {
  const found = judgement(call, config);
  if (found === null || found.judged.verdict === 'allow') return null;
  const { judged, command } = found;
  const because = [fact('command', command), fact('rule', judged.rule), fact('words it met', judged.command)];
  return judged.verdict === 'block'
    ? { guard: 'G5', verdict: 'deny', text: `ERROR: blocked. ${judged.reason}`, because }
    : { guard: 'G5', verdict: 'ask', text: judged.reason, because };
};
