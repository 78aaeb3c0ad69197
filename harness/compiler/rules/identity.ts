import type { Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

/** Ids that stand twice, ids that no object may have as a key, and labels that people cannot tell apart. */
export const identity: Rule = ({ document, graph }) => {
  const found: Diagnostic[] = [];
  for (const id of graph.duplicateNodeIds) {
    found.push({
      code: 'NODE_ID_DUPLICATE',
      severity: 'error',
      nodeId: id,
      message: `Two nodes have the id "${id}". Give one of them another.`,
    });
  }
  for (const id of graph.duplicateEdgeIds) {
    found.push({
      code: 'EDGE_ID_DUPLICATE',
      severity: 'error',
      edgeId: id,
      message: `Two edges have the id "${id}". Delete one and draw it again.`,
    });
  }
  if (graph.nodes.has('__proto__')) {
    found.push({
      code: 'NODE_ID_RESERVED',
      severity: 'error',
      nodeId: '__proto__',
      message: 'A node cannot have the id "__proto__". Change it.',
    });
  }
  const byLabel = new Map<string, string>();
  for (const { id, label } of [...graph.nodes.values()].flatMap(({ node, role }) => (role === 'annotation' ? [] : [node]))) {
    const first = byLabel.get(label);
    if (first === undefined || label === '') byLabel.set(label, id);
    else
      found.push({
        code: 'NODE_LABEL_DUPLICATE',
        severity: 'warning',
        nodeId: id,
        path: 'label',
        message: `"${label}" is also the name of "${first}". Rename one, so that the trace tells them apart.`,
      });
  }
  if (document.name.trim() === '') found.push({ code: 'FLOW_NAME_EMPTY', severity: 'warning', message: 'The flow has no name.' });
  return found;
};
