import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { type CommandSet, resultOutputLimit, type ValidationStep, validationSteps } from '../artefacts/results';

export const postValidationConfigSchema = z.object({
  enabled: z.boolean().default(true).meta({ title: 'Validate what was changed' }),
  retries: z.int().min(0).default(2).meta({ title: 'Attempts to repair', description: '0 = none.' }),
  turns: z.int().min(1).default(30).meta({ title: 'Turns of each attempt' }),
  expertOnLast: z.boolean().default(true).meta({ title: 'The expert makes the last attempt, where there is one' }),
  repairs: z
    .array(z.enum(validationSteps))
    .default([...validationSteps])
    .meta({ title: 'Steps whose failure is repaired', description: 'Failures of others are shown and left.' }),
  outputLimit: z.int().min(0).max(resultOutputLimit).default(resultOutputLimit).meta({ title: 'Characters of output kept of each step' }),
  errorLimit: z.int().min(0).default(3000).meta({ title: 'Characters of output kept of each attempt' }),
  failureLimit: z.int().min(0).default(8000).meta({ title: 'Characters of failures put to the model' }),
  failureLines: z.int().min(1).default(80).meta({ title: 'Last lines put to it when they are longer' }),
});
export type PostValidationConfig = z.output<typeof postValidationConfigSchema>;
export const defaultPostValidationConfig: PostValidationConfig = postValidationConfigSchema.parse({});

export interface ValidationCommand {
  step: ValidationStep;
  command: string;
}

/** `sequential` change files and run one after another, then `parallel` only look and run side by side. */
export type ValidationPlan =
  | { run: true; sequential: ValidationCommand[]; parallel: ValidationCommand[]; decision: Decision }
  | { run: false; reason: 'off' | 'nothing_modified' | 'no_command'; decision: Decision };

/** What is to be run after an execution (planning.md §15, 1 to 3). */
export function planValidation(
  commands: CommandSet,
  filesModified: number,
  config: PostValidationConfig = defaultPostValidationConfig,
): ValidationPlan {
  const of = (steps: readonly ValidationStep[]): ValidationCommand[] =>
    steps.map((step) => ({ step, command: commands[step].trim() })).filter(({ command }) => command !== '');
  const sequential = of(['format', 'lint_fix']);
  const parallel = of(['lint', 'test']);
  const known = [...sequential, ...parallel].map(({ step }) => step);
  const because = [fact('on', config.enabled), compared('files modified', filesModified, '>', 0), fact('commands known', known)];
  const skip = (reason: Extract<ValidationPlan, { run: false }>['reason']): ValidationPlan => ({
    run: false,
    reason,
    decision: decided({ rule: 'post-validation', outcome: `skipped: ${reason}`, because }),
  });
  if (!config.enabled) return skip('off');
  if (filesModified === 0) return skip('nothing_modified');
  if (known.length === 0) return skip('no_command');
  return { run: true, sequential, parallel, decision: decided({ rule: 'post-validation', outcome: `run ${known.join(', ')}`, because }) };
}
