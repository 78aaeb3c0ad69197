import { nameOf, type Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

export const defaultLoopCap = 25;

/** An edge that closes a cycle needs a cap, or a run might never end (BR-38). */
export const loopCap: Rule = ({ graph, cycles }) =>
  cycles.uncapped.map((edge): Diagnostic => {
    const [source, target] = [graph.nodes.get(edge.source), graph.nodes.get(edge.target)];
    const ends = source && target ? ` from ${nameOf(source)} back to ${nameOf(target)}` : '';
    return {
      code: 'LOOP_WITHOUT_CAP',
      severity: 'error',
      edgeId: edge.id,
      nodeId: edge.source,
      path: 'maxTraversals',
      message: `The edge${ends} closes a loop and has no limit. Say how often one run may take it.`,
      fix: {
        title: `Allow ${defaultLoopCap} times`,
        apply: (document) => ({
          ...document,
          edges: document.edges.map((other) => (other.id === edge.id ? { ...other, maxTraversals: defaultLoopCap } : other)),
        }),
      },
    };
  });
