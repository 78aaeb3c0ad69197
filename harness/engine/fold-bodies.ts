import type { Plan } from '../compiler/plan';
import type { BodyResult } from '../contract/execute';
import type { Json } from '../contract/json';
import type { TraceEventOf } from '../trace/events';
import { release, visitOf } from './fold-effects';
import { nodeAt, scopeOf } from './plan-lookup';
import type { RunSnapshot, Scope } from './snapshot';
import { rootScope } from './snapshot';

/* How bodies of containers change a snapshot; part of `apply.ts`. */

export function scopesOpen(plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'scopes-open'>): void {
  const visit = visitOf(snapshot, event);
  const outer = scopeOf(snapshot, visit.scope);
  const node = nodeAt(plan, outer, visit.node);
  visit.suspended[event.key] = {
    kind: 'scopes',
    scopes: [...event.scopes],
    concurrency: event.concurrency,
    onError: event.onError,
  };
  event.scopes.forEach((id, index) => {
    snapshot.scopes[id] = {
      id,
      plan: node.subplan === undefined ? outer.plan : [...outer.plan, node.subplan],
      parent: { visit: visit.id, scope: outer.id, node: node.id },
      index,
      input: event.items[index] ?? null,
      state: 'queued',
      outputs: {},
      traversals: {},
      result: { output: null, final: false },
    };
  });
  snapshot.counters.scope += event.scopes.length;
  // An empty list has nothing to wait for.
  if (event.scopes.length === 0) release(snapshot, event, []);
}

export function scopeEnd(_plan: Plan, snapshot: RunSnapshot, event: TraceEventOf<'scope-end'>): void {
  const scope = scopeOf(snapshot, event.scope ?? rootScope);
  scope.state = event.outcome;
  scope.result = { output: event.output, final: true };
  if (event.error) scope.error = event.error;
  const visit = scope.parent ? snapshot.visits[scope.parent.visit] : undefined;
  if (!visit) {
    delete snapshot.scopes[scope.id];
    return;
  }
  for (const [key, suspension] of Object.entries(visit.suspended)) {
    if (suspension.kind !== 'scopes' || !suspension.scopes.includes(scope.id)) continue;
    const siblings = suspension.scopes.map((id) => scopeOf(snapshot, id));
    if (siblings.some((sibling) => sibling.state === 'queued' || sibling.state === 'running')) return;
    visit.memo[key] = siblings.map((sibling) => resultOf(sibling));
    delete visit.suspended[key];
    for (const sibling of siblings) delete snapshot.scopes[sibling.id];
  }
}

function resultOf(scope: Scope): Json {
  const result: BodyResult = {
    index: scope.index,
    outcome: scope.state === 'done' ? 'done' : 'failed',
    output: scope.result.output,
  };
  if (scope.error) result.error = { code: scope.error.code, message: scope.error.message };
  // BodyResult is plain JSON, but an interface has no index signature to show it.
  return result as unknown as Json;
}
