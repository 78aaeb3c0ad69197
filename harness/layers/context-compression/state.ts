import { z } from 'zod';

export const journalEntrySchema = z.object({
  step: z.number(),
  action_class: z.string(),
  outcome: z.string(),
  verbatim: z.string().optional(),
  success: z.boolean(),
  failure_class: z.string().optional(),
});
export type JournalEntry = z.output<typeof journalEntrySchema>;

export const journalPolicySchema = z.object({
  retain_failures_permanently: z.boolean().default(true).meta({ title: 'Keep failures for ever' }),
  max_passing_verbatim: z.number().int().min(0).default(20).meta({ title: 'Passing entries kept word for word' }),
  compress_older_passing: z.boolean().default(true).meta({ title: 'Compress older passing entries' }),
});
export type JournalPolicy = z.output<typeof journalPolicySchema>;

export const prunedRegionSchema = z.object({
  id: z.string(),
  description: z.string(),
  token_count: z.number().default(0),
  pruned_at: z.string(),
});

export const memoryStateSchema = z.object({
  journal: z.array(journalEntrySchema).default([]),
  journal_retention_policy: journalPolicySchema.prefault({}),
  token_budget: z.object({ total: z.number().min(1).default(200_000), used: z.number().min(0).default(0) }).prefault({}),
  compressed_structures: z.array(z.json()).default([]),
  compression_risk: z.object({ pruned_regions: z.array(prunedRegionSchema).default([]) }).prefault({}),
});
export type MemoryState = z.output<typeof memoryStateSchema>;
export const emptyMemoryState = (): MemoryState => memoryStateSchema.parse({});
