import type { Verification } from '../verification/state';
import { matchFailurePattern } from './failure-library';
import type { FailureKind } from './recover';
import type { FailurePattern, PatternMatch } from './state';

export interface FailedResult {
  status: 'done' | 'continue' | 'failed';
  error: string | null;
  /** How the execution failed, where it says so. */
  failure: Exclude<FailureKind, 'verification'> | null;
}

/** What is known of why a task failed, in the words that patterns are matched against. */
export interface FailureSigns {
  kind: FailureKind;
  symptoms: string[];
}

/** A result that was done and refused failed by verification; one with an error failed by it; one without did not do the task (layers.md R10). */
export function failureSigns(result: FailedResult | undefined, verification: Pick<Verification, 'checks'> | null): FailureSigns {
  const failed = verification?.checks.filter(({ status }) => status === 'FAIL') ?? [];
  const checks = failed.map(({ check, detail }) => `${check}: ${detail}`);
  if (result?.status !== 'failed' && checks.length > 0) return { kind: 'verification', symptoms: checks };
  const error = result?.error ?? null;
  return {
    kind: result?.failure ?? (error === null ? 'not_accomplished' : 'system_error'),
    symptoms: error === null ? checks : [error],
  };
}

/** The pattern that fits this failure best: by its own words or, when that is surer, the one already matched from what was observed. */
export function matchFailure(
  symptoms: readonly string[],
  library: readonly FailurePattern[],
  known: PatternMatch | null,
): PatternMatch | null {
  const own = matchFailurePattern(symptoms, library);
  if (own === null) return known;
  return known !== null && known.confidence > own.confidence ? known : own;
}

/** The library's pattern that was named, as a match; `null` for none or one that is not in the library. */
export function patternOf(library: readonly FailurePattern[], named: { pattern: string | null; confidence: number }): PatternMatch | null {
  const pattern = library.find(({ id }) => id === named.pattern);
  if (!pattern) return null;
  return {
    failure_class: pattern.failure_class,
    confidence: named.confidence,
    matched_pattern: pattern.id,
    ...(pattern.strategy_affinity === undefined ? {} : { strategy_affinity: pattern.strategy_affinity }),
  };
}
