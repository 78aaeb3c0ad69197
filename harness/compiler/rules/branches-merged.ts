import { outOf, ways } from '../analysis/ways';
import { nameOf, type Rule } from '../context';
import { controlTypes, isOn } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { setConfig, switchOn } from '../fixes';

/** A planning node that may send out two tasks at once, and to which a way leads back past every merging node: the two never become one. */
export const branchesMerged: Rule = ({ graph, bodies }) =>
  [...graph.nodes.values()].flatMap((planning): Diagnostic[] => {
    if (!isOn(planning, controlTypes.planning) || planning.config.parallel === false || !bodies.reachable.has(planning.id)) return [];
    const edges = outOf(planning).filter(({ port }) => port === 'task');
    // a merging node that is switched off still takes the branches in; it only leaves out what it would do about their differences
    const reached = ways({ graph, bodies, from: { edges }, through: (entry) => entry.node.type !== controlTypes.merge });
    if (reached.has(planning.id)) {
      return [
        {
          code: 'BRANCHES_NOT_MERGED',
          severity: 'warning',
          nodeId: planning.id,
          path: 'parallel',
          message: `${nameOf(planning)} may send out two tasks at once, and a way back to it passes no “Merge branches”: those two branches would never be merged. Put one on the way back, or run one task at a time.`,
          fix: setConfig(planning, 'Run one task at a time', { parallel: false }),
        },
      ];
    }
    const off = [...reached.keys()]
      .flatMap((id) => graph.nodes.get(id) ?? [])
      .find(({ node }) => node.type === controlTypes.merge && node.disabled);
    if (!off) return [];
    return [
      {
        code: 'MERGE_OFF',
        severity: 'warning',
        nodeId: off.id,
        message: `${nameOf(off)} is switched off: of two tasks that ran at once, the later branch overwrites what the other wrote.`,
        fix: switchOn(off),
      },
    ];
  });
