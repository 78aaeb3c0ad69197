import type { Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

/** Two equal edges: two flow edges from one port fork the token, so the target would run twice. */
export const duplicateEdge: Rule = ({ graph }) => {
  const seen = new Map<string, string>();
  const found: Diagnostic[] = [];
  const edges = [...graph.nodes.values()].flatMap(({ out }) => out);
  for (const edge of [...edges, ...graph.attachments]) {
    const key = JSON.stringify([edge.kind, edge.source, edge.port, edge.target]);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, edge.id);
      continue;
    }
    found.push({
      code: 'EDGE_DUPLICATE',
      severity: 'warning',
      edgeId: edge.id,
      nodeId: edge.source,
      message: `Edge "${edge.id}" is drawn twice (the other is "${first}"), so its target runs twice.`,
      fix: {
        title: 'Delete the second edge',
        apply: (document) => ({ ...document, edges: document.edges.filter(({ id }) => id !== edge.id) }),
      },
    });
  }
  return found;
};
