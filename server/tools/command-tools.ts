import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import type { ToolContext } from '@/harness/contract/tool';
import { changedPaths, listingOf } from '../workspace/changed-paths';
import { requireAllowed, requireHarmless, requireRunnable } from '../workspace/command-guard';
import { exitCodeOf, shownOutput } from '../workspace/command-output';
import type { CommandPurpose } from '../workspace/command-purpose';
import { type ConfiguredCommands, detectCommand } from '../workspace/detect-command';
import { parseCounts } from '../workspace/parse-counts';
import { runProcess } from '../workspace/run-process';
import { type AnyTool, defineTool } from './define-tool';
import { requireWorkspace, resolveInside } from './workspace-root';

const command = z.string().min(1).max(8000);
const folder = z.string().max(4096).default('.').describe('Where it runs, relative to the workspace.');
const timeoutSeconds = z.int().min(1).max(1800).default(60).describe('It is stopped after this time.');

const output = z.object({
  command: z.string(),
  /** Why this command, when none was given. */
  reason: z.string(),
  passed: z.boolean(),
  exitCode: z.int(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  output: z.string(),
  savedTo: z.string().nullable(),
  counts: z.object({ passed: z.int(), failed: z.int() }).nullable(),
  paths: z.array(z.string()),
  pathsComplete: z.boolean(),
});

interface Request {
  tool: string;
  command: string;
  reason: string;
  folder: string;
  timeoutSeconds: number;
}

async function perform(request: Request, context: ToolContext): Promise<z.input<typeof output>> {
  const workspace = requireWorkspace(context.workspace);
  const [root, place] = await Promise.all([resolveInside(workspace, '.'), resolveInside(workspace, request.folder)]);
  const before = await listingOf(root.absolute, context.signal);
  const timeoutMs = Math.min(request.timeoutSeconds * 1000, context.timeoutMs ?? Number.POSITIVE_INFINITY);
  const { argv, variables } = requireRunnable(request.command);
  const result = await runProcess({ argv, variables, folder: place.absolute, timeoutMs, signal: context.signal });
  const changed = changedPaths(before, await listingOf(root.absolute, context.signal));
  const shown = await shownOutput(result, { workspace, tool: request.tool, now: context.now(), timeoutMs });
  return {
    command: request.command,
    reason: request.reason,
    passed: result.exitCode === 0,
    exitCode: exitCodeOf(result),
    signal: result.signal,
    timedOut: result.ended === 'timeout',
    ...shown,
    counts: parseCounts(result.output),
    paths: changed.paths,
    pathsComplete: changed.complete,
  };
}

const runCommand = defineTool({
  name: 'run_command',
  title: 'Run command',
  description:
    'Runs one program in the workspace and gives its exit code, its output and the files that changed. No shell: no pipes, redirections, && or variables. It has no input and is stopped after a time.',
  effect: 'write',
  ceiling: 'HIGH',
  input: z.strictObject({ command: command.describe('The program and its arguments, quoted as in a shell.'), folder, timeoutSeconds }),
  output,
  async run(input, context) {
    requireAllowed(input.command);
    return perform({ ...input, tool: 'run_command', reason: 'it was given' }, context);
  },
});

interface Purposeful {
  name: string;
  title: string;
  description: string;
  effect: 'idempotent' | 'write';
  purposes: readonly CommandPurpose[];
}

/** A tool that runs the workspace's own command for a purpose, or the one it is given. */
const createPurposeful = (about: Purposeful, environment: ConfiguredCommands) =>
  defineTool({
    name: about.name,
    title: about.title,
    description: `${about.description} Without a command it runs the one that the workspace defines. No shell is used.`,
    effect: about.effect,
    ceiling: 'HIGH',
    input: z.strictObject({ command: command.optional(), folder, timeoutSeconds }),
    output,
    async run(input, context) {
      if (input.command !== undefined) {
        requireRunnable(input.command);
        requireHarmless(input.command);
        return perform({ ...input, command: input.command, tool: about.name, reason: 'it was given' }, context);
      }
      const { absolute } = await resolveInside(requireWorkspace(context.workspace), input.folder);
      const passed: string[] = [];
      for (const purpose of about.purposes) {
        const detected = await detectCommand(purpose, absolute, { environment, signal: context.signal });
        if (!detected.found) {
          passed.push(detected.reason);
          continue;
        }
        requireHarmless(detected.command);
        return perform({ ...input, command: detected.command, tool: about.name, reason: detected.reason }, context);
      }
      throw userError('TOOL_NO_COMMAND', `There is nothing to run: ${passed.join('; ')}. Give a command.`);
    },
  });

/** Programs that run in the workspace. */
export const commandTools = (environment: ConfiguredCommands): AnyTool[] => [
  runCommand,
  createPurposeful(
    { name: 'run_tests', title: 'Run tests', description: 'Runs the tests.', effect: 'idempotent', purposes: ['unit', 'integration'] },
    environment,
  ),
  createPurposeful(
    { name: 'run_lint', title: 'Run lint', description: 'Runs the linter.', effect: 'idempotent', purposes: ['lint', 'syntax'] },
    environment,
  ),
  createPurposeful(
    { name: 'format_code', title: 'Format code', description: 'Formats the code.', effect: 'write', purposes: ['format', 'lint_fix'] },
    environment,
  ),
];
