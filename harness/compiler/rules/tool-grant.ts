import { nameOf, type Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

/** A tool that a node names and the flow's settings do not grant. */
export const toolGrant: Rule = ({ document, graph, bodies }) => {
  const granted = document.settings.tools;
  if (granted === null) return [];
  return [...graph.nodes.values()].flatMap((entry): Diagnostic[] => {
    if (entry.node.disabled || entry.issues.length > 0 || !bodies.reachable.has(entry.id)) return [];
    const missing = (entry.manifest?.tools?.(entry.config) ?? []).filter((tool) => !granted.includes(tool));
    return missing.map((tool) => ({
      code: 'TOOL_NOT_GRANTED',
      severity: 'error',
      nodeId: entry.id,
      message: `${nameOf(entry)} uses the tool "${tool}", which this flow's settings do not grant.`,
      fix: {
        title: `Grant ${tool} to this flow`,
        apply: (flow) => ({ ...flow, settings: { ...flow.settings, tools: [...new Set([...(flow.settings.tools ?? []), tool])].sort() } }),
      },
    }));
  });
};
