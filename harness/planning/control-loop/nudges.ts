import { compared, decided, fact } from '../../layers/shared/explain';
import { pressureOf, refreshLimit, warningLimit } from '../context/pressure';
import type { LoopConfig } from './config';
import type { NudgeKey } from './events';
import type { LoopState } from './state';
import { type Firing, isToolTurn, isTruncated, type Turn, type Verdict } from './turn';

type Refresh = Firing & { verdict: Extract<Verdict, { kind: 'refresh' }> };
type Nudge = Firing & { verdict: Extract<Verdict, { kind: 'nudge' }> };

/** Whether the context is to be rebuilt after this turn. */
export function findRefresh(turn: Turn, config: LoopConfig): Refresh | null {
  const { prompt_tokens: tokens, context_window: window } = turn;
  if (tokens === null || window === null || pressureOf(tokens, window, config.pressure) !== 'refresh') return null;
  if (!isToolTurn(turn) || turn.refresh !== 'available' || turn.message_count < config.refreshMinMessages) return null;
  return {
    verdict: { kind: 'refresh' },
    event: { kind: 'context_refresh', turn_index: turn.turn_index, prompt_tokens_before: tokens, context_window: window },
    decision: decided({
      rule: 'control loop: context refresh',
      outcome: 'rebuild the messages from what is on record',
      because: [
        compared('prompt tokens', tokens, '>=', refreshLimit(window, config.pressure)),
        fact('context window', window),
        compared('messages', turn.message_count, '>=', config.refreshMinMessages),
      ],
      alternatives: [{ outcome: 'go on', needs: `fewer than ${Math.ceil(refreshLimit(window, config.pressure))} prompt tokens` }],
    }),
  };
}

const nudge = (turn: Turn, key: NudgeKey, text: string, parts: Omit<Parameters<typeof decided>[0], 'outcome'>): Nudge => ({
  verdict: { kind: 'nudge', key, text },
  event:
    key === 'reminder'
      ? { kind: 'reminder_injected', turn_index: turn.turn_index, reminder_chars: text.length }
      : { kind: 'nudge', key, turn_index: turn.turn_index },
  decision: decided({ ...parts, outcome: `nudge: ${key}` }),
});

function textOnly(turn: Turn, state: LoopState, config: LoopConfig): Nudge | null {
  if (isToolTurn(turn) || turn.reasoning_aborted) return null;
  if (isTruncated(turn)) {
    return config.truncationNudge
      ? nudge(turn, 'truncation', config.texts.truncated, {
          rule: 'control loop: truncation',
          because: [compared('truncated replies in a row', state.consecutive_truncated, '<', config.truncationExit)],
          alternatives: [{ outcome: 'exit', needs: `${config.truncationExit} in a row` }],
        })
      : null;
  }
  // A message of a person is reason enough to go on.
  if (!config.textOnlyNudge || turn.interrupt !== null) return null;
  return nudge(turn, 'text_only', config.texts.textOnly, {
    rule: 'control loop: text only',
    because: [compared('replies in a row without a tool call', state.consecutive_text_only, '<', config.textOnlyExit)],
    alternatives: [{ outcome: 'exit', needs: `${config.textOnlyExit} in a row` }],
  });
}

function preRefresh(turn: Turn, state: LoopState, config: LoopConfig): Nudge | null {
  const { prompt_tokens: tokens, context_window: window } = turn;
  if (!config.preRefreshWarning || state.pre_refresh_nudge_sent || turn.refresh === 'absent') return null;
  if (tokens === null || window === null || pressureOf(tokens, window, config.pressure) !== 'warning') return null;
  return nudge(turn, 'pre_refresh', config.texts.preRefresh, {
    rule: 'control loop: pre-refresh warning',
    because: [
      compared('prompt tokens', tokens, '>=', warningLimit(window, config.pressure)),
      compared('prompt tokens', tokens, '<', refreshLimit(window, config.pressure)),
    ],
  });
}

function reminder(turn: Turn, config: LoopConfig): Nudge | null {
  const turns = turn.turn_index + 1;
  if (config.reminderInterval === 0 || !isToolTurn(turn) || turns % config.reminderInterval !== 0 || turns === config.maxTurns) return null;
  return nudge(turn, 'reminder', config.texts.reminder, {
    rule: 'control loop: task reminder',
    because: [fact('turns', turns), compared('turns since the last reminder', config.reminderInterval, '==', config.reminderInterval)],
  });
}

/** The one nudge of a turn: what was wrong with the reply, else the warning, else the reminder. */
export function findNudge(turn: Turn, state: LoopState, config: LoopConfig): Nudge | null {
  const found = [textOnly(turn, state, config), preRefresh(turn, state, config), reminder(turn, config)].filter((each) => each !== null);
  const [first, ...others] = found;
  if (first === undefined) return null;
  if (others.length === 0) return first;
  const alternatives = others.map(({ verdict }) => ({
    outcome: `nudge: ${verdict.key}`,
    needs: `no nudge: ${first.verdict.key} in the same turn`,
  }));
  return { ...first, decision: { ...first.decision, alternatives: [...first.decision.alternatives, ...alternatives] } };
}
