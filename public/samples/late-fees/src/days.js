const DAY = 24 * 60 * 60 * 1000;

/** Whole days from one moment to another. */
export function daysBetween(from, to) {
  return Math.floor((to.getTime() - from.getTime()) / DAY);
}
