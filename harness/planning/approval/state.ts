import { z } from 'zod';

export const approvalStatusSchema = z.enum(['AWAITING', 'REVISING', 'APPROVED', 'CANCELLED', 'EXHAUSTED']);

/** Where an approval stands (planning.md §11). `feedback` is in the order in which it was given. */
export const approvalStateSchema = z.object({
  status: approvalStatusSchema.default('AWAITING'),
  revision_count: z.int().min(0).default(0),
  feedback: z.array(z.string()).default([]),
});
export type ApprovalState = z.output<typeof approvalStateSchema>;
export const initialApproval: ApprovalState = approvalStateSchema.parse({});

export const approvalConfigSchema = z.object({
  maxRevisions: z.int().min(0).max(100).default(5).meta({ title: 'Revisions that feedback may ask for' }),
});
export type ApprovalConfig = z.output<typeof approvalConfigSchema>;
export const defaultApprovalConfig: ApprovalConfig = approvalConfigSchema.parse({});

/** What can happen to an approval: messages of the client, the loss of the client, and the end of a revision. */
export type ApprovalEvent =
  | { type: 'approve' }
  | { type: 'user_message'; content: string }
  | { type: 'cancel' }
  | { type: 'disconnect' }
  | { type: 'revised' }
  | { type: 'revision_failed'; error: string };

export type ApprovalEffect =
  | { event: 'approval_required' }
  | { event: 'plan_rejected'; feedback: string }
  | { event: 'revise_plan'; feedback: string }
  | { event: 'plan_revision'; revision: number }
  | { event: 'error'; message: string; recoverable: boolean }
  | { event: 'cancelled' }
  | { event: 'approved' }
  | { event: 'memory'; category: 'rejection'; content: string };

export const isFinal = ({ status }: ApprovalState): boolean => ['APPROVED', 'CANCELLED', 'EXHAUSTED'].includes(status);
