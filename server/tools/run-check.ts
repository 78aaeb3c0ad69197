import { z } from 'zod';
import { checkSyntax, planSyntax } from '../workspace/check-syntax';
import { requireHarmless, requireRunnable } from '../workspace/command-guard';
import { type ConfiguredCommands, detectCommand } from '../workspace/detect-command';
import { parseCounts } from '../workspace/parse-counts';
import { type ProcessResult, runProcess } from '../workspace/run-process';
import { factsOf } from '../workspace/workspace-facts';
import { defineTool } from './define-tool';
import { requireWorkspace, resolveInside } from './workspace-root';

const shownCharacters = 4000;

const outcomeOf = (result: ProcessResult) => ({
  exitCode: result.exitCode,
  timedOut: result.ended === 'timeout',
  output: (result.ended === 'output' ? `${result.output}\n(ended: it wrote too much)` : result.output).slice(-shownCharacters),
});

/** Runs a check that the workspace itself defines. The exit code is the program's own; `found: false` means that nothing was run. */
export const createRunCheck = (environment: ConfiguredCommands) =>
  defineTool({
    name: 'run_check',
    title: 'Run check',
    description:
      'Runs a check of the workspace and gives its exit code: "syntax" (linter, type check or parsing), "unit" or "integration" tests. Without a command it finds the one the workspace defines, and says why. No shell is used.',
    effect: 'idempotent',
    ceiling: 'HIGH',
    input: z.strictObject({
      kind: z.enum(['syntax', 'unit', 'integration']),
      command: z.string().min(1).max(4000).optional().describe('One program and its arguments. Left out: detected.'),
      paths: z.array(z.string().max(4096)).max(1000).optional().describe('For "syntax" without a linter: only these files.'),
      timeoutSeconds: z.int().min(1).max(1800).default(60),
    }),
    output: z.object({
      found: z.boolean(),
      command: z.string().nullable(),
      reason: z.string(),
      exitCode: z.int().nullable(),
      timedOut: z.boolean(),
      output: z.string(),
      counts: z.object({ passed: z.int(), failed: z.int() }).nullable(),
    }),
    async run(input, context) {
      const folder = (await resolveInside(requireWorkspace(context.workspace), '.')).absolute;
      const limits = {
        folder,
        timeoutMs: Math.min(input.timeoutSeconds * 1000, context.timeoutMs ?? Number.POSITIVE_INFINITY),
        signal: context.signal,
      };
      const nothing = (reason: string) => ({
        found: false,
        command: null,
        reason,
        exitCode: null,
        timedOut: false,
        output: '',
        counts: null,
      });
      let chosen: { command: string; reason: string; argv: [string, ...string[]]; variables: Record<string, string> };
      if (input.command !== undefined) {
        const { argv, variables } = requireRunnable(input.command);
        requireHarmless(input.command);
        chosen = { command: input.command, reason: 'it was given', argv, variables };
      } else {
        const detected = await detectCommand(input.kind, folder, { environment, signal: context.signal });
        if (!detected.found) {
          if (input.kind !== 'syntax') return nothing(detected.reason);
          const plan = await planSyntax(await factsOf(folder, context.signal), input.paths === undefined ? null : new Set(input.paths));
          if (plan === null) return nothing(detected.reason);
          const result = await checkSyntax(plan, limits);
          return { found: true, command: plan.command, reason: plan.reason, ...outcomeOf(result), counts: null };
        }
        requireHarmless(detected.command);
        chosen = detected;
      }
      const result = await runProcess({ ...limits, argv: chosen.argv, variables: chosen.variables });
      const counts = input.kind === 'syntax' ? null : parseCounts(result.output);
      return { found: true, command: chosen.command, reason: chosen.reason, ...outcomeOf(result), counts };
    },
  });
