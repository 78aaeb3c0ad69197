import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import type { ModelRole } from '../../contract/model';
import { compared, decided, fact } from '../../layers/shared/explain';
import { failedSteps, type ValidationResults, type ValidationStep } from '../artefacts/results';
import { regressionsNamed } from './failures';
import { defaultPostValidationConfig, type PostValidationConfig } from './plan';

/** One row per attempt (planning.md §15, 6). */
export const validationAttemptSchema = z.object({
  attempt: z.int().min(1),
  failing_commands: z.array(z.string()),
  error_output: z.string(),
  diagnosis: z.string(),
  fix_tool_calls: z.array(z.string()),
  succeeded: z.boolean(),
  failures_before: z.int().min(0),
  failures_after: z.int().min(0),
  regression_failure: z.boolean(),
});
export type ValidationAttempt = z.output<typeof validationAttemptSchema>;

export type NextAttempt =
  | { go: true; attempt: number; role: Extract<ModelRole, 'primary' | 'expert'>; last: boolean; tdd_lock: boolean; decision: Decision }
  | { go: false; reason: 'none_failing' | 'no_retries' | 'used_up'; decision: Decision };

/** Failures the loop works on. */
export const repairable = (results: ValidationResults, config: PostValidationConfig = defaultPostValidationConfig): ValidationStep[] =>
  failedSteps(results).filter((step) => config.repairs.includes(step));

/**
 * Whether and by whom the next attempt is made: the primary model, and the expert on the last attempt where one is configured. `made` counts
 * attempts so far.
 */
export function nextAttempt(
  results: ValidationResults,
  made: number,
  expertConfigured: boolean,
  config: PostValidationConfig = defaultPostValidationConfig,
): NextAttempt {
  const failing = repairable(results, config);
  const because = [
    compared('failing', failing.length, '>', 0),
    compared('attempts made', made, '<', config.retries),
    fact('expert configured', expertConfigured),
  ];
  const stop = (reason: Extract<NextAttempt, { go: false }>['reason']): NextAttempt => ({
    go: false,
    reason,
    decision: decided({ rule: 'fix loop', outcome: `stop: ${reason}`, because }),
  });
  if (failing.length === 0) return stop('none_failing');
  if (config.retries === 0) return stop('no_retries');
  if (made >= config.retries) return stop('used_up');
  const attempt = made + 1;
  const last = attempt === config.retries;
  const role = last && config.expertOnLast && expertConfigured ? 'expert' : 'primary';
  return {
    go: true,
    attempt,
    role,
    last,
    tdd_lock: expertConfigured,
    decision: decided({
      rule: 'fix loop',
      outcome: `attempt ${attempt} by ${role}`,
      because: [...because, fact('last attempt', last)],
      ...(role === 'primary' && expertConfigured && config.expertOnLast
        ? { alternatives: [{ outcome: 'attempt by expert', needs: `attempt ${config.retries}` }] }
        : {}),
    }),
  };
}

/** What an attempt did, as its row is written from it. */
export interface AttemptFacts {
  attempt: number;
  before: ValidationResults;
  after: ValidationResults;
  diagnosis: string;
  fix_tool_calls: readonly string[];
  regression_pattern?: string;
}

export function attemptRow(
  { attempt, before, after, diagnosis, fix_tool_calls, regression_pattern }: AttemptFacts,
  config: PostValidationConfig = defaultPostValidationConfig,
): ValidationAttempt {
  const failing = repairable(before, config);
  const remaining = repairable(after, config);
  const output = failing.map((step) => before[step]?.full_output ?? '').join('\n');
  return {
    attempt,
    failing_commands: failing,
    error_output: output.length <= config.errorLimit ? output : output.slice(output.length - config.errorLimit),
    diagnosis,
    fix_tool_calls: [...fix_tool_calls],
    succeeded: remaining.length === 0,
    failures_before: failing.length,
    failures_after: remaining.length,
    regression_failure: regressionsNamed(output, regression_pattern).length > 0,
  };
}
