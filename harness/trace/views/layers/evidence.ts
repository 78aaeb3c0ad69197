import type { Json } from '../../../contract/json';
import type { DecisionEntry } from '../spans';
import type { Wrote } from './conflicts';
import type { LayerPoint } from './history';
import { fieldOf, listAt, textAt, textOf, textsAt } from './read';

export interface EvidenceReading {
  id: string;
  text: string;
  /** HIGH, MEDIUM or LOW, after any ceiling. */
  reliability: string;
  source: string;
  type: string;
  /** ISO time at which it was gathered. */
  gatheredAt: string;
}

export const evidenceOf = (store: Json): EvidenceReading[] =>
  listAt(store, 'observations').map((item) => ({
    id: textAt(item, 'id'),
    text: textAt(item, 'obs'),
    reliability: textAt(item, 'reliability'),
    source: textAt(item, 'source'),
    type: textAt(item, 'evidence_type'),
    gatheredAt: textAt(item, 'freshness'),
  }));

/** A ceiling that lowered one piece of evidence: `HIGH → MEDIUM, ceiling of web_search`. */
export interface Cap {
  before: string;
  after: string;
  source: string;
}

/** The ceilings that lowered something, by evidence id, as the decisions of the evidence layer tell it. */
export function capsOf(decisions: readonly DecisionEntry[]): Map<string, Cap> {
  const caps = new Map<string, Cap>();
  for (const { decision } of decisions) {
    if (decision.rule !== 'tool ceiling') continue;
    const told = new Map(decision.because.map((reason) => [reason.name, textOf(reason.value)]));
    const [id, before, after] = [told.get('evidence'), told.get('reliability'), told.get('ceiling')];
    if (!id || !before || !after || !decision.outcome.includes('capped to')) continue;
    caps.set(id, { before, after, source: told.get('source') ?? '' });
  }
  return caps;
}

export const capWords = (cap: Cap): string => `${cap.before} → ${cap.after}, ceiling of ${cap.source}`;

/** The write by which each piece of evidence came, by id. */
export function evidenceArrivals(points: readonly LayerPoint[]): Map<string, Wrote> {
  const arrivals = new Map<string, Wrote>();
  let before: readonly Json[] = [];
  for (const { seq, visit, value } of points) {
    const items = listAt(value, 'observations');
    if (items === before) continue;
    items.forEach((item, position) => {
      if (item === before[position]) return;
      const id = textAt(item, 'id');
      if (!arrivals.has(id)) arrivals.set(id, { seq, visit });
    });
    before = items;
  }
  return arrivals;
}

export interface RestingBelief {
  id: string;
  statement: string;
  stale: boolean;
}

/** The beliefs that rest on each piece of evidence: derived from it, supported by it, or inferred as it. */
export function beliefsByEvidence(worldModel: Json): Map<string, RestingBelief[]> {
  const resting = new Map<string, RestingBelief[]>();
  const stale = fieldOf(worldModel, 'stale_flags');
  for (const belief of listAt(worldModel, 'beliefs')) {
    const id = textAt(belief, 'id');
    const entry = { id, statement: textAt(belief, 'statement'), stale: fieldOf(stale, id) === true };
    for (const source of new Set([id, ...textsAt(belief, 'derived_from'), ...textsAt(belief, 'supporting_evidence')])) {
      const list = resting.get(source);
      if (list === undefined) resting.set(source, [entry]);
      else list.push(entry);
    }
  }
  return resting;
}

/** The evidence and sources that pass a filter; text matches id, source, type, and all of its words the content. */
export function filterEvidence(
  items: readonly EvidenceReading[],
  filter: { text: string; onlyCapped: ReadonlyMap<string, Cap> | null },
): EvidenceReading[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    if (filter.onlyCapped !== null && !filter.onlyCapped.has(item.id)) return false;
    if (words.length === 0) return true;
    const hay = `${item.id} ${item.source} ${item.type} ${item.reliability} ${item.text}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
}
