import { nameOf, type Rule, subflowField } from '../context';
import type { Diagnostic } from '../diagnostic';

/** A container's body must begin at exactly one node. */
export const containerEntry: Rule = ({ graph, bodies }) =>
  [...graph.nodes.values()].flatMap((entry): Diagnostic[] => {
    if (entry.role !== 'container' || subflowField(entry) !== null || entry.node.disabled) return [];
    const severity = bodies.reachable.has(entry.id) ? 'error' : 'warning';
    const entries = bodies.entries.get(entry.id) ?? [];
    const members = graph.bodies.get(entry.id) ?? [];
    if (members.length === 0) {
      return [
        {
          code: 'CONTAINER_EMPTY',
          severity,
          nodeId: entry.id,
          message: `${nameOf(entry)} has no nodes inside, so there is nothing to run for each item.`,
        },
      ];
    }
    if (entries.length === 1) return [];
    const message =
      entries.length === 0
        ? `Nodes inside of ${nameOf(entry)} all lead to one another, so it is not clear where its body begins. Leave one without an incoming edge.`
        : `The body of ${nameOf(entry)} could begin at ${entries.map((id) => `"${graph.nodes.get(id)?.node.label || id}"`).join(', ')}. Connect them so that only one has no incoming edge.`;
    return [{ code: 'CONTAINER_ENTRY', severity, nodeId: entry.id, message }];
  });
