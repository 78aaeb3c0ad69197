import { escalateLast, type RecoveryConfig } from './config';
import { type ExperienceStore, type Strategy, type StrategyState, strategies } from './state';

export function softmax(values: readonly number[], temperature = 1): number[] {
  const peak = Math.max(...values);
  const scaled = values.map((value) => Math.exp((value - peak) / temperature));
  const total = scaled.reduce((sum, value) => sum + value, 0);
  return scaled.map((value) => value / total);
}

/** Sorted by weight, highest first; equals keep their place. */
export const byWeight = <T>(items: readonly T[], weights: readonly number[]): T[] =>
  items
    .map((item, index) => ({ item, index, weight: weights[index] ?? 0 }))
    .sort((left, right) => right.weight - left.weight || left.index - right.index)
    .map(({ item }) => item);

/** The order that experience suggests for a failure class; the ladder when nothing was learned about it (layers.md R10). */
export function learnedOrder(ladder: readonly Strategy[], experience: ExperienceStore, failureClass: string): Strategy[] {
  const weights = ladder.map((strategy) => experience.strategy_weights[`${strategy}:${failureClass}`] ?? 0);
  if (!experience.available || weights.every((weight) => weight === 0)) return [...ladder];
  return escalateLast(byWeight(ladder, softmax(weights)));
}

export interface NextStrategy {
  strategy: Strategy;
  why: string;
}

/** One step down the order; with the whole learned order, the first strategy in it that has not been tried yet (D6). */
export function nextStrategy(
  state: Pick<StrategyState, 'current_strategy' | 'tried' | 'order'>,
  experience: ExperienceStore,
  failureClass: string,
  config: Pick<RecoveryConfig, 'order' | 'wholeLearnedOrder'>,
): NextStrategy {
  const ladder = config.order.length > 0 ? config.order : [...strategies];
  const warm = config.wholeLearnedOrder && state.order.length > 0 ? state.order : ladder;
  const learned = learnedOrder(warm, experience, failureClass);
  const isLearned = learned.some((strategy, index) => strategy !== ladder[index]);
  if (config.wholeLearnedOrder && isLearned) {
    const tried = new Set([...state.tried, state.current_strategy]);
    const open = escalateLast(learned).find((strategy) => !tried.has(strategy));
    return { strategy: open ?? 'ESCALATE', why: 'first untried of the learned order' };
  }
  const at = learned.indexOf(state.current_strategy);
  return { strategy: learned[Math.min(at + 1, learned.length - 1)] ?? 'ESCALATE', why: 'one step down the ladder' };
}
