import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../shared/explain';
import { type JournalEntry, type JournalPolicy, journalPolicySchema, type MemoryState } from './state';

export const memoryConfigSchema = z.object({
  pressure: z.number().min(0).max(1).default(0.9).meta({ title: 'Share of the token budget at which structures are dropped' }),
  keepStructures: z.number().int().min(0).default(10).meta({ title: 'Compressed structures kept then' }),
  journal: journalPolicySchema.prefault({}).meta({ title: 'Journal' }),
});
export type MemoryConfig = z.output<typeof memoryConfigSchema>;
export const defaultMemoryConfig: MemoryConfig = memoryConfigSchema.parse({});

/** Failures stay word for word when told so, the newest passing entries too, older ones lose their words (layers.md R10). */
export function retainJournal(journal: readonly JournalEntry[], policy: JournalPolicy): JournalEntry[] {
  const kept = policy.retain_failures_permanently ? journal : journal.filter(({ success }) => success);
  const passing = kept.filter(({ success }) => success).length;
  let older = Math.max(0, passing - policy.max_passing_verbatim);
  return kept.flatMap((entry): JournalEntry[] => {
    if (!entry.success || older === 0) return [entry];
    older -= 1;
    if (!policy.compress_older_passing) return [];
    const { verbatim: _, ...rest } = entry;
    return [rest];
  });
}

/** Applies the journal rule, and drops old compressed structures when the token budget is nearly used (layers.md R10). */
export function compressMemory(
  memory: MemoryState,
  config: MemoryConfig = defaultMemoryConfig,
): { memory: MemoryState; decision: Decision } {
  const used = memory.token_budget.used / memory.token_budget.total;
  const pressed = used >= config.pressure;
  const journal = retainJournal(memory.journal, memory.journal_retention_policy);
  const structures = pressed
    ? memory.compressed_structures.slice(-config.keepStructures || memory.compressed_structures.length)
    : memory.compressed_structures;
  const dropped = memory.compressed_structures.length - structures.length;
  return {
    memory: { ...memory, journal, compressed_structures: structures },
    decision: decided({
      rule: 'memory',
      outcome: dropped > 0 ? `dropped ${dropped} structures` : 'kept',
      because: [compared('token budget used', used, '>=', config.pressure), fact('journal entries', journal.length)],
    }),
  };
}
