import type { Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

/** An edge whose ends, port or place do not fit; named by its id, never dropped (BR-25, BR-30). */
export const brokenEdge: Rule = ({ graph }) =>
  graph.broken.map(
    ({ edge, code, message }): Diagnostic => ({
      code,
      severity: 'error',
      edgeId: edge.id,
      ...(graph.nodes.has(edge.source) ? { nodeId: edge.source } : {}),
      message: `Edge "${edge.id}" does not hold. ${message}`,
      fix: {
        title: 'Delete this edge',
        apply: (document) => ({ ...document, edges: document.edges.filter(({ id }) => id !== edge.id) }),
      },
    }),
  );
