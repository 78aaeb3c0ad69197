import { decisionLine } from './decision-words';
import type { DecisionEntry } from './spans';

export interface DecisionFilter {
  layers?: readonly string[];
  nodes?: readonly string[];
  outcomes?: readonly string[];
  text?: string;
}

const passes = (allowed: readonly string[] | undefined, value: string): boolean =>
  allowed === undefined || allowed.length === 0 || allowed.includes(value);

const haystack = (entry: DecisionEntry): string =>
  [
    entry.label,
    entry.nodeId,
    entry.policy ?? '',
    decisionLine(entry.decision),
    entry.decision.note ?? '',
    ...entry.decision.alternatives.map((a) => `${a.outcome} ${a.needs}`),
  ]
    .join(' ')
    .toLowerCase();

/** The decisions that pass every set filter; within one filter any value may match. Text matches all of its words. */
export function filterDecisions(entries: readonly DecisionEntry[], filter: DecisionFilter): DecisionEntry[] {
  const words = (filter.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (!passes(filter.layers, entry.layer) || !passes(filter.nodes, entry.nodeId) || !passes(filter.outcomes, entry.decision.outcome))
      return false;
    if (words.length === 0) return true;
    const text = haystack(entry);
    return words.every((word) => text.includes(word));
  });
}

export interface DecisionFacets {
  layers: { id: string; count: number }[];
  nodes: { id: string; label: string; count: number }[];
  outcomes: { id: string; count: number }[];
}

/** What there is to filter by, in order of first appearance. */
export function decisionFacets(entries: readonly DecisionEntry[]): DecisionFacets {
  const layers = new Map<string, number>();
  const nodes = new Map<string, { label: string; count: number }>();
  const outcomes = new Map<string, number>();
  for (const entry of entries) {
    layers.set(entry.layer, (layers.get(entry.layer) ?? 0) + 1);
    outcomes.set(entry.decision.outcome, (outcomes.get(entry.decision.outcome) ?? 0) + 1);
    nodes.set(entry.nodeId, { label: entry.label, count: (nodes.get(entry.nodeId)?.count ?? 0) + 1 });
  }
  return {
    layers: [...layers].map(([id, count]) => ({ id, count })),
    nodes: [...nodes].map(([id, node]) => ({ id, ...node })),
    outcomes: [...outcomes].map(([id, count]) => ({ id, count })),
  };
}
