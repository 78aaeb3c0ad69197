import { z } from 'zod';

/** A pattern in JavaScript syntax, kept as text. One that cannot be compiled is refused where it is typed, not where it is used. */
export const patternSchema = z.string().min(1).refine(compiles, 'not a regular expression');

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
