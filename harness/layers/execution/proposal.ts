import { z } from 'zod';

/** What waits at the gate while a run is suspended. The parallel candidate is kept with it, so that both are resumed (D8). */
export const pendingProposalSchema = z.object({
  taskId: z.string(),
  concurrentTaskId: z.string().nullable().default(null),
  gateResult: z.enum(['PASS', 'BLOCK', 'ESCALATE']),
  shouldGatherEvidence: z.boolean().default(false),
  kind: z.enum(['proposal', 'continuation']).default('proposal'),
});
export type PendingProposal = z.output<typeof pendingProposalSchema>;

/** The tasks that run again after a resume, in their order; tasks that are gone or finished meanwhile are left out. */
export const resumedTasks = (pending: PendingProposal, open: ReadonlySet<string>): string[] =>
  pending.gateResult === 'PASS' ? [pending.taskId, pending.concurrentTaskId].filter((id): id is string => id !== null && open.has(id)) : [];
