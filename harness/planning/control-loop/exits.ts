import { compared, decided, fact } from '../../layers/shared/explain';
import type { LoopConfig } from './config';
import type { ExitReason } from './events';
import type { LoopState } from './state';
import { type Firing, isTruncated, type Turn, type Verdict } from './turn';

type Exit = Firing & { verdict: Extract<Verdict, { kind: 'exit' }> };

interface ExitParts {
  reason: ExitReason;
  because: Parameters<typeof decided>[0]['because'];
  warning: string | null;
  summary?: string;
}

const exit = (turn: Turn, { reason, because = [], warning, summary }: ExitParts): Exit => ({
  verdict: { kind: 'exit', reason, summary: summary ?? null, warning },
  event: { kind: 'exit', reason, turn_index: turn.turn_index },
  decision: decided({ rule: `control loop: exit on ${reason}`, outcome: 'exit', because, note: warning ?? undefined }),
});

/** The first reason to end the loop, in the order of the turn: completion, thinking, truncation, text only, turns used up. */
export function findExit(turn: Turn, state: LoopState, config: LoopConfig): Exit | null {
  // A person who speaks keeps the loop open: what the model was about to end no longer stands.
  const spokenTo = turn.interrupt !== null;
  if (turn.completion !== null && turn.completion.rejection === null && !spokenTo) {
    return exit(turn, {
      reason: 'task_complete',
      because: [fact('called', config.completionTool)],
      warning: null,
      summary: turn.completion.summary,
    });
  }
  if (turn.reasoning_aborted && state.consecutive_budget_interrupts > config.reasoningInterrupts) {
    return exit(turn, {
      reason: 'reasoning_budget',
      because: [compared('thinking aborted in a row', state.consecutive_budget_interrupts, '>', config.reasoningInterrupts)],
      warning: `The model's thinking was cut off ${state.consecutive_budget_interrupts} times in a row.`,
    });
  }
  if (isTruncated(turn) && state.consecutive_truncated >= config.truncationExit) {
    return exit(turn, {
      reason: 'truncation',
      because: [compared('truncated replies in a row', state.consecutive_truncated, '>=', config.truncationExit)],
      warning: `${state.consecutive_truncated} replies in a row were cut off before a tool call.`,
    });
  }
  if (
    state.consecutive_text_only >= config.textOnlyExit &&
    turn.call_count === 0 &&
    !isTruncated(turn) &&
    !turn.reasoning_aborted &&
    !spokenTo
  ) {
    return exit(turn, {
      reason: 'text_only',
      because: [compared('replies in a row without a tool call', state.consecutive_text_only, '>=', config.textOnlyExit)],
      warning: null,
    });
  }
  if (config.maxTurns > 0 && turn.turn_index + 1 >= config.maxTurns) {
    return exit(turn, {
      reason: 'turn_cap',
      because: [compared('turns', turn.turn_index + 1, '>=', config.maxTurns)],
      warning: `All ${config.maxTurns} turns are used up.`,
    });
  }
  return null;
}
