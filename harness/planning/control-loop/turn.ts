import type { Decision } from '../../contract/decision';
import type { FinishReason } from '../../contract/model';
import type { FinishedCall } from './calls';
import type { ExitReason, LoopEvent, NudgeKey } from './events';
import type { LoopState } from './state';

/** Everything one turn is judged by. */
export interface Turn {
  /** From 0. */
  turn_index: number;
  text: string;
  /** How many calls the reply held, carried out or not. */
  call_count: number;
  /** The calls that were carried out, in their order. */
  calls: readonly FinishedCall[];
  finish: FinishReason;
  /** True when the provider broke off the thinking of this reply. */
  reasoning_aborted: boolean;
  /** Tokens of the prompt of this turn, and of the window; null = unknown, then nothing is refreshed. */
  prompt_tokens: number | null;
  context_window: number | null;
  /** Messages in the conversation after this turn. */
  message_count: number;
  /** Whether the context can be rebuilt; `failed` after a rebuild that threw, judged once more. */
  refresh: 'available' | 'absent' | 'failed';
  /** The `task_complete` of this turn when it was reached; `rejection` is what a validator said against it. */
  completion: { summary: string; rejection: string | null } | null;
  /** Text of a person's message that came during this turn, from `steer`. */
  interrupt: string | null;
  /** Tools the model can call. */
  offered: readonly string[];
}

/** Exactly one per turn. `summary` goes to the result, `text` to the model. */
export type Verdict =
  | { kind: 'exit'; reason: ExitReason; summary: string | null; warning: string | null }
  | { kind: 'refresh' }
  | { kind: 'nudge'; key: NudgeKey; text: string }
  | { kind: 'continue' };

/** A message put in beside the verdict, after a rebuild if there is one. */
export interface Extra {
  key: NudgeKey;
  text: string;
}

export interface TurnResult {
  state: LoopState;
  verdict: Verdict;
  extras: Extra[];
  events: LoopEvent[];
  decisions: Decision[];
}

/** What a mechanism says when it fires. */
export interface Firing {
  event: LoopEvent;
  decision: Decision;
}

export const isToolTurn = (turn: Turn): boolean => turn.call_count > 0;
export const isTruncated = (turn: Turn): boolean => !isToolTurn(turn) && turn.finish === 'length';
