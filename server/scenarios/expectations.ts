import type { Diagnostic } from '@/harness/compiler/diagnostic';
import type { Decision } from '@/harness/contract/decision';
import type { Json } from '@/harness/contract/json';
import type { TraceEvent, TraceEventOf } from '@/harness/trace/events';
import { mismatch, show } from './matchers';
import type { Expectations } from './scenario';

/** What came of a scenario. */
export interface Outcome {
  /** `refused` when the flow did not compile, `waiting` when nothing was left but an ask nobody answers. */
  status: string;
  end: TraceEventOf<'run-end'> | null;
  events: readonly TraceEvent[];
  channels: Readonly<Record<string, Json>>;
  usage: Readonly<Record<string, Json>>;
  diagnostics: readonly Diagnostic[];
  /** Text of a workspace file, null when there is none. */
  readFile: (path: string) => string | null;
}

/** Everything that is not as expected, one sentence each; empty when all is. */
export function checkExpectations(expected: Expectations, outcome: Outcome): string[] {
  return [
    ...checkResult(expected, outcome),
    ...expected.decisions.flatMap((wanted) => checkDecision(wanted, outcome)),
    ...expected.events.flatMap((wanted) => checkEvent(wanted, outcome)),
    ...checkVisits(expected, outcome),
    ...each('channel', expected.channels, outcome.channels),
    ...each('usage', expected.usage, outcome.usage),
    ...Object.entries(expected.files).flatMap(([path, wanted]) => faults(`file ${path}`, mismatch(outcome.readFile(path) ?? null, wanted))),
    ...expected.diagnostics.flatMap((wanted) => checkDiagnostic(wanted, outcome)),
    ...checkAbsent(expected, outcome),
  ];
}

const faults = (what: string, fault: string | null): string[] => (fault === null ? [] : [`${what}: ${fault}`]);

const each = (what: string, expected: Record<string, Json>, actual: Readonly<Record<string, Json>>): string[] =>
  Object.entries(expected).flatMap(([key, wanted]) => faults(`${what} ${key}`, mismatch(actual[key], wanted)));

function checkResult(expected: Expectations, { status, end, events }: Outcome): string[] {
  const found: string[] = [];
  if (expected.status !== undefined && expected.status !== status) {
    const error = end?.error ? ` (${end.error.code}: ${end.error.message})` : '';
    const limit = events.find((event) => event.kind === 'limit-reached');
    found.push(`status is ${status}${error}${limit?.kind === 'limit-reached' ? ` (${limit.message})` : ''}, expected ${expected.status}`);
  }
  if (expected.output !== undefined) found.push(...faults('output', mismatch(end?.output, expected.output)));
  if (expected.outputs !== undefined) found.push(...each('output of', expected.outputs, end?.outputs ?? {}));
  if (expected.error !== undefined) found.push(...faults('error', mismatch(end?.error ? { ...end.error } : undefined, expected.error)));
  if (expected.unreached !== undefined) found.push(...faults('unreached', mismatch(end?.unreached, expected.unreached)));
  return found;
}

interface Wanted {
  count?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
}

function checkCount(what: string, found: number, { count, min, max }: Wanted): string[] {
  if (count !== undefined) return found === count ? [] : [`${what} found ${found} times, expected ${count}`];
  const least = min ?? (max === undefined ? 1 : 0);
  if (found < least) return [`${what} found ${found} times, expected at least ${least}`];
  return max !== undefined && found > max ? [`${what} found ${found} times, expected at most ${max}`] : [];
}

function decided(event: TraceEvent): { event: TraceEvent; decision: Decision }[] {
  if (event.kind === 'decision') return [{ event, decision: event.decision }];
  return event.kind === 'guard-verdict' && event.decision ? [{ event, decision: event.decision }] : [];
}

function checkDecision(wanted: Expectations['decisions'][number], { events }: Outcome): string[] {
  const { count, min, max, node, layer, because, ...fields } = wanted;
  const decisions = events.flatMap(decided);
  const matching = decisions.filter(({ event, decision }) => {
    if (node !== undefined && event.nodeId !== node) return false;
    if (layer !== undefined && event.layer !== layer) return false;
    const pattern = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    // a Decision is plain JSON
    if (mismatch(decision as unknown as Json, pattern as Json) !== null) return false;
    const numbers = Object.fromEntries(decision.because.map((reason) => [reason.name, reason.value]));
    return because === undefined || mismatch(numbers, because) === null;
  });
  const near = decisions
    .filter(({ event }) => node === undefined || event.nodeId === node)
    .map(({ decision }) => `${decision.rule} → ${decision.outcome}`);
  const problems = checkCount(
    `decision ${show({ ...(node ? { node } : {}), ...(fields as Record<string, Json>), ...(because ? { because } : {}) })}`,
    matching.length,
    { count, min, max },
  );
  return problems.map((problem) => `${problem}. There: ${[...new Set(near)].slice(0, 12).join('; ') || 'none'}`);
}

function checkEvent(wanted: Expectations['events'][number], { events }: Outcome): string[] {
  const { kind, node, where, ...counts } = wanted;
  const matching = events.filter(
    // a TraceEvent is plain JSON
    (event) =>
      event.kind === kind &&
      (node === undefined || event.nodeId === node) &&
      (where === undefined || mismatch(event as unknown as Json, where) === null),
  );
  return checkCount(
    `event ${kind}${node === undefined ? '' : ` at ${node}`}${where === undefined ? '' : ` ${show(where)}`}`,
    matching.length,
    counts,
  );
}

function checkVisits(expected: Expectations, { events }: Outcome): string[] {
  const visited = events.flatMap((event) => (event.kind === 'visit-start' && event.nodeId !== undefined ? [event.nodeId] : []));
  const found = Object.entries(expected.visits).flatMap(([node, wanted]) =>
    faults(`visits of ${node}`, mismatch(visited.filter((id) => id === node).length, wanted)),
  );
  if (expected.order === undefined) return found;
  let place = 0;
  for (const id of visited) if (id === expected.order[place]) place += 1;
  if (place < expected.order.length)
    found.push(
      `order: "${expected.order[place]}" was not visited after "${expected.order[place - 1] ?? 'the start'}"; visited ${visited.slice(0, 60).join(', ')}`,
    );
  return found;
}

function checkDiagnostic(wanted: Expectations['diagnostics'][number], { diagnostics }: Outcome): string[] {
  const there = diagnostics.some(
    (entry) =>
      entry.code === wanted.code &&
      (wanted.severity === undefined || entry.severity === wanted.severity) &&
      (wanted.node === undefined || entry.nodeId === wanted.node) &&
      (wanted.edge === undefined || entry.edgeId === wanted.edge),
  );
  return there ? [] : [`problem ${show(wanted)} was not reported. There: ${diagnostics.map((entry) => entry.code).join(', ') || 'none'}`];
}

function checkAbsent(expected: Expectations, { events }: Outcome): string[] {
  if (expected.absent.length === 0) return [];
  const text = JSON.stringify(events);
  return expected.absent.filter((part) => text.includes(part)).map((part) => `${show(part)} occurs in the events`);
}
