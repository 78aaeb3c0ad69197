import type { Json } from '../../../contract/json';
import type { LayerPoint } from './history';
import { fieldOf, listAt, numberAt, textAt, textsAt } from './read';

/** A visit's write, by its event. */
export interface Wrote {
  seq: number;
  visit: string | undefined;
}

/** One belief of a conflict and what became of it. */
export interface ConflictBelief {
  id: string;
  statement: string;
  /** Confidence before and after the conflict was applied to it; null while that has not happened. */
  before: number | null;
  after: number | null;
  applied: Wrote | null;
  /** Other conflicts that were applied to it by the same write: `after` is what all of them made of it. */
  others: number;
  /** Who took the belief out. */
  retired: Wrote | null;
}

/** A conflict from its record on, as the world model's changes tell it. */
export interface ConflictRecord {
  id: string;
  type: string;
  severity: string;
  scope: string;
  description: string;
  found: Wrote;
  /** The write that took it off the record; null while it stands. */
  settled: Wrote | null;
  beliefs: ConflictBelief[];
}

const byId = (list: readonly Json[]): Map<string, Json> => new Map(list.map((item) => [textAt(item, 'id'), item]));
const applied = (belief: Json | undefined): string[] => textsAt(belief, 'applied_contradiction_ids');

function follow(record: ConflictRecord, change: { before: Map<string, Json>; after: Map<string, Json> }, wrote: Wrote): void {
  for (const belief of record.beliefs) {
    const was = change.before.get(belief.id);
    const is = change.after.get(belief.id);
    if (belief.applied === null && is !== undefined && applied(is).includes(record.id)) {
      belief.applied = wrote;
      belief.before = numberAt(was, 'confidence') ?? numberAt(is, 'confidence');
      belief.after = numberAt(is, 'confidence');
      const earlier = new Set(applied(was));
      belief.others = applied(is).filter((id) => id !== record.id && !earlier.has(id)).length;
    }
    if (belief.retired === null && was !== undefined && is === undefined) belief.retired = wrote;
    else if (belief.retired !== null && is !== undefined) belief.retired = null;
    if (belief.statement === '') belief.statement = textAt(is ?? was, 'statement');
  }
}

const recordOf = (item: Json, wrote: Wrote): ConflictRecord => ({
  id: textAt(item, 'id'),
  type: textAt(item, 'type'),
  severity: textAt(item, 'severity'),
  scope: textAt(item, 'scope'),
  description: textAt(item, 'description'),
  found: wrote,
  settled: null,
  beliefs: textsAt(item, 'involved_belief_ids').map((id) => ({
    id,
    statement: '',
    before: null,
    after: null,
    applied: null,
    others: 0,
    retired: null,
  })),
});

/**
 * Every conflict that was ever on record, oldest first, with the confidence of its beliefs before and after and who settled it. A
 * conflict that was settled and came back is a second record. Parts of the world model that a write left alone are not looked at again.
 */
export function conflictRecords(points: readonly LayerPoint[], initial: Json = null): ConflictRecord[] {
  const records: ConflictRecord[] = [];
  const standing = new Map<string, ConflictRecord>();
  let before = initial;
  let beliefs = byId(listAt(initial, 'beliefs'));
  for (const { seq, visit, value } of points) {
    const wrote = { seq, visit };
    const sameBeliefs = fieldOf(value, 'beliefs') === fieldOf(before, 'beliefs');
    const sameConflicts = fieldOf(value, 'contradictions') === fieldOf(before, 'contradictions');
    const after = sameBeliefs ? beliefs : byId(listAt(value, 'beliefs'));
    if (!sameConflicts) {
      const present = byId(listAt(value, 'contradictions'));
      for (const [id, record] of standing) {
        if (present.has(id)) continue;
        record.settled = wrote;
        standing.delete(id);
      }
      for (const [id, item] of present) {
        if (standing.has(id)) continue;
        const record = recordOf(item, wrote);
        records.push(record);
        standing.set(id, record);
      }
    }
    if (!sameBeliefs || !sameConflicts) for (const record of records) follow(record, { before: beliefs, after }, wrote);
    before = value;
    beliefs = after;
  }
  return records;
}

const upTo = (wrote: Wrote | null, seq: number): Wrote | null => (wrote !== null && wrote.seq <= seq ? wrote : null);

/** The records as they stood at a moment: what came later has not happened. */
export const conflictsAt = (records: readonly ConflictRecord[], seq: number): ConflictRecord[] =>
  records
    .filter((record) => record.found.seq <= seq)
    .map((record) => ({
      ...record,
      settled: upTo(record.settled, seq),
      beliefs: record.beliefs.map((belief) => {
        const done = upTo(belief.applied, seq);
        return {
          ...belief,
          applied: done,
          ...(done === null ? { before: null, after: null, others: 0 } : {}),
          retired: upTo(belief.retired, seq),
        };
      }),
    }));

/** What a conflict of that severity does to its beliefs (layers.md R4). */
export function consequenceOf(severity: string): string {
  if (severity === 'SYSTEM_BREAKING') return 'On record only; control state blocks on it at its next visit.';
  if (severity === 'HIGH') return 'Confidence stays; both go on the invalidation frontier.';
  if (severity === 'MEDIUM') return 'Lowers both, and what rests on them is gone through again.';
  return 'Lowers both.';
}

/** Confidence of every belief at a moment, by id. */
export const confidencesOf = (worldModel: Json): Map<string, number | null> =>
  new Map(listAt(worldModel, 'beliefs').map((belief) => [textAt(belief, 'id'), numberAt(belief, 'confidence')]));
