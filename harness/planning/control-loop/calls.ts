import type { Json } from '../../contract/json';
import type { ToolCall } from '../../contract/model';
import { stableJson } from '../../flow/stable-json';
import { defaultLoopConfig, type LoopConfig } from './config';
import type { LoopState } from './state';

/** A call that was carried out. `status` and `exit_code` come from the process, never from the text of its answer (P8). */
export interface FinishedCall {
  name: string;
  arguments: Json;
  status: 'ok' | 'failed' | 'denied';
  /** The exit code of the process; null when there was none. */
  exit_code: number | null;
}

/** Equal for calls of one tool with equal arguments, in whatever order their keys are written. */
export const callSignature = (call: { name: string; arguments: Json }): string => `${call.name} ${stableJson(call.arguments)}`;

/** The calls of a reply in the order they are carried out: as they came, `task_complete` last; of several `task_complete` the first counts. */
export function orderCalls(
  calls: readonly ToolCall[],
  config: Pick<LoopConfig, 'completionTool'> = defaultLoopConfig,
): { siblings: ToolCall[]; completion: ToolCall | null; surplus: ToolCall[] } {
  const siblings = calls.filter(({ name }) => name !== config.completionTool);
  const [completion = null, ...surplus] = calls.filter(({ name }) => name === config.completionTool);
  return { siblings, completion, surplus };
}

export interface DetectedLoop {
  tool_name: string;
  count: number;
}

/** Takes finished calls into the state, in their order: the same call again and again, and checks that fail again and again. */
export function noteCalls(
  state: LoopState,
  calls: readonly FinishedCall[],
  config: LoopConfig = defaultLoopConfig,
): { state: LoopState; loops: DetectedLoop[] } {
  const next = { ...state };
  const loops: DetectedLoop[] = [];
  for (const call of calls) {
    const signature = callSignature(call);
    next.consecutive_same_tool = signature === next.prev_tool_hash ? next.consecutive_same_tool + 1 : 1;
    next.prev_tool_hash = signature;
    if (config.loopDetection > 0 && next.consecutive_same_tool >= config.loopDetection) {
      loops.push({ tool_name: call.name, count: next.consecutive_same_tool });
      next.consecutive_same_tool = 0;
    }
    // A refused run says nothing about the tests.
    if (!config.checkTools.includes(call.name) || call.status === 'denied') continue;
    const failed = call.status === 'failed' || (call.exit_code !== null && call.exit_code !== 0);
    next.recent_test_failures = failed ? next.recent_test_failures + 1 : 0;
  }
  return { state: next, loops };
}
