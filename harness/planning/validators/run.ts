import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { checks } from './all';
import type { CheckId, Severity } from './config';
import type { ValidatorContext, WeakMatch } from './context';

export type CheckStatus = 'pass' | 'info' | 'warn' | 'block' | 'skipped';

export interface CheckResult {
  id: CheckId;
  title: string;
  severity: Severity;
  status: CheckStatus;
  warnings: string[];
  weak_matches: WeakMatch[];
  /** Subjects whose lack is blocking, whatever the severity of the check (V2). */
  blocking: string[];
  skipped?: string;
  decision: Decision;
}

export interface ValidationReport {
  results: CheckResult[];
  /** What goes on the plan: everything found by checks that warn or block. */
  warnings: string[];
  /** Blocking missing files that no step covers. */
  blocking: string[];
  outcome: 'pass' | 'warn' | 'blocked';
  decision: Decision;
}

function runCheck(id: CheckId, severity: Severity, context: ValidatorContext): CheckResult {
  const check = checks[id];
  const { warnings, because, weak = [], blocking = [], skipped } = check.run(context);
  const status: CheckStatus = skipped !== undefined ? 'skipped' : warnings.length === 0 ? 'pass' : severity;
  return {
    id,
    title: check.title,
    severity,
    status,
    warnings,
    weak_matches: weak,
    blocking,
    ...(skipped === undefined ? {} : { skipped }),
    decision: decided({
      rule: `check_result ${id}`,
      outcome: status,
      because: [
        ...(skipped === undefined ? because : [fact('skipped', skipped)]),
        ...(warnings.length === 0 ? [] : [fact('findings', warnings)]),
        ...weak.map(({ subject, step, by }) => fact(`weak match: ${subject}`, `step ${step}, ${by}`)),
      ],
      alternatives: status === 'pass' || status === 'skipped' ? [] : [{ outcome: 'pass', needs: 'no findings' }],
      note: check.title,
    }),
  };
}

/**
 * Runs the chosen checks over one plan (planning.md §10). Pure and total: it only reports. A skipped check counts neither as passed nor as
 * failed; nothing but a check of severity `block` makes the outcome `blocked`.
 */
export function validatePlan(context: ValidatorContext): ValidationReport {
  const results = context.config.checks.map(({ id, severity }) => runCheck(id, severity, context));
  const count = (status: CheckStatus) => results.filter((result) => result.status === status).length;
  const outcome = count('block') > 0 ? 'blocked' : count('warn') > 0 ? 'warn' : 'pass';
  return {
    results,
    warnings: [...new Set(results.filter(({ status }) => status === 'warn' || status === 'block').flatMap(({ warnings }) => warnings))],
    blocking: [...new Set(results.flatMap(({ blocking }) => blocking))],
    outcome,
    decision: decided({
      rule: 'checks_summary',
      outcome,
      because: [
        compared('blocked', count('block'), '==', 0),
        compared('warned', count('warn'), '==', 0),
        fact('passed', count('pass')),
        fact('skipped', count('skipped')),
        ...(count('info') === 0 ? [] : [fact('noted', count('info'))]),
      ],
    }),
  };
}
