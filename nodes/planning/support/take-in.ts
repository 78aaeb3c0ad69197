import type { ExecuteContext } from '@/harness/contract/execute';
import { memorySuggested, takeIn } from '@/harness/planning/memory/curate';
import { expiryOf } from '@/harness/planning/memory/retention';
import type { MemoryCandidate, MemoryConfig, MemoryRow } from '@/harness/planning/memory/row';

/** What a node offers as a memory; identity and time are given here. */
export type Suggestion = Pick<MemoryCandidate, 'content' | 'category'> &
  Partial<Pick<MemoryCandidate, 'tags' | 'confidence' | 'source_phase'>>;

interface Intake {
  rows: readonly MemoryRow[];
  suggestions: readonly Suggestion[];
  /** Milliseconds since the epoch. */
  now: number;
  config: MemoryConfig & { retentionDays: number };
}

/**
 * Takes suggestions in under the rules of planning.md §16 and says of each what became of it. Answers the rows that are new or changed, for the
 * channel `workspaceMemories`.
 */
export function takeInAll(
  context: Pick<ExecuteContext, 'decide' | 'run' | 'visit'>,
  { rows, suggestions, now, config }: Intake,
): MemoryRow[] {
  const changed = new Map<string, MemoryRow>();
  let current = [...rows];
  for (const [at, suggestion] of suggestions.entries()) {
    const candidate: MemoryCandidate = {
      id: `${context.run.id}-${context.visit.id}-${at + 1}`,
      tags: [],
      source_phase: '',
      confidence: 0.5,
      expires_at: expiryOf(now, config),
      ...suggestion,
    };
    const taken = takeIn(current, candidate, config);
    context.decide(taken.decision);
    current = taken.rows;
    if (taken.row === null) continue;
    changed.set(taken.row.id, taken.row);
    if (taken.outcome === 'added') tellSuggestion(context, taken.row);
  }
  return [...changed.values()];
}

/** `memory_suggested`, from which a chip with confirm and reject is drawn. */
export function tellSuggestion(context: Pick<ExecuteContext, 'decide'>, row: MemoryRow): void {
  context.decide({
    rule: 'memory_suggested',
    outcome: row.content,
    because: Object.entries(memorySuggested(row)).map(([name, value]) => ({ name, value })),
  });
}
