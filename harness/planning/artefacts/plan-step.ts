import { z } from 'zod';

export const stepTools = ['create_file', 'edit_file', 'read_file', 'run_command', 'run_tests', 'run_lint', 'format_code'] as const;

/** Tools whose step acts on one file and needs its path. */
export const fileTools: readonly string[] = ['create_file', 'edit_file', 'read_file'];

/** Tools that change a file. */
export const writeTools: readonly string[] = ['create_file', 'edit_file'];

/** Tools that act on the whole workspace; in grouping each of them is a barrier (planning.md §13). */
export const commandTools: readonly string[] = ['run_tests', 'run_lint', 'format_code', 'run_command'];

export const successCheckSchema = z.object({
  description: z.string(),
  tool: z.string().default(''),
  command: z.string().default(''),
  expected: z.string().default(''),
});

/** The fuller shape of a step (planning.md §8, `PlanStep v2`), kept at run time: what may change, what proves it done. */
export const stepContractSchema = z.object({
  job: z.string(),
  inputs: z.array(z.object({ source: z.string(), details: z.string() })).default([]),
  may_change: z.array(z.object({ path: z.string(), change: z.string() })).default([]),
  must_not_change: z.array(z.string()).default([]),
  allowed_tools: z.array(z.string()).default([]),
  output_shape: z.string().default(''),
  success_checks: z.array(successCheckSchema).default([]),
  blocked_protocol: z.string().default(''),
});
export type StepContract = z.output<typeof stepContractSchema>;

/**
 * One step is one tool call, told to an executor who sees nothing else (planning.md §8). A tool outside of the seven is a finding of the
 * validators, not a parse error: one stray step must not cost the whole plan.
 */
export const planStepSchema = z.object({
  step_number: z.int(),
  tool: z.string().describe(`One of ${stepTools.join(', ')}.`),
  file_path: z.string().default('').describe('Empty for tools that run commands.'),
  instruction: z.string().refine((text) => text.trim() !== '', 'an instruction cannot be blank'),
  reason: z.string().default(''),
  context: z.string().default(''),
  contract: stepContractSchema.optional(),
});
export type PlanStep = z.output<typeof planStepSchema>;

export const isWriteStep = (step: Pick<PlanStep, 'tool'>): boolean => writeTools.includes(step.tool);
export const isCommandStep = (step: Pick<PlanStep, 'tool'>): boolean => commandTools.includes(step.tool);

/** The same steps counted from `first`. */
export const numbered = (steps: readonly PlanStep[], first = 1): PlanStep[] =>
  steps.map((step, at) => (step.step_number === first + at ? step : { ...step, step_number: first + at }));

/** A step in one line of at most `limit` characters, as checklists show it. */
export function describeStep(step: Pick<PlanStep, 'tool' | 'file_path' | 'instruction'>, limit = 120): string {
  const text = [step.tool, step.file_path, step.instruction.replaceAll(/\s+/g, ' ').trim()].filter((part) => part !== '').join(' ');
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}

/** What the plan should mind about a step's shape; both are told, neither is refused. */
export function stepShapeWarnings(steps: readonly PlanStep[], allowed: readonly string[] = stepTools): string[] {
  return steps.flatMap((step) => {
    if (!allowed.includes(step.tool)) return [`step ${step.step_number} uses unknown tool: ${step.tool}`];
    return fileTools.includes(step.tool) && step.file_path.trim() === '' ? [`step ${step.step_number} (${step.tool}) names no file`] : [];
  });
}
