import type { Json } from '../../contract/json';
import { decisionLine } from './decision-words';
import type { DecisionEntry, VisitSpan } from './spans';
import { sameJson } from './state';
import type { RunFacts, TraceIndex } from './trace-index';

export type VisitDifference = 'only-a' | 'only-b' | 'outcome' | 'port' | 'decision' | 'output' | 'error';

export interface VisitPair {
  key: string;
  a: VisitSpan | null;
  b: VisitSpan | null;
  differences: VisitDifference[];
}

export interface DecisionPair {
  key: string;
  a: DecisionEntry | null;
  b: DecisionEntry | null;
  same: boolean;
}

export interface RunComparison {
  visits: VisitPair[];
  decisions: DecisionPair[];
  outputs: { id: string; a: Json | undefined; b: Json | undefined; same: boolean }[];
  usage: { name: UsageName; a: number; b: number }[];
  inputSame: boolean;
}

const usageNames = [
  'steps',
  'modelCalls',
  'toolCalls',
  'inputTokens',
  'outputTokens',
  'cost',
  'unpricedCalls',
] as const satisfies readonly (keyof RunFacts)[];
export type UsageName = (typeof usageNames)[number];

/** Where a visit stands in its run, in terms that mean the same in another run: container visits and body numbers instead of ids. */
function visitKeys(index: TraceIndex): Map<string, string> {
  const keys = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const visit of index.visits) {
    const scope = visit.scope === null ? undefined : index.scopes.get(visit.scope);
    const around = scope === undefined ? '' : `${keys.get(scope.visit) ?? ''}[${scope.index}]/`;
    const place = around + JSON.stringify(visit.nodeId);
    const number = (counts.get(place) ?? 0) + 1;
    counts.set(place, number);
    keys.set(visit.id, `${place}#${number}`);
  }
  return keys;
}

const decisionsOf = (index: TraceIndex, keys: Map<string, string>): Map<string, DecisionEntry[]> => {
  const grouped = new Map<string, DecisionEntry[]>();
  for (const entry of index.decisions) {
    const key = (entry.visit === undefined ? undefined : keys.get(entry.visit)) ?? '';
    const group = grouped.get(key);
    if (group === undefined) grouped.set(key, [entry]);
    else group.push(entry);
  }
  return grouped;
};

const sameDecision = (a: DecisionEntry | undefined, b: DecisionEntry | undefined): boolean =>
  a !== undefined && b !== undefined && a.policy === b.policy && decisionLine(a.decision) === decisionLine(b.decision);

/** The keys of both runs in one order: a's order, with what only b has placed after the visit it followed there. */
function mergedOrder(a: readonly string[], b: readonly string[]): string[] {
  const inA = new Set(a);
  const after = new Map<string | null, string[]>();
  let anchor: string | null = null;
  for (const key of b) {
    if (inA.has(key)) anchor = key;
    else after.set(anchor, [...(after.get(anchor) ?? []), key]);
  }
  return [...(after.get(null) ?? []), ...a.flatMap((key) => [key, ...(after.get(key) ?? [])])];
}

function differencesOf(a: VisitSpan | null, b: VisitSpan | null): VisitDifference[] {
  if (a === null) return ['only-b'];
  if (b === null) return ['only-a'];
  const found: VisitDifference[] = [];
  if (a.status !== b.status) found.push('outcome');
  if (a.ports.join('\n') !== b.ports.join('\n')) found.push('port');
  if (a.error?.code !== b.error?.code || a.error?.message !== b.error?.message) found.push('error');
  if (!sameJson(a.output, b.output)) found.push('output');
  return found;
}

/** Two runs side by side: the n-th visit of a node (in the same place of the same body) stands beside the n-th of the other run. */
export function compareRuns(a: TraceIndex, b: TraceIndex): RunComparison {
  const [keysA, keysB] = [visitKeys(a), visitKeys(b)];
  const byKey = (index: TraceIndex, keys: Map<string, string>) =>
    new Map(index.visits.map((visit) => [keys.get(visit.id) ?? visit.id, visit]));
  const [visitsA, visitsB] = [byKey(a, keysA), byKey(b, keysB)];
  const [decisionsA, decisionsB] = [decisionsOf(a, keysA), decisionsOf(b, keysB)];
  const order = mergedOrder([...visitsA.keys()], [...visitsB.keys()]);

  const decisions: DecisionPair[] = [];
  const pairDecisions = (key: string): boolean => {
    const [left, right] = [decisionsA.get(key) ?? [], decisionsB.get(key) ?? []];
    let allSame = true;
    for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
      const same = sameDecision(left[i], right[i]);
      allSame &&= same;
      decisions.push({ key: `${key}/${i}`, a: left[i] ?? null, b: right[i] ?? null, same });
    }
    return allSame;
  };

  const visits = order.map((key): VisitPair => {
    const [left, right] = [visitsA.get(key) ?? null, visitsB.get(key) ?? null];
    const differences = differencesOf(left, right);
    const decided = pairDecisions(key);
    if (!decided && left !== null && right !== null) differences.push('decision');
    return { key, a: left, b: right, differences };
  });
  pairDecisions('');

  const outputsOf = (index: TraceIndex): Record<string, Json> => index.run.end?.outputs ?? {};
  const [outA, outB] = [outputsOf(a), outputsOf(b)];
  const read = (outputs: Record<string, Json>, id: string) => (Object.hasOwn(outputs, id) ? outputs[id] : undefined);
  return {
    visits,
    decisions,
    outputs: [...new Set([...Object.keys(outA), ...Object.keys(outB)])].map((id) => {
      const [left, right] = [read(outA, id), read(outB, id)];
      return { id, a: left, b: right, same: sameJson(left, right) };
    }),
    usage: usageNames.map((name) => ({ name, a: a.run[name], b: b.run[name] })),
    inputSame: sameJson(a.run.start?.input, b.run.start?.input),
  };
}
