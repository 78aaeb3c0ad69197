import type { ExecuteContext } from '@/harness/contract/execute';
import { type LoopConfig, type LoopConfigInput, loopConfigSchema } from '@/harness/planning/control-loop/config';

/** The policy type whose config the tool loop reads. */
export const controlLoopType = 'control-loop';

/**
 * The settings of a loop: the spec's defaults, over them what the node itself sets, over these the innermost attached control loop. A field
 * that the policy leaves empty stays the node's own.
 */
export function loopConfigOf(context: Pick<ExecuteContext, 'attachments'>, own: LoopConfigInput): LoopConfig {
  const policy = context.attachments.findLast(({ type }) => type === controlLoopType);
  const given = Object.entries(policy?.config ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return loopConfigSchema.parse({ ...own, ...Object.fromEntries(given) });
}
