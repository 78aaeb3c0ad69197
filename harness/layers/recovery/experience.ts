import { z } from 'zod';
import type { JournalEntry } from '../context-compression/state';
import { type ExperienceStore, type Strategy, strategies } from './state';
import { byWeight, softmax } from './strategies';

export const experienceConfigSchema = z.object({
  rate: z.number().min(0).max(1).default(0.3).meta({ title: 'Learning rate' }),
  prior: z.number().min(0).max(1).default(0.5).meta({ title: 'Weight before anything was learned' }),
  temperature: z.number().positive().default(1).meta({ title: 'Softmax temperature' }),
  baseDecay: z.number().min(0).max(1).default(0.05).meta({ title: 'Edge decay without experience' }),
  maxSlowing: z.number().min(0).max(1).default(0.5).meta({ title: 'Most that experience slows decay' }),
  fullExperience: z.number().positive().default(100).meta({ title: 'Total weight of full experience' }),
  minDecay: z.number().min(0).max(1).default(0.01).meta({ title: 'Least decay' }),
});
export type ExperienceConfig = z.output<typeof experienceConfigSchema>;
export const defaultExperienceConfig: ExperienceConfig = experienceConfigSchema.parse({});

export interface WarmStart {
  order: Strategy[];
  policy: Record<Strategy, number>;
  classPriors: Record<string, number>;
  confidenceDecayRate: number;
}

/**
 * What a new run takes from earlier ones: each weight is added to the strategy's even share, then a softmax; decay is slowed by
 * what was learned (layers.md R10). Weights of unknown strategies count for the slowing only.
 */
export function warmStart(
  experience: Pick<ExperienceStore, 'strategy_weights' | 'class_priors'>,
  config: ExperienceConfig = defaultExperienceConfig,
): WarmStart {
  const sums = new Map<string, number>(strategies.map((strategy) => [strategy, 1 / strategies.length]));
  let total = 0;
  for (const [key, weight] of Object.entries(experience.strategy_weights)) {
    const strategy = key.split(':')[0] ?? '';
    total += weight;
    const sum = sums.get(strategy);
    if (sum !== undefined) sums.set(strategy, sum + weight);
  }
  const shares = softmax(
    strategies.map((strategy) => sums.get(strategy) ?? 0),
    config.temperature,
  );
  const policy: Record<Strategy, number> = {
    DIRECT_EDIT: 0,
    TRACE_EXEC: 0,
    BROADER_SEARCH: 0,
    REIMPLEMENT: 0,
    MINIMAL_FIX: 0,
    ESCALATE: 0,
  };
  for (const [index, strategy] of strategies.entries()) policy[strategy] = shares[index] ?? 0;
  return {
    order: byWeight(strategies, shares),
    policy,
    classPriors: { ...experience.class_priors },
    confidenceDecayRate: Math.max(config.minDecay, config.baseDecay * (1 - Math.min(config.maxSlowing, total / config.fullExperience))),
  };
}

/** Moves the weight of each strategy towards how it ended, per failure class it was used against. Nothing changes within a run (ADR-002). */
export function learnFromJournal(
  experience: ExperienceStore,
  journal: readonly JournalEntry[],
  config: ExperienceConfig = defaultExperienceConfig,
): ExperienceStore {
  if (!experience.available) return experience;
  const weights = { ...experience.strategy_weights };
  const priors = { ...experience.class_priors };
  const seen = new Set<string>();
  let against = '';
  for (const entry of journal) {
    if (!entry.success && entry.failure_class) {
      against = entry.failure_class;
      seen.add(against);
    }
    if (against === '') continue;
    const key = `${entry.action_class}:${against}`;
    weights[key] = (weights[key] ?? config.prior) * (1 - config.rate) + (entry.success ? config.rate : 0);
    if (entry.success) against = '';
  }
  for (const failureClass of new Set([...Object.keys(priors), ...seen])) {
    priors[failureClass] = (priors[failureClass] ?? 0) * (1 - config.rate) + (seen.has(failureClass) ? config.rate : 0);
  }
  return { ...experience, strategy_weights: weights, class_priors: priors };
}
