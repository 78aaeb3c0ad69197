import type { FlowGraph, GraphNode } from '../../flow/flow-graph';
import { nameOf, type Rule } from '../context';
import { isOn } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { attachPolicy, switchOn } from '../fixes';
import { planningTypes, workspaceWriters } from '../planning-types';

/** planning.md §21, 1: a planning node that writes into the workspace has a tool guard chain, its own or one around it. */
export const writersGuarded: Rule = (context) => {
  const { graph, bodies } = context;
  const writers = [...graph.nodes.values()].filter(
    (entry) => workspaceWriters.some((type) => isOn(entry, type)) && bodies.reachable.has(entry.id),
  );
  return writers.flatMap((writer): Diagnostic[] => {
    const chains = chainsAround(graph, writer);
    if (chains.some((chain) => isOn(chain, planningTypes.guards))) return [];
    const off = chains[0];
    const known = [...graph.nodes.values()].find((entry) => isOn(entry, planningTypes.guards));
    const fix = off ? switchOn(off) : attachPolicy(context, { type: planningTypes.guards, target: writer, known: known ?? null });
    return [
      {
        code: 'WRITER_NOT_GUARDED',
        severity: 'error',
        nodeId: writer.id,
        message: off
          ? `${nameOf(writer)} may write into the workspace, and ${nameOf(off)} on it is switched off. Switch it on.`
          : `${nameOf(writer)} may write into the workspace without a tool guard chain. Attach one to it, or to the container it stands in.`,
        ...(fix ? { fix } : {}),
      },
    ];
  });
};

/** Tool guard chains on a node and on every container around it. */
function chainsAround(graph: FlowGraph, entry: GraphNode): GraphNode[] {
  const guarded = new Set<string>();
  for (
    let at: GraphNode | undefined = entry;
    at && !guarded.has(at.id);
    at = at.container === null ? undefined : graph.nodes.get(at.container)
  )
    guarded.add(at.id);
  return graph.attachments.flatMap(({ source, target }) => {
    const policy = graph.nodes.get(source);
    return guarded.has(target) && policy?.node.type === planningTypes.guards ? [policy] : [];
  });
}
