import type { RecoveryLog } from '../state';

/** A person was called for these dimensions: their recovery classes start counting again, so the answer buys further tries (D3, D11). */
export function acknowledgeEscalations(log: RecoveryLog, escalations: readonly { dimension: string }[]): RecoveryLog {
  const called = new Set(escalations.map(({ dimension }) => dimension));
  if (called.size === 0) return log;
  const unchanged = Object.fromEntries(Object.entries(log.unchanged).filter(([key]) => !called.has(key.slice(0, key.indexOf(':')))));
  return { unchanged, escalated_dimension: null };
}
