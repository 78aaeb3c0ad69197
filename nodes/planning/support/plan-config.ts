import { z } from 'zod';
import { defaultWindowShares, planOutputTokens, windowSharesSchema } from '@/harness/planning/context/tokens';
import { humanLoopConfigSchema, verificationConfigSchema } from '@/harness/planning/verification-steps/config';

/* Config fields of the nodes that write and carry out plans. */

export const smallWindow = z.int().min(0).default(32_768).meta({ title: 'Largest window that counts as small, tokens' });

/** What a plan may take of the reply; only known windows are divided. */
export const planOutputFields = {
  expertMaxTokens: z.int().min(1).max(1_000_000).nullable().default(null).meta({
    title: 'Longest reply (tokens)',
    description:
      'A plan may always take this much, and more when its share of a known window is larger. Empty leaves it to the flow’s model settings.',
  }),
  planOutput: windowSharesSchema.shape.planOutput,
};

/** Tokens that a plan may take; `null` leaves it to the flow's model settings, as a share of an unknown window would be a guess. */
export const planOutputLimit = (config: {
  contextWindow: number | null;
  expertMaxTokens: number | null;
  planOutput: number;
}): number | null =>
  config.contextWindow === null
    ? config.expertMaxTokens
    : planOutputTokens(config.contextWindow, config.expertMaxTokens, { ...defaultWindowShares, planOutput: config.planOutput });

/** Words of the person who draws the flow, put behind ours. */
export const extraInstructions = z.string().max(20_000).default('').meta({
  title: 'Further instructions',
  description: 'Added to the prompt of the node. May hold {{expressions}}.',
});

export const stepContracts = z.boolean().default(false).meta({
  title: 'Steps with a contract',
  description: 'Each step also says what it may change, what must stay, and the checks that prove it done; the executor is held to it.',
});

export const testContract = {
  strictContract: verificationConfigSchema.shape.strictContract,
  humanLoop: humanLoopConfigSchema.prefault({}).meta({ title: 'What a program cannot test' }),
};
