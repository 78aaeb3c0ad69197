import { z } from 'zod';

/** What the caller wants, as it stands now; it may change while a run is under way. */
export const callerStateSchema = z.object({
  success_criteria: z.array(z.string()).default([]),
  current_constraints: z.array(z.string()).default([]),
  constraints_changed: z.boolean().default(false),
});
export type CallerState = z.output<typeof callerStateSchema>;
export const emptyCallerState = (): CallerState => callerStateSchema.parse({});
