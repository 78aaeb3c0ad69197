import type { RunChanges } from '@/server/api-types';
import { formatCount, formatNumber } from '../ui/format';
import { type ReadDiff, readDiff } from './diff-lines';

export type Change = RunChanges['changes'][number];

/** A change with its diff read once. `diff` is null for a file that is no text, a link, or too large. */
export interface ReadChange {
  change: Change;
  diff: ReadDiff | null;
}

export const readChanges = (changes: readonly Change[]): ReadChange[] =>
  changes.map((change) => ({ change, diff: change.diff === '' ? null : readDiff(change.diff) }));

/** `+12 −3`; null where lines cannot be counted. */
export function countWords({ diff }: ReadChange): { added: string; removed: string } | null {
  if (diff === null || (!diff.whole && diff.added + diff.removed === 0)) return null;
  const more = diff.whole ? '' : '≥ ';
  return { added: `${more}+${formatNumber(diff.added)}`, removed: `${more}−${formatNumber(diff.removed)}` };
}

const places: Readonly<Record<NonNullable<RunChanges['mode']>, string>> = {
  copy: 'in a copy',
  worktree: 'in a git worktree',
  folder: 'in the folder itself',
};

/** `3 files changed in a copy`; `null` when nothing was. */
export function changesLine({ mode, changes, complete }: Pick<RunChanges, 'mode' | 'changes' | 'complete'>): string | null {
  if (mode === null || changes.length === 0) return null;
  return `${complete ? '' : 'At least '}${formatCount(changes.length, 'file')} changed ${places[mode]}`;
}

/** What taking over or undoing came to, in words. */
export function outcomeWords(kind: 'take-over' | 'undo', { done, refused }: { done: string[]; refused: readonly unknown[] }): string {
  const did = kind === 'take-over' ? 'taken over' : 'undone';
  if (refused.length === 0) return `${formatCount(done.length, 'file')} ${did}.`;
  return `${formatCount(done.length, 'file')} ${did}, ${formatNumber(refused.length)} left as ${refused.length === 1 ? 'it is' : 'they are'}:`;
}
