import { z } from 'zod';

/** A finding that names its tasks; only those are reopened (D5). */
export const findingSchema = z.object({
  lens: z.enum(['implementer', 'reviewer', 'adversarial']),
  text: z.string(),
  taskIds: z.array(z.string()).default([]),
});
export type Finding = z.output<typeof findingSchema>;

/** The one finding that the next resolve reads, once (layers.md R11, INV-18). */
export const reviewerVerdictSchema = z.object({
  severity: z.enum(['LOW', 'MEDIUM', 'HIGH']),
  lens: z.enum(['implementer', 'reviewer', 'adversarial']),
  summary: z.string(),
});
export type ReviewerVerdict = z.output<typeof reviewerVerdictSchema>;
