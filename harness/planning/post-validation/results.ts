import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { defaultPostValidationConfig, type PostValidationConfig, type ValidationStep, validationSteps } from './plan';

export const stepResultSchema = z.object({ success: z.boolean(), output: z.string(), full_output: z.string() });
export type StepResult = z.output<typeof stepResultSchema>;

/** Results by step; a step that did not run is absent and counts neither as passed nor as failed. */
export const resultMapSchema = z.partialRecord(z.enum(validationSteps), stepResultSchema);
export type ResultMap = z.output<typeof resultMapSchema>;

export interface FinishedCommand {
  step: ValidationStep;
  /** By the exit of the process, not by its output. */
  success: boolean;
  full_output: string;
}

/** The end of an output says what failed; so that part is kept. */
const ending = (text: string, limit: number): string => (text.length <= limit ? text : limit === 0 ? '' : text.slice(-limit));

export function resultMap(commands: readonly FinishedCommand[], config: PostValidationConfig = defaultPostValidationConfig): ResultMap {
  const results: ResultMap = {};
  for (const { step, success, full_output } of commands)
    results[step] = { success, output: ending(full_output, config.outputLimit), full_output };
  return results;
}

const stepsOf = (results: ResultMap): ValidationStep[] => validationSteps.filter((step) => results[step] !== undefined);

export const failedSteps = (results: ResultMap): ValidationStep[] => stepsOf(results).filter((step) => results[step]?.success === false);

/** `3/4 passed. Failed: lint.` */
export function summaryText(results: ResultMap): string {
  const all = stepsOf(results);
  const failed = failedSteps(results);
  const passed = `${all.length - failed.length}/${all.length} passed.`;
  return failed.length === 0 ? passed : `${passed} Failed: ${failed.join(', ')}.`;
}

export function summaryDecision(results: ResultMap): Decision {
  const failed = failedSteps(results);
  return decided({
    rule: 'post-validation',
    outcome: failed.length === 0 ? 'passed' : 'failed',
    because: [compared('steps failed', failed.length, '==', 0), fact('failed', failed), fact('ran', stepsOf(results))],
  });
}

/** What is said at the end; remaining failures are shown and nothing is rolled back. `attempts` is how many were made. */
export function closingText(results: ResultMap, attempts: number): string {
  const failed = failedSteps(results);
  if (failed.length > 0) return `${failed.length} failure(s) remain: ${failed.join(', ')}.`;
  return attempts === 0 ? summaryText(results) : `All resolved after ${attempts} attempt(s).`;
}
