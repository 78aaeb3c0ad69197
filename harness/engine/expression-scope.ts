import type { Plan } from '../compiler/plan';
import type { Json } from '../contract/json';
import type { ExpressionScope } from '../expression/evaluate';
import { parseExpression } from '../expression/parse';
import type { Reference } from '../expression/references';
import { parseTemplate } from '../expression/template';
import { channelsAt, homeOf } from './branches';
import { planOf, scopeOf } from './plan-lookup';
import type { RunSnapshot, Scope, Visit } from './snapshot';
import { rootScope } from './snapshot';

/** From where an expression looks: a visit of a run, with what is visible there. */
export interface Viewpoint {
  plan: Plan;
  snapshot: RunSnapshot;
  visit: Visit;
  received: Json;
  /** Values of the secrets the flow names; only templates are given them. */
  secrets: Readonly<Record<string, string>>;
}

/** The names one expression reads, and no others: a flow of a thousand nodes costs no more than one of ten. */
export const scopeForExpression = (view: Viewpoint, source: string, extra?: Record<string, Json>): ExpressionScope =>
  scopeFor({ ...view, secrets: {} }, parseExpression(source).references, extra);

export const scopeForTemplate = (view: Viewpoint, source: string): ExpressionScope => scopeFor(view, parseTemplate(source).references);

function scopeFor(view: Viewpoint, references: readonly Reference[], extra?: Record<string, Json>): ExpressionScope {
  const names: Record<string, Json> = {};
  for (const reference of references) {
    const name = rootName(reference);
    if (name === 'nodes') names.nodes = { ...asObject(names.nodes), ...nodeValues(view, reference) };
    else if (!Object.hasOwn(names, name)) {
      const value = valueBehind(view, reference);
      if (value !== undefined) names[name] = value;
    }
  }
  return { names: { ...names, ...extra } };
}

const asObject = (value: Json | undefined): Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

function rootName(reference: Reference): string {
  if (reference.kind === 'node') return reference.form === 'name' ? reference.root : 'nodes';
  return reference.kind === 'unknown' ? reference.root : reference.kind;
}

/** `nodes["id"]` reads one node; `nodes` by itself reads all that are visible. */
function nodeValues(view: Viewpoint, reference: Reference): Record<string, Json> {
  if (reference.kind === 'node') return { [reference.root]: outputOf(view, reference.root) ?? null };
  const all: Record<string, Json> = {};
  for (const scope of visibleScopes(view)) {
    for (const id of Object.keys(planOf(view.plan, scope).nodes)) all[id] ??= scope.outputs[id] ?? null;
  }
  return all;
}

function valueBehind(view: Viewpoint, reference: Reference): Json | undefined {
  const { snapshot, visit } = view;
  switch (reference.kind) {
    case 'node':
    case 'unknown':
      return outputOf(view, reference.root);
    case 'input':
      return flowInput(view);
    case 'item':
      return isBody(view) ? innermost(view).input : undefined;
    case 'index':
      return isBody(view) ? homeOf(snapshot, visit.scope).index : undefined;
    case 'received':
      return view.received;
    case 'state':
      return channelsAt(snapshot, visit.scope);
    case 'run':
      return {
        id: snapshot.runId,
        startedAt: snapshot.startedAt,
        visit: visit.number,
        attempt: visit.attempt,
        workspace: snapshot.workspace,
      };
    case 'session':
      return { id: snapshot.sessionId };
    case 'secrets':
      return { ...view.secrets };
    default:
      return undefined;
  }
}

const innermost = (view: Viewpoint): Scope => scopeOf(view.snapshot, view.visit.scope);

/** The run itself has no item, and neither has a branch of it. */
const isBody = (view: Viewpoint): boolean => homeOf(view.snapshot, view.visit.scope).id !== rootScope;

/** A body sees itself and the bodies around it, up to the flow it belongs to; an embedded flow sees nothing of its caller. */
function visibleScopes(view: Viewpoint): Scope[] {
  const scopes = [innermost(view)];
  for (let scope = scopes[0]; scope?.parent; ) {
    const outer: Scope = scopeOf(view.snapshot, scope.parent.scope);
    if (outer.plan.length !== scope.plan.length) break;
    scopes.push(outer);
    scope = outer;
  }
  return scopes;
}

/**
 * `input` is the input of the flow a node belongs to, with the defaults its start node filled in once that has run; a map's body reads its own
 * through `item`.
 */
function flowInput(view: Viewpoint): Json {
  const flow = visibleScopes(view).at(-1);
  if (!flow) return null;
  const start = planOf(view.plan, flow).starts.find((id) => Object.hasOwn(flow.outputs, id));
  return (start === undefined ? undefined : flow.outputs[start]) ?? flow.input;
}

/** The latest output of a node; `null` while it has not run; `undefined` when the flow has no such node. */
function outputOf(view: Viewpoint, id: string): Json | undefined {
  const scopes = visibleScopes(view);
  for (const scope of scopes) {
    if (Object.hasOwn(scope.outputs, id)) return scope.outputs[id];
  }
  const flow = scopes[0];
  return flow && Object.hasOwn(planOf(view.plan, flow).nodes, id) ? null : undefined;
}
