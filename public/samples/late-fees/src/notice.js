import { lateFee } from './fees.js';

/** The sentence on the notice that goes out with a returned loan. */
export function notice(title, due, returned) {
  const cents = lateFee(due, returned);
  if (cents === 0) return `"${title}" is back. Nothing is due.`;
  return `"${title}" is back late. Please pay ${(cents / 100).toFixed(2)}.`;
}
