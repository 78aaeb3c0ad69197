import { z } from 'zod';
import type { CommandPurpose } from '../workspace/command-purpose';
import { type ConfiguredCommands, commandsFile, detectCommand } from '../workspace/detect-command';
import { factsOf } from '../workspace/workspace-facts';
import { defineTool } from './define-tool';
import { requireWorkspace, resolveInside } from './workspace-root';

const steps = ['format', 'lint_fix', 'lint', 'test'] as const;
type Step = (typeof steps)[number];

const about: Readonly<Record<Step, { purpose: CommandPurpose; key: keyof ConfiguredCommands; variable: string }>> = {
  format: { purpose: 'format', key: 'format', variable: 'BRIDLE_POST_FORMAT_COMMAND' },
  lint_fix: { purpose: 'lint_fix', key: 'lintFix', variable: 'BRIDLE_POST_LINT_FIX_COMMAND' },
  lint: { purpose: 'lint', key: 'lint', variable: 'BRIDLE_POST_LINT_COMMAND' },
  test: { purpose: 'unit', key: 'test', variable: 'BRIDLE_POST_TEST_COMMAND' },
};

const source = z.enum(['commands.json', 'environment', 'detected', 'none']);
const found = z.object({
  command: z.string(),
  source,
  reason: z.string(),
  /** What would have been taken, had the winner not been there. */
  overridden: z.array(z.object({ source, command: z.string() })),
});

/**
 * The commands of the workspace, each with its source and reason (planning.md §1). What a person wrote into commands.json or the environment
 * stands as it is, whether or not it can run here; only what is found in manifests must.
 */
export const createDetectCommands = (environment: ConfiguredCommands) =>
  defineTool({
    name: 'detect_commands',
    title: 'Detect commands',
    description:
      'Says how this workspace formats, repairs lint, lints and tests, and why: .bridle/commands.json first, the server environment second, manifests third. Runs nothing.',
    effect: 'read',
    ceiling: 'HIGH',
    input: z.strictObject({}),
    output: z.object({ format: found, lint_fix: found, lint: found, test: found }),
    async run(_input, context) {
      const folder = (await resolveInside(requireWorkspace(context.workspace), '.')).absolute;
      const facts = await factsOf(folder, context.signal);
      const own = await facts.json(commandsFile);
      const broken = own === 'broken' ? `${commandsFile} is not a JSON object; ` : '';
      const of = async (step: Step): Promise<z.input<typeof found>> => {
        const { purpose, key, variable } = about[step];
        const written = own === null || own === 'broken' ? '' : textOf(own[step]);
        const given = textOf(environment[key]);
        if (written !== '') {
          const overridden = given === '' || given === written ? [] : [{ source: 'environment' as const, command: given }];
          return { command: written, source: 'commands.json', reason: `${commandsFile} gives it as "${step}"`, overridden };
        }
        if (given !== '') return { command: given, source: 'environment', reason: `${broken}${variable} is set`, overridden: [] };
        const detected = await detectCommand(purpose, folder, { environment: {}, signal: context.signal });
        return detected.found
          ? { command: detected.command, source: 'detected', reason: detected.reason, overridden: [] }
          : { command: '', source: 'none', reason: detected.reason, overridden: [] };
      };
      const [format, lint_fix, lint, test] = await Promise.all(steps.map(of));
      const none = { command: '', source: 'none' as const, reason: '', overridden: [] };
      return { format: format ?? none, lint_fix: lint_fix ?? none, lint: lint ?? none, test: test ?? none };
    },
  });

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
