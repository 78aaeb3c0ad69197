import { z } from 'zod';
import { type Strategy, strategies, strategySchema } from './state';

const whole = (title: string, initial: number) => z.number().int().min(0).default(initial).meta({ title });

export const stallConfigSchema = z.object({
  completionWindow: whole('Equal completion counts that stall', 5),
  maxSwitches: whole('Strategy switches after which going round counts', 3),
  recurrence: whole('Failures of one class in a row that stall', 3),
  oscillationWindow: whole('Risk summaries looked at', 6),
  crossings: whole('Crossings of the NORMAL line that stall', 2),
});
export type StallConfig = z.output<typeof stallConfigSchema>;
export const defaultStallConfig: StallConfig = stallConfigSchema.parse({});

export const recoveryConfigSchema = z.object({
  order: z
    .array(strategySchema)
    .min(1)
    .default([...strategies])
    .meta({ title: 'Strategy ladder' }),
  wholeLearnedOrder: z.boolean().default(true).meta({
    title: 'The whole learned order counts',
    description: 'Off in the reference, which can never go back to an earlier strategy.',
  }),
  affinityFrom: z.number().min(0).max(1).default(0.7).meta({ title: 'Match confidence from which its strategy is taken' }),
  retrySystemErrors: z.boolean().default(true).meta({ title: 'Try a task once more after a system error' }),
  retryEveryFailure: z.boolean().default(false).meta({ title: 'Try every failed task once more' }),
  failUnverified: z
    .boolean()
    .default(true)
    .meta({ title: 'Failed verification fails the task', description: 'Off in the reference, where such a task stays RUNNING for ever.' }),
  blockDependents: z.boolean().default(true).meta({ title: 'Block what depends on a failed task' }),
  verifyBeliefs: whole('Beliefs that a rebuilt plan verifies', 5),
  stall: stallConfigSchema.prefault({}).meta({ title: 'Stall rule' }),
});
export type RecoveryConfig = z.output<typeof recoveryConfigSchema>;
export const defaultRecoveryConfig: RecoveryConfig = recoveryConfigSchema.parse({});
export const referenceRecoveryConfig: RecoveryConfig = {
  ...defaultRecoveryConfig,
  wholeLearnedOrder: false,
  retrySystemErrors: false,
  failUnverified: false,
  blockDependents: false,
};

/** ESCALATE stays at the end whatever was learned. */
export const escalateLast = (order: readonly Strategy[]): Strategy[] => [
  ...order.filter((strategy) => strategy !== 'ESCALATE'),
  ...order.filter((strategy) => strategy === 'ESCALATE'),
];
