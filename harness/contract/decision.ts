import { z } from 'zod';
import { jsonSchema } from './json';

/**
 * One number (or word) a rule looked at. `operator` and `threshold` say what it was held against;
 * `distance` is how far the value is from the other outcome, in the value's own unit.
 */
export const reasonSchema = z.object({
  name: z.string(),
  value: jsonSchema,
  operator: z.enum(['<', '<=', '>', '>=', '==', '!=', 'in', 'not in', 'matches', 'is']).optional(),
  threshold: jsonSchema.optional(),
  distance: z.number().optional(),
  holds: z.boolean().optional(),
});
export type Reason = z.output<typeof reasonSchema>;

/** What else could have come out, and what would have had to be different. */
export const alternativeSchema = z.object({ outcome: z.string(), needs: z.string() });

/** A decision names the rule that fired and the numbers it fired on (design §7). */
export const decisionSchema = z.object({
  rule: z.string(),
  outcome: z.string(),
  because: z.array(reasonSchema),
  alternatives: z.array(alternativeSchema).default([]),
  note: z.string().optional(),
});
export type Decision = z.output<typeof decisionSchema>;
export type DecisionInput = z.input<typeof decisionSchema>;
