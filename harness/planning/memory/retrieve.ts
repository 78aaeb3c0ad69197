import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { shareInCharacters } from '../context/tokens';
import { curationStatusSchema, type MemoryRow, memoryCategorySchema, retrievableStatuses } from './row';
import { keywords } from './words';

export const retrievalConfigSchema = z.object({
  limit: z.int().min(0).default(5).meta({ title: 'Most memories shown' }),
  searchFactor: z.int().min(1).default(3).meta({ title: 'Candidates searched for, times that' }),
  categories: z.array(memoryCategorySchema).nullable().default(null).meta({ title: 'Categories', description: 'Empty = any.' }),
  statuses: z
    .array(curationStatusSchema)
    .default([...retrievableStatuses])
    .meta({ title: 'Statuses that may be shown' }),
  windowShare: z.number().min(0).max(1).default(0.02).meta({ title: 'Share of the window they may take' }),
});
export type RetrievalConfig = z.output<typeof retrievalConfigSchema>;

/** What each phase looks for (planning.md §16). */
export const retrievalPresets = {
  phase_1: { limit: 5 },
  phase_3: { limit: 6, categories: ['gotcha', 'convention', 'rejection'] },
  fix_loop: { limit: 5, categories: ['fix_pattern', 'gotcha'] },
} as const satisfies Record<string, { limit: number; categories?: readonly z.output<typeof memoryCategorySchema>[] }>;
export type RetrievalPreset = keyof typeof retrievalPresets;

export const retrievalOf = (preset: RetrievalPreset): RetrievalConfig => {
  const { limit, ...rest } = retrievalPresets[preset];
  return retrievalConfigSchema.parse({ limit, ...('categories' in rest ? { categories: [...rest.categories] } : {}) });
};

export interface ScoredMemory {
  row: MemoryRow;
  score: number;
}

/** BM25 over content, tags and category, with the usual constants; best first, equal scores by confidence, then id. */
export function scoreMemories(rows: readonly MemoryRow[], query: string): ScoredMemory[] {
  const wanted = new Set(keywords(query));
  const documents = rows.map((row) => ({ row, words: keywords(`${row.content} ${row.tags.join(' ')} ${row.category}`) }));
  const mean = documents.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, documents.length);
  const holding = new Map([...wanted].map((word) => [word, documents.filter(({ words }) => words.includes(word)).length]));
  const scored = documents.map(({ row, words }) => {
    let score = 0;
    for (const [word, count] of holding) {
      const times = words.filter((each) => each === word).length;
      if (times === 0) continue;
      const rarity = Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
      score += (rarity * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * words.length) / Math.max(1, mean)));
    }
    return { row, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || other.row.confidence - one.row.confidence || (one.row.id < other.row.id ? -1 : 1));
}

export interface Retrieval {
  rows: MemoryRow[];
  text: string;
  decision: Decision;
}

const line = ({ category, content }: MemoryRow): string => `- [${category}] ${content.replace(/\s+/g, ' ').trim()}`;
export const memoriesText = (rows: readonly MemoryRow[]): string => rows.map(line).join('\n');

/** When a search is made. `window` in tokens, null = no budget; `now` in milliseconds since the epoch. */
export interface RetrievalFacts {
  query: string;
  window: number | null;
  now: number;
}

/**
 * Memories for a prompt, in the order of planning.md §16: the best `limit` × 3 by keywords, of these the statuses and categories allowed and not
 * expired, capped, then within 2 % of the window. One that does not fit makes room for the next. Never throws: a failure finds nothing.
 */
export function retrieveMemories(rows: readonly MemoryRow[], { query, window, now }: RetrievalFacts, config: RetrievalConfig): Retrieval {
  try {
    const found = scoreMemories(rows, query).slice(0, config.limit * config.searchFactor);
    const allowed = found.filter(
      ({ row }) =>
        config.statuses.includes(row.curation_status) &&
        (row.expires_at === undefined || row.expires_at > now) &&
        (config.categories === null || config.categories.includes(row.category)),
    );
    const budget = window === null ? Number.POSITIVE_INFINITY : shareInCharacters(window, config.windowShare);
    const kept: MemoryRow[] = [];
    let used = 0;
    for (const { row } of allowed.slice(0, config.limit)) {
      const size = line(row).length + (kept.length === 0 ? 0 : 1);
      if (used + size > budget) continue;
      kept.push(row);
      used += size;
    }
    return {
      rows: kept,
      text: memoriesText(kept),
      decision: decided({
        rule: 'memory: retrieval',
        outcome: `injected ${kept.length}`,
        because: [
          compared('found by keywords', found.length, '<=', config.limit * config.searchFactor),
          fact('of allowed status and category', allowed.length),
          compared('memories', kept.length, '<=', config.limit),
          ...(window === null ? [] : [compared('characters', used, '<=', budget)]),
          fact(
            'injected',
            kept.map(({ id }) => id),
          ),
        ],
      }),
    };
  } catch (thrown) {
    const problem = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      rows: [],
      text: '',
      decision: decided({ rule: 'memory: retrieval', outcome: 'injected 0', because: [fact('problem', problem)] }),
    };
  }
}
