import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { defaultMemoryConfig, type MemoryCandidate, type MemoryConfig, type MemoryRow } from './row';
import { identicalContent, isSame } from './words';

export interface Curated {
  rows: MemoryRow[];
  outcome: 'added' | 'seen' | 'promoted' | 'refused';
  /** The row it became or joined; null when refused. */
  row: MemoryRow | null;
  decision: Decision;
}

const replaced = (rows: readonly MemoryRow[], row: MemoryRow): MemoryRow[] => rows.map((each) => (each.id === row.id ? row : each));

/** Finds the row that says the same: identical content first, then the oldest that is alike. Archived rows say nothing any more. */
function sameRow(rows: readonly MemoryRow[], content: string, config: MemoryConfig): MemoryRow | undefined {
  const live = rows.filter(({ curation_status }) => curation_status !== 'superseded');
  return live.find((row) => identicalContent(row.content, content)) ?? live.find((row) => isSame(row.content, content, config.sameness));
}

/**
 * Takes an extracted memory in (planning.md §16): new ones as `auto`, a known one is counted and promoted at the third sighting, and what a
 * person has rejected never comes back.
 */
export function takeIn(rows: readonly MemoryRow[], candidate: MemoryCandidate, config: MemoryConfig = defaultMemoryConfig): Curated {
  const rejected = rows.find((row) => row.curation_status === 'user_rejected' && isSame(row.content, candidate.content, config.sameness));
  if (rejected !== undefined) {
    return {
      rows: [...rows],
      outcome: 'refused',
      row: null,
      decision: decided({ rule: 'memory: rejected content', outcome: 'refused', because: [fact('rejected memory', rejected.id)] }),
    };
  }
  const known = sameRow(rows, candidate.content, config);
  if (known === undefined) {
    const row: MemoryRow = { ...candidate, curation_status: 'auto', seen_count: 1 };
    return {
      rows: [...rows, row],
      outcome: 'added',
      row,
      decision: decided({ rule: 'memory: new', outcome: 'added as auto', because: [fact('memory', row.id)] }),
    };
  }
  const seen_count = known.seen_count + 1;
  const promotes = known.curation_status === 'auto' && seen_count >= config.autopromoteThreshold;
  const row: MemoryRow = {
    ...known,
    seen_count,
    tags: [...new Set([...known.tags, ...candidate.tags])],
    ...(promotes ? { curation_status: 'high_confidence_auto' as const, confidence: Math.max(known.confidence, candidate.confidence) } : {}),
  };
  return {
    rows: replaced(rows, row),
    outcome: promotes ? 'promoted' : 'seen',
    row,
    decision: decided({
      rule: 'memory: sighting',
      outcome: promotes ? 'promoted to high_confidence_auto' : 'counted',
      because: [
        compared('sightings', seen_count, '>=', config.autopromoteThreshold),
        fact('status', known.curation_status),
        fact('memory', known.id),
      ],
      alternatives: promotes ? [] : [{ outcome: 'promoted', needs: `an auto memory seen ${config.autopromoteThreshold} times` }],
    }),
  };
}

/** Several memories of one session, the general ones up to the cap. Of a cancelled session none is taken. */
export function takeInSession(
  rows: readonly MemoryRow[],
  candidates: readonly MemoryCandidate[],
  cancelled: boolean,
  config: MemoryConfig = defaultMemoryConfig,
): { rows: MemoryRow[]; results: Curated[] } {
  const results: Curated[] = [];
  let current = [...rows];
  for (const candidate of cancelled ? [] : candidates.slice(0, config.mostPerSession)) {
    const result = takeIn(current, candidate, config);
    results.push(result);
    current = result.rows;
  }
  return { rows: current, results };
}

/** What a person can do with a memory. */
export type CurationAct = 'confirm' | 'reject' | 'archive';

const acts: Readonly<Record<CurationAct, (row: MemoryRow, config: MemoryConfig) => MemoryRow>> = {
  confirm: (row, config) => ({ ...row, curation_status: 'user_confirmed', confidence: config.confirmedConfidence }),
  reject: (row, config) => ({ ...row, curation_status: 'user_rejected', confidence: config.rejectedConfidence }),
  archive: (row) => ({ ...row, curation_status: 'superseded' }),
};

/** Confirms, rejects or archives a row; an unknown id changes nothing. */
export const curate = (rows: readonly MemoryRow[], id: string, act: CurationAct, config: MemoryConfig = defaultMemoryConfig): MemoryRow[] =>
  rows.map((row) => (row.id === id ? acts[act](row, config) : row));

/** A memory that a person writes is confirmed at once, also when it was rejected before: their latest word counts. */
export function addByPerson(
  rows: readonly MemoryRow[],
  candidate: MemoryCandidate,
  config: MemoryConfig = defaultMemoryConfig,
): MemoryRow[] {
  const known = rows.find((row) => identicalContent(row.content, candidate.content));
  const row: MemoryRow = {
    ...(known ?? { ...candidate, seen_count: 1 }),
    curation_status: 'user_confirmed',
    confidence: config.confirmedConfidence,
  };
  return known === undefined ? [...rows, row] : replaced(rows, row);
}

/** Payload of `memory_suggested`, from which a chip with confirm and reject is drawn. */
export const memorySuggested = ({ id, category, content, source_phase, tags }: MemoryRow) => ({
  memory_id: id,
  category,
  content,
  source_phase,
  tags,
});
