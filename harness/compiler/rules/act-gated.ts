import type { GraphNode } from '../../flow/flow-graph';
import type { FlowEdge } from '../../flow/schema';
import { beginnings, ways } from '../analysis/ways';
import { nameOf, type Rule, type RuleContext } from '../context';
import { controlTypes, isOn } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { insertBefore, switchOn } from '../fixes';

const passPort = 'pass';

/**
 * INV-06: no way from where the flow begins leads to an `act` without leaving an action gate by its port `pass`; the gate so dominates it. A
 * gate that is switched off lets everything pass and so does not count.
 */
export const actGated: Rule = (context) => {
  const { graph, bodies } = context;
  const acts = [...graph.nodes.values()].filter((entry) => isOn(entry, controlTypes.act) && bodies.reachable.has(entry.id));
  if (acts.length === 0) return [];
  const ungated = ways({ graph, bodies, from: { nodes: beginnings(graph, bodies) }, along: notPassed });
  const again = ways({ graph, bodies, from: { edges: acts.flatMap(({ out }) => out) }, along: notPassed });
  return acts.flatMap((act): Diagnostic[] => {
    if (ungated.has(act.id)) return [refusal(context, act, ungated)];
    return again.has(act.id) ? [comesAgain(act)] : [];
  });
};

const notPassed = (edge: FlowEdge, source: GraphNode): boolean => !(isOn(source, controlTypes.gate) && edge.port === passPort);

function refusal(context: RuleContext, act: GraphNode, ungated: ReadonlyMap<string, FlowEdge | null>): Diagnostic {
  const { graph } = context;
  const edges = act.in.filter((edge) => {
    const source = graph.nodes.get(edge.source);
    return source !== undefined && ungated.has(source.id) && notPassed(edge, source);
  });
  const off = offGate(context, act, ungated);
  const from = edges.flatMap(({ source }) => graph.nodes.get(source) ?? [])[0];
  const way = from ? ` by way of ${nameOf(from)}` : '';
  const fix = off ? switchOn(off) : insertBefore(context, controlTypes.gate, act, edges);
  return {
    code: 'ACT_NOT_GATED',
    severity: 'error',
    nodeId: act.id,
    message: off
      ? `${nameOf(act)} would act without an action gate, because ${nameOf(off)} is switched off (INV-06). Switch it on.`
      : `A token can come to ${nameOf(act)}${way} without passing an action gate (INV-06). Lead every way to it through the port "${passPort}" of one.`,
    ...(fix ? { fix } : {}),
  };
}

/** A gate that is switched off and that the way to the node passes. */
function offGate({ graph }: RuleContext, act: GraphNode, ungated: ReadonlyMap<string, FlowEdge | null>): GraphNode | null {
  const seen = new Set<string>();
  for (let edge = ungated.get(act.id); edge && !seen.has(edge.id); edge = ungated.get(edge.source)) {
    seen.add(edge.id);
    const source = graph.nodes.get(edge.source);
    if (source?.node.type === controlTypes.gate && source.node.disabled === true) return source;
  }
  return null;
}

const comesAgain = (act: GraphNode): Diagnostic => ({
  code: 'ACT_AGAIN_NOT_GATED',
  severity: 'warning',
  nodeId: act.id,
  message: `After ${nameOf(act)} a token can come back to it without passing an action gate, so a change it proposes then is never judged. Lead the way back through one.`,
});
