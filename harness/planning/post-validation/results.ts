import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { failedSteps, summariseResults, type ValidationResults, type ValidationStep, validationSteps } from '../artefacts/results';
import { defaultPostValidationConfig, type PostValidationConfig } from './plan';

export interface FinishedCommand {
  step: ValidationStep;
  /** By the exit of the process, not by its output. */
  success: boolean;
  full_output: string;
  command?: string;
  exit_code?: number | null;
}

/** The end of an output says what failed; so that part is kept. */
const ending = (text: string, limit: number): string => (text.length <= limit ? text : limit === 0 ? '' : text.slice(-limit));

/** Results by step; one that did not run is absent and counts neither as passed nor as failed. */
export function resultMap(
  commands: readonly FinishedCommand[],
  config: PostValidationConfig = defaultPostValidationConfig,
): ValidationResults {
  const results: ValidationResults = {};
  for (const { step, ...rest } of commands) results[step] = { ...rest, output: ending(rest.full_output, config.outputLimit) };
  return results;
}

export function summaryDecision(results: ValidationResults): Decision {
  const failed = failedSteps(results);
  return decided({
    rule: 'post-validation',
    outcome: failed.length === 0 ? 'passed' : 'failed',
    because: [
      compared('steps failed', failed.length, '==', 0),
      fact('failed', failed),
      fact(
        'ran',
        validationSteps.filter((step) => results[step] !== undefined),
      ),
    ],
  });
}

/** What is said at the end; remaining failures are shown and nothing is rolled back. `attempts` is how many were made. */
export function closingText(results: ValidationResults, attempts: number): string {
  const failed = failedSteps(results);
  if (failed.length > 0) return `${failed.length} failure(s) remain: ${failed.join(', ')}.`;
  return attempts === 0 ? summariseResults(results) : `All resolved after ${attempts} attempt(s).`;
}
