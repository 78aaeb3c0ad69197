import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../shared/explain';
import { defaultStallConfig, type StallConfig } from './config';
import type { FailureRecord, StrategyState } from './state';

export type StallReason = 'completion_velocity' | 'strategy_loop' | 'failure_recurrence' | 'risk_oscillation';

export interface StallInput {
  strategy: Pick<StrategyState, 'completion_history' | 'switch_count' | 'risk_state_history'>;
  failures: readonly Pick<FailureRecord, 'failure_class'>[];
}

/** The last `count` items when all of them are equal, else nothing; 0 = the signal is off. */
function unanimous<T>(items: readonly T[], count: number): T | undefined {
  if (count === 0 || items.length < count) return undefined;
  const recent = items.slice(-count);
  return recent.every((item) => item === recent[0]) ? recent[0] : undefined;
}

function crossingsOf(history: readonly string[], config: StallConfig): number {
  if (config.oscillationWindow === 0 || history.length < config.oscillationWindow) return 0;
  const recent = history.slice(-config.oscillationWindow).map((summary) => summary === 'NORMAL');
  return recent.filter((normal, index) => index > 0 && normal !== recent[index - 1]).length;
}

/** The first of four signals that the run makes no progress (layers.md R10, stall rule). */
export function detectStall(
  { strategy, failures }: StallInput,
  config: StallConfig = defaultStallConfig,
): { stalled: boolean; reason: StallReason | ''; decision: Decision } {
  const { completion_history: completions, switch_count: switches } = strategy;
  const still = unanimous(completions, config.completionWindow) !== undefined;
  const circling = switches > config.maxSwitches && (completions.length === 0 || completions.at(-1) === completions[0]);
  const recurring = unanimous(
    failures.map(({ failure_class }) => failure_class),
    config.recurrence,
  );
  const crossings = crossingsOf(strategy.risk_state_history, config);
  const swinging =
    config.oscillationWindow > 0 && strategy.risk_state_history.length >= config.oscillationWindow && crossings >= config.crossings;
  const reason: StallReason | '' = still
    ? 'completion_velocity'
    : circling
      ? 'strategy_loop'
      : recurring
        ? 'failure_recurrence'
        : swinging
          ? 'risk_oscillation'
          : '';
  return {
    stalled: reason !== '',
    reason,
    decision: decided({
      rule: reason === '' ? 'stall rule' : `stall: ${reason}`,
      outcome: reason === '' ? 'making progress' : 'stalled',
      because: [
        fact('last completion counts', completions.slice(-Math.max(1, config.completionWindow))),
        compared('strategy switches', switches, '>', config.maxSwitches),
        fact(
          'last failure classes',
          failures.slice(-Math.max(1, config.recurrence)).map(({ failure_class }) => failure_class),
        ),
        compared('risk crossings', crossings, '>=', config.crossings),
      ],
    }),
  };
}
