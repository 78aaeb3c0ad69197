/* What the rules know of the planning pipeline: type ids as data, since the compiler reads no node types but from the catalogue. */

/** Node types of the pipeline that rules speak of by name. */
export const planningTypes = {
  guards: 'tool-guard-chain',
  approval: 'plan-approval',
  humanGate: 'human-gate',
  execute: 'execute-plan',
  step: 'step-executor',
  assemble: 'assemble-plan',
  explore: 'explore',
  tdd: 'tdd-controller',
} as const;

/** Types that may write into the workspace: each needs a tool guard chain (planning.md §21, 1). */
export const workspaceWriters: readonly string[] = ['step-executor', 'fix-loop', 'post-validation'];

/** Port of an approval that says yes. */
export const approvedPort = 'approved';

/** The channel the commands of the workspace stand in. */
export const commandChannel = 'commandSet';
