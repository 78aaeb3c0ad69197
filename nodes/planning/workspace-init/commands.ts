import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject, type Json } from '@/harness/contract/json';
import { compared, fact } from '@/harness/layers/shared/explain';
import { type CommandSet, commandSetSchema, validationSteps } from '@/harness/planning/artefacts/results';
import { readJson } from '../../support/structured';
import { artefactFolder, writeArtefact } from '../support/artefact-file';
import { fileContent } from './read-text';

type Context = Pick<ExecuteContext, 'tool' | 'decide' | 'log'>;

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '');

/**
 * The commands of the workspace: `.bridle/commands.json` first, the environment where it is silent, then what manifests say (planning.md §1, P9).
 * The tool keeps that order and says why; without the tool only the file counts.
 */
export async function detectCommands(context: Context, write: boolean): Promise<CommandSet> {
  const stored = await fileContent(context, `${artefactFolder}/commands.json`, 5000);
  const own = stored === null ? undefined : readJson(stored);
  const outcome = await context.tool('detect_commands', {});
  const commands: CommandSet = commandSetSchema.parse({});
  for (const step of validationSteps) {
    const found = outcome.status === 'ok' && isJsonObject(outcome.output) ? outcome.output[step] : undefined;
    const detected = isJsonObject(found) ? { command: textIn(found.command), reason: textIn(found.reason) } : null;
    const fromFile = isJsonObject(own) ? textIn(own[step]) : '';
    commands[step] = detected?.command ?? fromFile;
    context.decide({
      rule: 'commands_detected',
      outcome: commands[step] === '' ? `${step}: none` : `${step}: ${commands[step]}`,
      because: [
        fact('reason', detected?.reason ?? (fromFile === '' ? 'nothing was found' : 'commands.json gives it')),
        fact('commands.json', fromFile),
      ],
    });
  }
  if (outcome.status !== 'ok') context.log('warning', `Commands were not detected: ${outcome.message}`);
  const known = validationSteps.filter((step) => commands[step] !== '');
  if (write && stored === null && known.length > 0) {
    await writeArtefact(context, 'commands.json', `${JSON.stringify(commands, null, 2)}\n`);
  }
  if (known.length === 0) {
    context.decide({
      rule: 'no command known',
      outcome: 'nothing will be formatted, linted or tested',
      because: [compared('commands', 0, '>', 0)],
    });
  }
  return commands;
}
