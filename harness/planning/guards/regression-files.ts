import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { defaultGuardConfig, type GuardConfig } from './guard-config';
import { isRegressionPath } from './path-rules';

/** The channel that holds the session's regression tests until the plan is complete. */
export const regressionSessionSchema = z.object({ session_created_regression_files: z.array(z.string()).default([]) });
export type RegressionSession = z.output<typeof regressionSessionSchema>;

/** Adds paths that were created; each stands once. */
export const withCreated = (session: RegressionSession, paths: readonly string[]): RegressionSession => ({
  session_created_regression_files: [...new Set([...session.session_created_regression_files, ...paths])],
});

/** The plan is complete: what was created is finalised and from now on guarded. */
export function finaliseRegressions(session: RegressionSession): { session: RegressionSession; finalised: string[]; decision: Decision } {
  const finalised = session.session_created_regression_files;
  return {
    session: { session_created_regression_files: [] },
    finalised,
    decision: decided({
      rule: 'G3: regression guard',
      outcome: `finalised ${finalised.length} regression tests`,
      because: [fact('files', finalised)],
    }),
  };
}

/** Digests of files by their path relative to the root. */
export type FileDigests = Readonly<Record<string, string>>;

export interface RegressionChange {
  path: string;
  change: 'changed' | 'deleted';
}

export interface RegressionDiff {
  violations: RegressionChange[];
  /** New regression tests, to be added to the session's set. */
  created: string[];
  /** For the model; null when nothing is wrong. */
  text: string | null;
  decision: Decision;
}

/**
 * Compares regression tests before and after a step, so that a command, a formatter or a rename is no way around the guard (P6). What the
 * session created itself may change.
 */
export function diffRegressions(
  before: FileDigests,
  after: FileDigests,
  session: RegressionSession,
  config: GuardConfig = defaultGuardConfig,
): RegressionDiff {
  const isRegression = (path: string): boolean => isRegressionPath(path, config.regressionPattern);
  const own = new Set(config.ignoreSession ? [] : session.session_created_regression_files);
  const violations: RegressionChange[] = [];
  for (const path of Object.keys(before).filter(isRegression).sort()) {
    if (own.has(path)) continue;
    if (!Object.hasOwn(after, path)) violations.push({ path, change: 'deleted' });
    else if (after[path] !== before[path]) violations.push({ path, change: 'changed' });
  }
  const created = Object.keys(after)
    .filter((path) => isRegression(path) && !Object.hasOwn(before, path))
    .sort();
  const listed = violations.map(({ path, change }) => `"${path}" was ${change}`).join(', ');
  return {
    violations,
    created,
    text:
      violations.length === 0
        ? null
        : `ERROR: ${listed}. Regression tests from before this session must stay as they are; they are restored.`,
    decision: decided({
      rule: 'G3: regression files after the step',
      outcome: violations.length === 0 ? 'unharmed' : 'restore',
      because: [
        compared('guarded regression tests changed or deleted', violations.length, '==', 0),
        fact(
          'files',
          violations.map(({ path }) => path),
        ),
        fact('created', created),
      ],
    }),
  };
}
