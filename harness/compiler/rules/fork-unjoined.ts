import { nameOf, type Rule } from '../context';

/** A fork whose branches are never brought together: what follows runs once for each of them. */
export const forkUnjoined: Rule = ({ graph, bodies, joins }) =>
  joins.unjoined.flatMap((id) => {
    const entry = graph.nodes.get(id);
    if (!entry || !bodies.reachable.has(id)) return [];
    return [
      {
        code: 'FORK_NOT_JOINED',
        severity: 'warning' as const,
        nodeId: id,
        message: `The branches after ${nameOf(entry)} are never joined: where they meet again, each one runs on by itself. Add a join.`,
      },
    ];
  });
