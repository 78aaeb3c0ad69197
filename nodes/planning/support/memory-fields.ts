import { z } from 'zod';
import { defaultWindowShares } from '@/harness/planning/context/tokens';
import { type RetrievalPreset, retrievalOf } from '@/harness/planning/memory/retrieve';

/** Config of a phase that is shown memories. Spread into its schema. */
export const memoryFields = (limit: number) => ({
  memory: z
    .boolean()
    .default(true)
    .meta({ title: 'Show memories', description: 'Only those a person confirmed, or that were seen often enough.' }),
  memoryLimit: z.int().min(0).max(100).default(limit).meta({ title: 'Most memories shown' }),
  memoryShare: z.number().min(0).max(1).default(defaultWindowShares.memory).meta({ title: 'Share of the window they may take' }),
});

/** The search of a phase under its node's config; `null` when memories are off. */
export const retrievalFor = (preset: RetrievalPreset, config: { memory: boolean; memoryLimit: number; memoryShare: number }) =>
  config.memory ? { ...retrievalOf(preset), limit: config.memoryLimit, windowShare: config.memoryShare } : null;
