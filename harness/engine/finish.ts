import type { ErrorRecord } from '../contract/errors';
import type { Json } from '../contract/json';
import type { TraceEventOf } from '../trace/events';
import type { Visit } from './snapshot';
import { rootScope } from './snapshot';
import type { Turn } from './turn';

type Ending = TraceEventOf<'run-end'>['outcome'];

const raise: Record<string, string> = {
  steps: 'Raise "Steps" under "Limits of one run" in the flow settings if the flow needs more.',
  wallTimeMs: 'Raise "Time" under "Limits of one run" in the flow settings if the flow needs longer.',
  tokens: 'Raise "Tokens" under "Limits of one run" in the flow settings if the flow needs more.',
  cost: 'Raise "Cost" under "Limits of one run" in the flow settings if the flow may spend more.',
};

/** A cap is reached: the run ends as `limit`, the cap is named, and the trace so far stays. */
export function limitReached(turn: Turn, cap: string, value: number, limit: number): void {
  const how = raise[cap] ?? 'Raise "At most, per run" on that edge if the loop may go round more often.';
  turn.emit({ kind: 'limit-reached', cap, value, limit, message: `The run reached its cap of ${limit} for ${cap}. ${how}` });
  finish(turn, 'limit');
}

/** Ends the run when it has spent more than its caps allow; true when it did. */
export function exceedsSpend(turn: Turn): boolean {
  const { usage } = turn.snapshot;
  const { caps } = turn.plan;
  const tokens = usage.inputTokens + usage.outputTokens;
  if (caps.tokens !== null && tokens > caps.tokens) limitReached(turn, 'tokens', tokens, caps.tokens);
  else if (caps.cost !== null && usage.cost > caps.cost) limitReached(turn, 'cost', usage.cost, caps.cost);
  return !turn.live;
}

/** Ends a visit from outside: what it does is aborted, and its late result is not heard. */
export function endCancelled(turn: Turn, visit: Visit): void {
  turn.effect({ kind: 'abort', visit: visit.id });
  turn.emit({
    kind: 'visit-end',
    ...turn.place(visit),
    outcome: 'cancelled',
    ports: [],
    edges: [],
    output: null,
    durationMs: turn.at - visit.startedAt,
  });
}

/** Ends the run whatever still goes on; in-flight work is aborted and its late results are not heard. */
export function finish(turn: Turn, outcome: Ending, error?: ErrorRecord): void {
  const { snapshot } = turn;
  for (const visit of Object.values(snapshot.visits)) endCancelled(turn, visit);
  const reason = error ?? snapshot.failure?.error;
  turn.emit({
    kind: 'run-end',
    outcome,
    output: finalOutput(turn),
    outputs: { ...snapshot.outputs },
    unreached: outcome === 'incomplete' ? unreached(turn) : [],
    usage: { ...snapshot.usage },
    carry: carried(turn),
    ...taken(turn),
    ...(reason && outcome !== 'limit' ? { error: reason } : {}),
  });
  turn.effect({ kind: 'end' });
}

/** All tokens have ended: which outcome is it? */
export function conclude(turn: Turn): void {
  const { snapshot, plan } = turn;
  if (snapshot.failure) finish(turn, 'failed');
  else if (snapshot.untilReached) finish(turn, 'succeeded');
  else if (Object.keys(snapshot.outputs).length === 0 || plan.outputs.some((output) => output.required && !reached(turn, output.id))) {
    finish(turn, 'incomplete');
  } else finish(turn, 'succeeded');
}

const reached = (turn: Turn, id: string): boolean => Object.hasOwn(turn.snapshot.outputs, id);

const unreached = (turn: Turn): string[] => turn.plan.outputs.map((output) => output.id).filter((id) => !reached(turn, id));

/** One output node: its value. Several: all of them by node id. A run `until` a node: that node's output. */
function finalOutput(turn: Turn): Json {
  const { snapshot } = turn;
  const values = Object.values(snapshot.outputs);
  if (values.length === 0 && snapshot.untilReached && snapshot.options.until !== undefined) {
    return snapshot.scopes[rootScope]?.outputs[snapshot.options.until] ?? null;
  }
  return values.length > 1 ? { ...snapshot.outputs } : (values[0] ?? null);
}

/** Messages that came meanwhile and were taken up; the others are turns of their own. */
function taken(turn: Turn): { inbox?: string[] } {
  const { inboxRead, inboxReturned } = turn.snapshot;
  const kept = inboxRead.filter((id) => !inboxReturned.includes(id));
  return kept.length > 0 ? { inbox: kept } : {};
}

function carried(turn: Turn): Record<string, Json> {
  const carry: Record<string, Json> = {};
  for (const [id, channel] of turn.program.channels) {
    const value = turn.snapshot.channels[id];
    if ((channel.scope === 'session' || channel.scope === 'flow') && value !== undefined) carry[id] = value;
  }
  return carry;
}
