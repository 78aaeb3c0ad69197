import type { FinishedCall } from './calls';
import { type LoopConfigInput, loopConfigSchema } from './config';
import { evaluateTurn } from './evaluate';
import { type LoopState, newLoopState } from './state';
import type { Turn, TurnResult } from './turn';

/** A finished call, a successful one unless told otherwise. */
export const called = (name: string, more: Partial<FinishedCall> = {}): FinishedCall => ({
  name,
  arguments: {},
  status: 'ok',
  exit_code: null,
  ...more,
});

/** A turn in which the model only wrote text. */
export const turnOf = (more: Partial<Turn> = {}): Turn => ({
  turn_index: 0,
  text: 'Working on it.',
  call_count: more.calls?.length ?? 0,
  calls: [],
  finish: 'stop',
  reasoning_aborted: false,
  prompt_tokens: null,
  context_window: null,
  message_count: 10,
  refresh: 'available',
  completion: null,
  interrupt: null,
  offered: ['read_file', 'search_internet'],
  ...more,
});

/** Judges turns one after another until one exits; indices are filled in. */
export function play(turns: readonly Partial<Turn>[], config: LoopConfigInput = {}, state: LoopState = newLoopState()): TurnResult[] {
  const parsed = loopConfigSchema.parse(config);
  const results: TurnResult[] = [];
  let current = state;
  for (const [turn_index, turn] of turns.entries()) {
    const result = evaluateTurn(current, turnOf({ turn_index, ...turn }), parsed);
    results.push(result);
    current = result.state;
    if (result.verdict.kind === 'exit') break;
  }
  return results;
}

/** One word per turn: the verdict with its key or reason, and the extras behind it. */
export const told = (results: readonly TurnResult[]): string[] =>
  results.map(({ verdict, extras }) => {
    const detail = verdict.kind === 'exit' ? `:${verdict.reason}` : verdict.kind === 'nudge' ? `:${verdict.key}` : '';
    return [`${verdict.kind}${detail}`, ...extras.map(({ key }) => `+${key}`)].join(' ');
  });
