import type { GraphNode } from '../../flow/flow-graph';
import type { FlowEdge } from '../../flow/schema';
import { beginnings, ways } from '../analysis/ways';
import { nameOf, type Rule, type RuleContext } from '../context';
import { isOn } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { insertBefore, switchOn } from '../fixes';
import { approvedPort, planningTypes } from '../planning-types';

/**
 * planning.md §21, 2: no way from where the flow begins leads to the execution of a plan without leaving an approval by its port `approved`. A
 * gate that is switched off lets everything pass and so does not count.
 */
export const planApproved: Rule = (context) => {
  const { graph, bodies } = context;
  const executing = [...graph.nodes.values()].filter(
    (entry) => (isOn(entry, planningTypes.execute) || isOn(entry, planningTypes.step)) && bodies.reachable.has(entry.id),
  );
  if (executing.length === 0) return [];
  const open = ways({ graph, bodies, from: { nodes: beginnings(graph, bodies) }, along: notApproved });
  // What stands inside of an execution is told once, at the execution.
  return executing
    .filter((entry) => open.has(entry.id) && !(entry.container !== null && isOn(graph.nodes.get(entry.container), planningTypes.execute)))
    .map((entry) => refusal(context, entry, open));
};

const isGate = (type: string): boolean => type === planningTypes.approval || type === planningTypes.humanGate;

const notApproved = (edge: FlowEdge, source: GraphNode): boolean =>
  !(isGate(source.node.type) && source.node.disabled !== true && source.manifest !== null && edge.port === approvedPort);

function refusal(context: RuleContext, entry: GraphNode, open: ReadonlyMap<string, FlowEdge | null>): Diagnostic {
  const { graph } = context;
  const edges = entry.in.filter((edge) => {
    const source = graph.nodes.get(edge.source);
    return source !== undefined && open.has(source.id) && notApproved(edge, source);
  });
  const off = offGate(context, entry, open);
  const from = edges.flatMap(({ source }) => graph.nodes.get(source) ?? [])[0];
  const way = from ? ` by way of ${nameOf(from)}` : '';
  const fix = off ? switchOn(off) : insertBefore(context, planningTypes.approval, entry, edges);
  return {
    code: 'PLAN_NOT_APPROVED',
    severity: 'error',
    nodeId: entry.id,
    message: off
      ? `${nameOf(entry)} would carry out a plan that nobody approved, because ${nameOf(off)} is switched off. Switch it on.`
      : `A token can come to ${nameOf(entry)}${way} without an approval. Lead every way to it through the port "${approvedPort}" of one.`,
    ...(fix ? { fix } : {}),
  };
}

/** A gate that is switched off and that the way to the node passes. */
function offGate({ graph }: RuleContext, entry: GraphNode, open: ReadonlyMap<string, FlowEdge | null>): GraphNode | null {
  const seen = new Set<string>();
  for (let edge = open.get(entry.id); edge && !seen.has(edge.id); edge = open.get(edge.source)) {
    seen.add(edge.id);
    const source = graph.nodes.get(edge.source);
    if (source && isGate(source.node.type) && source.node.disabled === true) return source;
  }
  return null;
}
