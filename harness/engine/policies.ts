import type { Plan, PlanPolicy } from '../compiler/plan';
import { unexpectedError } from '../contract/errors';
import type { EndedCall, PolicyContext, PolicyHooks, PolicyImplementation } from '../contract/policy';
import { evaluateExpression } from '../expression/evaluate';
import { channelsAt } from './branches';
import type { Viewpoint } from './expression-scope';
import { scopeForExpression } from './expression-scope';
import { nodeAt, planOf, scopeOf } from './plan-lookup';
import { planKey } from './snapshot';

/** A policy as it guards one visit: its hooks, and a fresh view of what has been used. */
export interface AttachedPolicy {
  id: string;
  type: string;
  config: PlanPolicy['config'];
  hooks: PolicyHooks<unknown>;
  context: () => PolicyContext<unknown>;
}

/** The policies around a visit, in the order of the plan. `calls` grows as the visit's tool calls end. */
export function policiesOf(
  view: Viewpoint,
  implementations: ReadonlyMap<string, PolicyImplementation>,
  about: { runId: string; calls: readonly EndedCall[] },
): AttachedPolicy[] {
  const scope = scopeOf(view.snapshot, view.visit.scope);
  const plan: Plan = planOf(view.plan, scope);
  const node = nodeAt(view.plan, scope, view.visit.node);
  return node.policies.map((id) => {
    const policy = plan.policies[id];
    const implementation = policy ? implementations.get(policy.type) : undefined;
    if (!policy || !implementation) throw unexpectedError('ENGINE_POLICY', `The policy "${id}" has nothing that runs it.`);
    return {
      id,
      type: policy.type,
      config: policy.config,
      // The plan's config was parsed with this policy's own schema; the erased type cannot say so.
      hooks: implementation.hooks as PolicyHooks<unknown>,
      context: () => ({
        config: policy.config,
        policy: { id, label: policy.label },
        node: { id: node.id, label: node.label, type: node.type },
        run: { id: about.runId, workspace: view.snapshot.workspace },
        calls: about.calls,
        usage: usageOf(view, planKey(scope, id)),
        attempt: view.visit.attempt,
        state: channelsAt(view.snapshot, view.visit.scope),
        evaluate: (source, extra) => evaluateExpression(source, scopeForExpression(view, source, extra)),
      }),
    };
  });
}

function usageOf(view: Viewpoint, key: string): PolicyContext<unknown>['usage'] {
  const usage = view.snapshot.policyUsage[key];
  const none = { steps: 0, tokens: 0, cost: 0, unpricedCalls: 0, modelCalls: 0, toolCalls: 0, elapsedMs: 0 };
  if (!usage) return none;
  const { since, ...counts } = usage;
  return { ...counts, elapsedMs: Math.max(0, view.snapshot.lastAt - since) };
}
