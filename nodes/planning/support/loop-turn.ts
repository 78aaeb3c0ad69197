import type { DecisionInput } from '@/harness/contract/decision';
import type { ModelReply } from '@/harness/contract/model';
import { compared, fact } from '@/harness/layers/shared/explain';
import { refreshLimit } from '@/harness/planning/context/pressure';
import type { LoopConfig } from '@/harness/planning/control-loop/config';
import type { Turn } from '@/harness/planning/control-loop/turn';

/** What a turn is judged by besides its calls. */
export const replyFacts = (
  reply: ModelReply,
  more: Pick<Turn, 'turn_index' | 'prompt_tokens' | 'context_window' | 'message_count' | 'refresh' | 'offered'>,
): Omit<Turn, 'calls' | 'call_count' | 'completion' | 'interrupt'> => ({
  ...more,
  text: reply.text,
  finish: reply.finish,
  reasoning_aborted: reply.reasoningAborted === true,
});

/** The decision of a turn after which nothing fires. */
export const continued = (turn: Turn, { maxTurns, pressure }: LoopConfig): DecisionInput => ({
  rule: 'control loop: turn',
  outcome: 'continue',
  because: [
    fact('tool calls', turn.call_count),
    maxTurns === 0 ? fact('turns', turn.turn_index + 1) : compared('turns', turn.turn_index + 1, '<', maxTurns),
    ...(turn.prompt_tokens === null || turn.context_window === null
      ? []
      : [compared('prompt tokens', turn.prompt_tokens, '<', refreshLimit(turn.context_window, pressure))]),
  ],
});
