import { z } from 'zod';
import { charactersOf } from './tokens';

export const tierConfigSchema = z.object({
  smallWindow: z.int().min(0).default(32_768).meta({ title: 'Largest window that counts as small, tokens' }),
  readFileLines: z.int().min(1).default(200).meta({ title: 'Lines of a file without a given end, small window' }),
  grepHits: z.int().min(1).default(30).meta({ title: 'Matches of a search, small window' }),
  listEntries: z.int().min(1).default(50).meta({ title: 'Entries of a folder, small window' }),
  listEntriesNormal: z.int().min(1).default(100).meta({ title: 'Entries of a folder' }),
  treeEntries: z.int().min(1).default(100).meta({ title: 'Entries of a tree, small window' }),
  treeEntriesNormal: z.int().min(1).default(200).meta({ title: 'Entries of a tree' }),
  summaryShare: z.number().min(0).max(1).default(0.2).meta({ title: 'File summary, share of a small window' }),
  summaryInputFactor: z.number().min(1).default(3).meta({ title: 'What is given to shorten it, times its budget' }),
  summaryOutputTokens: z.int().min(1).default(2048).meta({ title: 'Most tokens of the shortened summary' }),
  summaryAcceptedOver: z.int().min(0).default(200).meta({ title: 'Characters a shortened summary must exceed' }),
});
export type TierConfig = z.output<typeof tierConfigSchema>;
export const defaultTierConfig: TierConfig = tierConfigSchema.parse({});

/** What a window allows. `null` = no limit of ours. */
export interface ContextTier {
  small: boolean;
  tdd: boolean;
  readFileLines: number | null;
  grepHits: number | null;
  listEntries: number;
  treeEntries: number;
}

/** The tier of the active window (planning.md §0). An unknown window is taken for a normal one. */
export function contextTier(window: number | null, config: TierConfig = defaultTierConfig): ContextTier {
  const small = window !== null && window <= config.smallWindow;
  return {
    small,
    tdd: !small,
    readFileLines: small ? config.readFileLines : null,
    grepHits: small ? config.grepHits : null,
    listEntries: small ? config.listEntries : config.listEntriesNormal,
    treeEntries: small ? config.treeEntries : config.treeEntriesNormal,
  };
}

/** Phase 4 does without scope and project context when the window of the expert is small. */
export const reinjectsScope = (expertWindow: number | null, config: TierConfig = defaultTierConfig): boolean =>
  !contextTier(expertWindow, config).small;

/** Lines that may be read from `start`; a range that names its end is left as it is. Lines count from 1, both ends included. */
export function lineCap(start: number, end: number | null, tier: ContextTier): number | null {
  return end === null && tier.readFileLines !== null ? start + tier.readFileLines - 1 : end;
}

/** What stands under a file that was cut: where to go on. Empty when nothing is left. */
export const truncationNotice = (lastLine: number, totalLines: number): string =>
  lastLine >= totalLines ? '' : `[cut at line ${lastLine} of ${totalLines}; go on with start_line=${lastLine + 1}]`;

export interface Capped<T> {
  kept: T[];
  left_out: number;
  notice: string;
}

/** The first entries of a list and, when some are left out, how many. */
export function capEntries<T>(entries: readonly T[], cap: number | null, noun: string): Capped<T> {
  const kept = cap === null ? [...entries] : entries.slice(0, cap);
  const left_out = entries.length - kept.length;
  return { kept, left_out, notice: left_out === 0 ? '' : `[${left_out} more ${noun} left out; narrow the request]` };
}

export interface SummaryShortening {
  /** Characters the summary may have. */
  budget: number;
  /** What the model is given to shorten. */
  input: string;
  maxOutputTokens: number;
}

/** Whether the file summary must be shortened by a model, and with what; `null` when it fits or the window is not small. */
export function summaryShortening(
  markdown: string,
  window: number | null,
  config: TierConfig = defaultTierConfig,
): SummaryShortening | null {
  if (window === null || !contextTier(window, config).small) return null;
  const budget = charactersOf(window * config.summaryShare);
  if (markdown.length <= budget) return null;
  return { budget, input: markdown.slice(0, Math.floor(budget * config.summaryInputFactor)), maxOutputTokens: config.summaryOutputTokens };
}

/** The shortened summary: the model's when it is long enough to hold something, else the beginning of the original. Never over the budget. */
export function shortenedSummary(
  original: string,
  shortened: string | null,
  budget: number,
  config: TierConfig = defaultTierConfig,
): { text: string; by: 'model' | 'truncation' } {
  const accepted = shortened !== null && shortened.trim().length > config.summaryAcceptedOver;
  const text = accepted ? shortened : original;
  return { text: text.slice(0, budget), by: accepted ? 'model' : 'truncation' };
}
