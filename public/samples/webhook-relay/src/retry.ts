import { config } from './config';
import type { Delivery } from './queue';

export type Verdict = { kind: 'again'; delayMs: number } | { kind: 'dead'; reason: string } | { kind: 'unsubscribe' };

/** What happens to a delivery whose attempt failed. `status` is null when no answer came at all. */
export function afterFailure(delivery: Delivery, status: number | null): Verdict {
  if (status === 410) return { kind: 'unsubscribe' };
  if (delivery.attempts >= config.maxAttempts) {
    return { kind: 'dead', reason: `no success in ${delivery.attempts} attempts` };
  }
  return { kind: 'again', delayMs: delayBefore(delivery.attempts + 1) };
}

/** Delay before the nth attempt: it triples each time and stays under the longest one. */
export function delayBefore(attempt: number): number {
  const grown = config.firstDelayMs * config.delayFactor ** (attempt - 2);
  return Math.min(grown, config.maxDelayMs);
}
