import { decided, fact } from '../../layers/shared/explain';
import { noteCalls } from './calls';
import { defaultLoopConfig, type LoopConfig } from './config';
import { findExit } from './exits';
import { claimNudge, confidenceNudge, loopNudge, reasoningNudge } from './extras';
import { findNudge, findRefresh } from './nudges';
import type { LoopState } from './state';
import { type Firing, isToolTurn, isTruncated, type Turn, type TurnResult } from './turn';

/** The counters after the reply itself: calls reset them, cut-off thinking counts as neither text nor truncation. */
function counted(state: LoopState, turn: Turn): LoopState {
  const interrupts = turn.reasoning_aborted ? state.consecutive_budget_interrupts + 1 : 0;
  const base = { ...state, consecutive_budget_interrupts: interrupts };
  if (isToolTurn(turn)) return { ...base, consecutive_text_only: 0, consecutive_truncated: 0 };
  if (isTruncated(turn) && !turn.reasoning_aborted) return { ...base, consecutive_truncated: base.consecutive_truncated + 1 };
  if (turn.reasoning_aborted) return base;
  // A reply that a person has answered is not the model running idle.
  return { ...base, consecutive_text_only: turn.interrupt === null ? base.consecutive_text_only + 1 : 0 };
}

const rejection = (turn: Turn, message: string): Firing => ({
  event: { kind: 'task_complete_rejected', turn_index: turn.turn_index, message },
  decision: decided({
    rule: 'control loop: task_complete rejected',
    outcome: 'go on',
    because: [fact('validator', message)],
    alternatives: [{ outcome: 'exit', needs: 'nothing the validator says against it' }],
  }),
});

/**
 * Judges one turn, in the order of planning.md §12: completion, reasoning budget, exactly one verdict (EXIT > REFRESH > NUDGE > CONTINUE), claim
 * check, `[UNVERIFIED]` check. Extras come beside the verdict and none comes with an exit. When a rebuild throws, judge the same turn again from
 * the same state with `refresh: 'failed'`.
 */
export function evaluateTurn(state: LoopState, turn: Turn, config: LoopConfig = defaultLoopConfig): TurnResult {
  const noted = noteCalls(counted(state, turn), turn.calls, config);
  const next = { ...noted.state };
  const firings: Firing[] = [];
  const rejected = turn.completion?.rejection ?? null;
  if (rejected !== null) firings.push(rejection(turn, rejected));

  const exit = findExit(turn, next, config);
  if (exit !== null) {
    const all = [...firings, exit];
    return {
      state: next,
      verdict: exit.verdict,
      extras: [],
      events: all.map(({ event }) => event),
      decisions: all.map(({ decision }) => decision),
    };
  }

  const inline = noted.loops.map((loop) => loopNudge(loop, turn, config));
  if (turn.reasoning_aborted) inline.push(reasoningNudge(next.consecutive_budget_interrupts, turn, config));
  const main = findRefresh(turn, config) ?? findNudge(turn, next, config);
  if (main?.verdict.kind === 'refresh') next.pre_refresh_nudge_sent = false;
  if (main?.verdict.kind === 'nudge' && main.verdict.key === 'pre_refresh') next.pre_refresh_nudge_sent = true;
  const late = [];
  const claim = claimNudge(turn, next, config);
  if (claim !== null) {
    late.push(claim);
    next.recent_test_failures = 0;
  }
  const confidence = confidenceNudge(turn, config);
  if (confidence !== null) late.push(confidence);

  const fired = [...firings, ...inline, ...(main === null ? [] : [main]), ...late];
  // Two loops in one turn are two events, but their words are said once. What a person said comes last.
  const spoken = new Map([...inline, ...late].map(({ extra }) => [extra.key, extra]));
  if (turn.interrupt !== null) spoken.set('interrupt', { key: 'interrupt', text: turn.interrupt });
  return {
    state: next,
    verdict: main?.verdict ?? { kind: 'continue' },
    extras: [...spoken.values()],
    events: fired.map(({ event }) => event),
    decisions: fired.map(({ decision }) => decision),
  };
}
