import type { GraphNode } from '../../flow/flow-graph';
import type { FlowEdge } from '../../flow/schema';
import { ways } from '../analysis/ways';
import { nameOf, type Rule, type RuleContext } from '../context';
import { carriers, controlTypes, isOn } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { insertBefore, switchOn } from '../fixes';

const channel = 'toolResults';

/**
 * INV-06: what tools found reaches the world model only as evidence. From no node that puts out tool results a way leads to a world model
 * without an evidence node on it. One that is drawn and switched off is a choice: then nothing becomes evidence, and that is told.
 */
export const evidenceBeforeWorldModel: Rule = (context) => {
  const { graph, bodies } = context;
  const sources = [...graph.nodes.values()].filter((entry) => bodies.reachable.has(entry.id) && putsOut(entry));
  if (sources.length === 0) return [];
  const from = { edges: sources.flatMap(({ out }) => out) };
  const bare = ways({ graph, bodies, from, through: (entry) => entry.node.type !== controlTypes.evidence });
  const unkept = ways({ graph, bodies, from, through: (entry) => !isOn(entry, controlTypes.evidence) });
  return [...graph.nodes.values()].flatMap((entry): Diagnostic[] => {
    if (!isOn(entry, controlTypes.worldModel)) return [];
    if (bare.has(entry.id)) return [bypassed(context, entry, bare)];
    return unkept.has(entry.id) ? [switchedOff(context, entry, unkept)] : [];
  });
};

const putsOut = ({ node, manifest }: GraphNode): boolean =>
  node.disabled !== true && manifest?.writes?.includes(channel) === true && !carriers.has(node.type) && node.type !== controlTypes.evidence;

type Reached = ReadonlyMap<string, FlowEdge | null>;

/** The nodes of the way by which a node was reached, from it backwards; the last one is where the way begins. */
function wayTo({ graph }: RuleContext, target: GraphNode, reached: Reached): GraphNode[] {
  const way: GraphNode[] = [];
  const seen = new Set<string>();
  for (let edge = reached.get(target.id); edge && !seen.has(edge.id); edge = reached.get(edge.source)) {
    seen.add(edge.id);
    const source = graph.nodes.get(edge.source);
    if (source) way.push(source);
    if (source && putsOut(source)) break;
  }
  return way;
}

function bypassed(context: RuleContext, target: GraphNode, bare: Reached): Diagnostic {
  const source = wayTo(context, target, bare).at(-1);
  const tainted = target.in.filter((edge) => {
    const before = context.graph.nodes.get(edge.source);
    return before !== undefined && before.node.type !== controlTypes.evidence && (bare.has(before.id) || putsOut(before));
  });
  const fix = insertBefore(context, controlTypes.evidence, target, tainted);
  return {
    code: 'EVIDENCE_BYPASSED',
    severity: 'error',
    nodeId: target.id,
    message: `What tools found${source ? ` at ${nameOf(source)}` : ''} can come to ${nameOf(target)} without passing an evidence node (INV-06). Put one between them.`,
    ...(fix ? { fix } : {}),
  };
}

function switchedOff(context: RuleContext, target: GraphNode, unkept: Reached): Diagnostic {
  const off = wayTo(context, target, unkept).find(({ node }) => node.type === controlTypes.evidence);
  return {
    code: 'EVIDENCE_OFF',
    severity: 'warning',
    nodeId: target.id,
    message: `${off ? `${nameOf(off)} is switched off` : 'No evidence node is switched on'}, so nothing that tools found reaches ${nameOf(target)}.`,
    ...(off ? { fix: switchOn(off) } : {}),
  };
}
