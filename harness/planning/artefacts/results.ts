import { z } from 'zod';

export const validationSteps = ['format', 'lint_fix', 'lint', 'test'] as const;
export const validationStepSchema = z.enum(validationSteps);
export type ValidationStep = z.output<typeof validationStepSchema>;

/** The workspace's commands, empty where there is none (planning.md §1, `.bridle/commands.json`). */
export const commandSetSchema = z.object({
  format: z.string().default(''),
  lint_fix: z.string().default(''),
  lint: z.string().default(''),
  test: z.string().default(''),
});
export type CommandSet = z.output<typeof commandSetSchema>;

/** Characters of a command's output that results and events carry; the whole is in `full_output`. */
export const resultOutputLimit = 2000;

/** `exit_code` travels beside the text, never inside: nobody has to read a verdict out of output (decision P8). */
export const validationResultSchema = z.object({
  success: z.boolean(),
  output: z.string().max(resultOutputLimit),
  full_output: z.string(),
  command: z.string().optional(),
  exit_code: z.int().nullable().optional(),
});

/** What each command that ran came to (planning.md §15). A command that did not run has no entry and so never counts as passed. */
export const validationResultsSchema = z.partialRecord(validationStepSchema, validationResultSchema);
export type ValidationResults = z.output<typeof validationResultsSchema>;

export const stepStatusSchema = z.enum(['completed', 'failed', 'skipped']);

/** What one executed step came to (planning.md §13). */
export const stepResultSchema = z.object({
  step_number: z.int(),
  status: stepStatusSchema,
  tool: z.string(),
  file_path: z.string().default(''),
  description: z.string().default(''),
  summary: z.string().default(''),
  changed_files: z.array(z.string()).default([]),
  failure_reasons: z.array(z.string()).default([]),
});
export type StepResult = z.output<typeof stepResultSchema>;

/** Names of the commands that failed, in the order in which they run. */
export const failedSteps = (results: ValidationResults): ValidationStep[] =>
  validationSteps.filter((step) => results[step]?.success === false);

/** `p/t passed. Failed: …` over the commands that ran (planning.md §15). */
export function summariseResults(results: ValidationResults): string {
  const ran = validationSteps.filter((step) => results[step] !== undefined);
  const failed = failedSteps(results);
  const passed = `${ran.length - failed.length}/${ran.length} passed.`;
  return failed.length === 0 ? passed : `${passed} Failed: ${failed.join(', ')}`;
}
