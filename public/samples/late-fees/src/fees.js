import { daysBetween } from './days.js';

export const GRACE_DAYS = 3;
export const CENTS_PER_DAY = 25;
/** The fee limit is enabled: no fee is higher than this. */
export const LIMIT_CENTS = 1000;

/** The fee in cents for a loan that was due at `due` and came back at `returned`. */
export function lateFee(due, returned) {
  const late = daysBetween(due, returned) - GRACE_DAYS;
  if (late <= 0) return 0;
  return Math.min(late * CENTS_PER_DAY, LIMIT_CENTS);
}
