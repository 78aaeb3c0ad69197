import { z } from 'zod';

export const severitySchema = z.enum(['LOW', 'MEDIUM', 'HIGH', 'SYSTEM_BREAKING']);
export type Severity = z.output<typeof severitySchema>;

/** A conflict on record (layers.md R4). */
export const contradictionSchema = z.object({
  id: z.string(),
  type: z.enum(['pairwise', 'set-level', 'temporal', 'abstraction']),
  severity: severitySchema,
  scope: z.enum(['local', 'task', 'global']),
  description: z.string(),
  involved_belief_ids: z.array(z.string()),
});
export type Contradiction = z.output<typeof contradictionSchema>;
