import { isJsonObject, type Json, type JsonObject } from '../contract/json';
import { isExecuting } from '../contract/node';
import { byText, type GraphNode } from '../flow/flow-graph';
import { stableJson } from '../flow/stable-json';
import { type RuleContext, subflowCall } from './context';
import { type Plan, type PlanNode, type PlanTarget, planVersion } from './plan';

/** Turns a document that passed the rules into what the engine runs. Nodes and lists stand in id order, whatever the drawing order. */
export function buildPlan(context: RuleContext, subplans: ReadonlyMap<string, Plan>): Plan {
  const { document, graph, bodies, options } = context;
  const policies = policiesByNode(context);
  const nodes: [string, PlanNode][] = [];
  for (const entry of graph.nodes.values()) {
    const node = planNode(context, entry, policies.get(entry.id) ?? []);
    if (node && bodies.reachable.has(entry.id)) nodes.push([entry.id, node]);
  }
  const used = new Set(nodes.flatMap(([, node]) => node.policies));
  const plan: Plan = {
    format: 'bridle/plan',
    version: planVersion,
    flowId: document.id,
    flowName: document.name,
    hash: '',
    nodes: Object.fromEntries(nodes),
    policies: Object.fromEntries(
      [...graph.nodes.values()]
        .filter(({ id }) => used.has(id))
        .map(({ id, node, config }) => [id, { id, type: node.type, label: node.label, config: plain(config) }]),
    ),
    starts: [...(bodies.entries.get(null) ?? [])],
    outputs: nodes
      .filter(([, node]) => node.role === 'end' && node.parent === undefined && node.disabled !== true)
      .map(([id, node]) => ({ id, required: node.config.required !== false })),
    caps: document.settings.caps,
    settings: document.settings,
    subplans: Object.fromEntries(subplans),
  };
  return { ...plan, hash: options.hash(semanticText(plan)) };
}

/** What the hash covers: all that can change a run. Names and what is derived from the edges are left out. */
function semanticText(plan: Plan): string {
  const { version, flowId, starts, outputs, settings } = plan;
  const lines = [JSON.stringify([version, flowId, starts, outputs]), stableJson(settings)];
  // lists in a fixed order need no sorting of keys; only configs may hold keys in any order
  for (const {
    id,
    type,
    typeVersion,
    role,
    layer,
    config,
    ports,
    next,
    policies,
    parent,
    disabled,
    entry,
    subplan,
    reads,
    writes,
  } of Object.values(plan.nodes)) {
    lines.push(
      JSON.stringify([id, type, typeVersion, role, layer, ports, next, policies, parent, disabled, entry, subplan, reads, writes]),
      stableJson(config),
    );
  }
  for (const { id, type, config } of Object.values(plan.policies)) lines.push(JSON.stringify([id, type]), stableJson(config));
  for (const [key, { hash }] of Object.entries(plan.subplans)) lines.push(JSON.stringify([key, hash]));
  return lines.join('\n');
}

function planNode(context: RuleContext, entry: GraphNode, policies: string[]): PlanNode | null {
  const { role, manifest, node, config } = entry;
  if (role === 'policy' || role === 'annotation') return null;
  const planned: PlanNode = {
    id: entry.id,
    type: node.type,
    typeVersion: manifest?.version ?? node.typeVersion,
    label: node.label,
    role: role ?? 'step',
    layer: manifest?.layer ?? 'flow',
    config: plain(config),
    ports: entry.ports?.map(({ id }) => id) ?? [...new Set(entry.out.map(({ port }) => port ?? ''))].sort(byText),
    next: nextOf(entry),
    policies,
    reads: [...(manifest?.reads ?? [])],
    writes: [...(manifest?.writes ?? [])],
  };
  if (entry.container !== null) planned.parent = entry.container;
  if (node.disabled) planned.disabled = true;
  if (role === 'join') {
    planned.closes = [...(context.joins.closes.get(entry.id) ?? [])];
    planned.reachableFrom = [...(context.joins.reachableFrom.get(entry.id) ?? [])];
  }
  if (role === 'container') {
    if (subflowCall(entry)) planned.subplan = entry.id;
    else {
      const [first] = context.bodies.entries.get(entry.id) ?? [];
      if (first !== undefined) planned.entry = first;
    }
  }
  return planned;
}

function nextOf(entry: GraphNode): Record<string, PlanTarget[]> {
  const byPort = new Map<string, PlanTarget[]>();
  for (const { id, port = '', target, maxTraversals } of entry.out) {
    const targets = byPort.get(port) ?? [];
    targets.push({ edge: id, node: target, ...(maxTraversals === undefined ? {} : { loop: { max: maxTraversals } }) });
    byPort.set(port, targets);
  }
  return Object.fromEntries([...byPort].sort(([a], [b]) => byText(a, b)));
}

/** Policies by the node they guard. One attached to a container guards every executing node inside of it, however deep, not the container. */
function policiesByNode({ graph }: RuleContext): Map<string, string[]> {
  const attached = new Map<string, string[]>();
  for (const { source, target } of graph.attachments) {
    if (graph.nodes.get(source)?.node.disabled) continue;
    attached.set(target, [...(attached.get(target) ?? []), source]);
  }
  const guarded = new Map<string, string[]>();
  for (const entry of graph.nodes.values()) {
    if (!entry.manifest || !isExecuting(entry.manifest)) continue;
    const own = graph.bodies.has(entry.id) ? [] : (attached.get(entry.id) ?? []);
    const policies = new Set(own);
    for (let around = entry.container; around !== null; around = graph.nodes.get(around)?.container ?? null) {
      for (const policy of attached.get(around) ?? []) policies.add(policy);
    }
    if (policies.size > 0) guarded.set(entry.id, [...policies].sort(byText));
  }
  return guarded;
}

/** A parsed config as plain JSON: keys without a value are left out. Most have none, and are taken as they are. */
function plain(config: JsonObject): JsonObject {
  if (!hasUndefined(config)) return config;
  const copy = withoutUndefined(config);
  return isJsonObject(copy) ? copy : {};
}

function hasUndefined(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined;
  if (Array.isArray(value)) return value.some(hasUndefined);
  for (const key of Object.keys(value)) if (hasUndefined(value[key])) return true;
  return false;
}

function withoutUndefined(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isJsonObject(value)) return value ?? null;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutUndefined(inner)]));
}
