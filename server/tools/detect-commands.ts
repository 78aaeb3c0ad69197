import { z } from 'zod';
import type { CommandPurpose } from '../workspace/command-purpose';
import { type ConfiguredCommands, detectCommand } from '../workspace/detect-command';
import { defineTool } from './define-tool';
import { requireWorkspace, resolveInside } from './workspace-root';

const purposes = { format: 'format', lint_fix: 'lint_fix', lint: 'lint', test: 'unit' } as const satisfies Record<string, CommandPurpose>;
const source = z.enum(['commands.json', 'environment', 'detected']);
const found = z.object({
  command: z.string().describe('Empty when there is none.'),
  source: z.enum([...source.options, 'none']),
  reason: z.string(),
  overridden: z.array(z.object({ source, command: z.string() })).describe('What later sources give instead.'),
});

/** Says which commands the workspace's own files, or the server's environment, give for formatter, linter and tests. Runs none of them. */
export const createDetectCommands = (environment: ConfiguredCommands) =>
  defineTool({
    name: 'detect_commands',
    title: 'Detect commands',
    description: 'Finds how the workspace formats, lints and tests, and says why. It runs nothing.',
    effect: 'read',
    ceiling: 'HIGH',
    input: z.strictObject({}),
    output: z.object({ format: found, lint_fix: found, lint: found, test: found }),
    async run(_input, context) {
      const { absolute } = await resolveInside(requireWorkspace(context.workspace), '.');
      const detect = async (purpose: CommandPurpose) => {
        const detected = await detectCommand(purpose, absolute, { environment, signal: context.signal });
        if (!detected.found) return { command: '', source: 'none' as const, reason: detected.reason, overridden: [] };
        const { command, source, reason, overridden } = detected;
        return { command, source, reason, overridden };
      };
      return {
        format: await detect(purposes.format),
        lint_fix: await detect(purposes.lint_fix),
        lint: await detect(purposes.lint),
        test: await detect(purposes.test),
      };
    },
  });
