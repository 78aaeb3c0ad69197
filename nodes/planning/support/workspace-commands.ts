import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import { type CommandSet, validationSteps } from '@/harness/planning/artefacts/results';
import { type CommandsOfSource, resolveCommands } from '@/harness/planning/post-validation/commands';
import { decideAll } from '../../control/support/helpers';
import { canUse } from './read-back';
import { planningState } from './state';

export const detectTool = 'detect_commands';

const sourceSchema = z.enum(['commands.json', 'environment', 'detected', 'none']);
const foundSchema = z.object({
  command: z.string(),
  source: sourceSchema,
  reason: z.string(),
  overridden: z.array(z.object({ source: sourceSchema, command: z.string() })).default([]),
});
const detectedSchema = z.object({ format: foundSchema, lint_fix: foundSchema, lint: foundSchema, test: foundSchema });

/**
 * The commands of the workspace as they are now: commands.json, then what an earlier node resolved, then the environment, then the manifests
 * (planning.md §1, P9). Each choice and override is a decision.
 */
export async function workspaceCommands(context: Pick<ExecuteContext, 'tool' | 'tools' | 'decide' | 'state'>): Promise<CommandSet> {
  const given: CommandsOfSource[] = [{ source: 'channel', commands: planningState(context).commandSet }];
  if (canUse(context, detectTool)) {
    const outcome = await context.tool(detectTool, {});
    const detected = detectedSchema.safeParse(outcome.status === 'ok' ? outcome.output : null);
    if (detected.success) given.push(...bySource(detected.data));
  }
  const { commands, decisions } = resolveCommands(given);
  decideAll(context, decisions);
  return commands;
}

function bySource(detected: z.output<typeof detectedSchema>): CommandsOfSource[] {
  return (['commands.json', 'environment', 'detected'] as const).map((source) => {
    const entry: CommandsOfSource & { commands: Record<string, string>; reasons: Record<string, string> } = {
      source,
      commands: {},
      reasons: {},
    };
    for (const step of validationSteps) {
      const found = detected[step];
      const command = found.source === source ? found.command : found.overridden.find((other) => other.source === source)?.command;
      if (command === undefined) continue;
      entry.commands[step] = command;
      if (found.source === source) entry.reasons[step] = found.reason;
    }
    return entry;
  });
}
