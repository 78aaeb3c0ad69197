import type { FlowDocument, FlowNode } from '@/harness/flow/schema';
import { indexOf } from '../editor/document-index';

/**
 * Nodes in the order a reader meets them: along the flow from its starts, bodies after their container, then what nothing leads to. Ties follow the
 * drawing (top to bottom, left to right), so focus and outline go where the eye goes.
 */
export function flowOrder(document: FlowDocument): readonly FlowNode[] {
  const { nodes, outgoing, incoming, children, attached } = indexOf(document);
  const place = (node: FlowNode): number => {
    const at = document.layout.nodes[node.id];
    return at ? at.x + at.y * 0.001 : Number.MAX_SAFE_INTEGER;
  };
  const byPlace = (a: FlowNode, b: FlowNode): number => place(a) - place(b) || (a.id < b.id ? -1 : 1);
  const ordered: FlowNode[] = [];
  const seen = new Set<string>();

  const visitGroup = (group: readonly FlowNode[]): void => {
    const inGroup = new Set(group.map((node) => node.id));
    const sorted = [...group].sort(byPlace);
    const starts = sorted.filter(
      (node) => node.type === 'input' || !(incoming.get(node.id) ?? []).some((edge) => inGroup.has(edge.source)),
    );
    for (const start of [...starts, ...sorted]) walk(start, inGroup);
  };

  const walk = (first: FlowNode, group: ReadonlySet<string>): void => {
    const stack = [first];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (seen.has(node.id)) continue;
      seen.add(node.id);
      ordered.push(node);
      const body = children.get(node.id);
      if (body) visitGroup(body);
      for (const edge of attached.get(node.id) ?? []) {
        const policy = nodes.get(edge.source);
        if (policy && !seen.has(policy.id) && group.has(policy.id)) {
          seen.add(policy.id);
          ordered.push(policy);
        }
      }
      const next = (outgoing.get(node.id) ?? [])
        .map((edge) => nodes.get(edge.target))
        .filter((target): target is FlowNode => target !== undefined && group.has(target.id) && !seen.has(target.id));
      stack.push(...next.reverse());
    }
  };

  visitGroup(document.nodes.filter((node) => node.parent === undefined || !nodes.has(node.parent)));
  // Cyclic parents of a broken file are reached by nobody; they still must show.
  for (const node of document.nodes) if (!seen.has(node.id)) ordered.push(node);
  return ordered;
}
