import type { Plan } from '../compiler/plan';
import type { Json } from '../contract/json';
import type { TraceEvent, TraceEventOf } from '../trace/events';
import { breakpointKey } from './breakpoint';
import { nodeAt, scopeOf } from './plan-lookup';
import type { RunSnapshot, Visit } from './snapshot';
import { planKey } from './snapshot';

/* How effects inside a visit change a snapshot; part of `apply.ts`. */

export function visitOf(snapshot: RunSnapshot, event: TraceEvent): Visit {
  const visit = event.visit === undefined ? undefined : snapshot.visits[event.visit];
  if (!visit) throw new Error(`${event.kind} #${event.seq} names no live visit`);
  return visit;
}

export function toolEnd(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'tool-end'>): void {
  const visit = visitOf(snapshot, event);
  if (visit.openTools[event.key]?.effect === 'write' && succeeded(event.outcome)) visit.wrote = true;
  delete visit.openTools[event.key];
  visit.memo[event.key] = event.outcome;
  snapshot.usage.toolCalls += 1;
  charge(plan, snapshot, visit, { toolCalls: 1 });
}

const succeeded = (outcome: Json): boolean =>
  typeof outcome === 'object' && outcome !== null && !Array.isArray(outcome) && outcome.status === 'ok';

export function askOpen(_plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'ask-open'>): void {
  const { askId, ask, hash, at } = event;
  visitOf(snapshot, event).suspended[event.key] = { kind: 'ask', askId, ask, hash, at };
  snapshot.openAsks += 1;
  snapshot.counters.ask += 1;
}

export function askAnswer(_plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'ask-answer'>): void {
  release(snapshot, event, event.answer);
  snapshot.openAsks -= 1;
  if (event.key === breakpointKey) snapshot.stepping = event.choice === 'step';
}

export function modelEnd(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'model-end'>): void {
  const visit = visitOf(snapshot, event);
  if (event.reply !== undefined) visit.memo[event.key] = event.reply;
  const tokens = (event.inputTokens ?? 0) + (event.outputTokens ?? 0);
  const unpriced = event.cost === null && (event.error === undefined || event.inputTokens !== null) ? 1 : 0;
  const { usage } = snapshot;
  usage.modelCalls += 1;
  usage.inputTokens += event.inputTokens ?? 0;
  usage.outputTokens += event.outputTokens ?? 0;
  usage.cost += event.cost ?? 0;
  usage.unpricedCalls += unpriced;
  charge(plan, snapshot, visit, { modelCalls: 1, tokens, cost: event.cost ?? 0, unpricedCalls: unpriced });
}

type Charge = Partial<Record<'steps' | 'tokens' | 'cost' | 'unpricedCalls' | 'modelCalls' | 'toolCalls', number>>;

export function charge(plan: Plan, snapshot: RunSnapshot, visit: Visit, amounts: Charge): void {
  const scope = scopeOf(snapshot, visit.scope);
  for (const policy of nodeAt(plan, scope, visit.node).policies) {
    const key = planKey(scope, policy);
    const usage = snapshot.policyUsage[key] ?? {
      steps: 0,
      tokens: 0,
      cost: 0,
      unpricedCalls: 0,
      modelCalls: 0,
      toolCalls: 0,
      elapsedMs: 0,
      since: visit.startedAt,
    };
    snapshot.policyUsage[key] = usage;
    usage.steps += amounts.steps ?? 0;
    usage.tokens += amounts.tokens ?? 0;
    usage.cost += amounts.cost ?? 0;
    usage.unpricedCalls += amounts.unpricedCalls ?? 0;
    usage.modelCalls += amounts.modelCalls ?? 0;
    usage.toolCalls += amounts.toolCalls ?? 0;
  }
}

export function release(snapshot: RunSnapshot, event: TraceEvent & { key: string }, value: Json): void {
  const visit = visitOf(snapshot, event);
  delete visit.suspended[event.key];
  visit.memo[event.key] = value;
}
