import { isRunning, nameOf, type Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

/** Nodes that no run can get to, and policies that guard nothing. */
export const unreachable: Rule = ({ graph, bodies }) => {
  const attached = new Set(graph.attachments.map(({ source }) => source));
  return [...graph.nodes.values()].flatMap((entry): Diagnostic[] => {
    if (entry.role === 'policy' && !attached.has(entry.id)) {
      return [
        {
          code: 'POLICY_UNATTACHED',
          severity: 'warning',
          nodeId: entry.id,
          message: `${nameOf(entry)} is attached to nothing, so it guards nothing.`,
        },
      ];
    }
    if (!isRunning(entry) || bodies.reachable.has(entry.id)) return [];
    const begins = entry.container === null ? 'the input' : 'where its container begins';
    return [
      {
        code: 'NODE_UNREACHABLE',
        severity: 'warning',
        nodeId: entry.id,
        message: `Nothing leads from ${begins} to ${nameOf(entry)}, so it never runs. Connect it or delete it.`,
      },
    ];
  });
};
