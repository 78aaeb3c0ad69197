import type { GraphNode } from '../../flow/flow-graph';
import type { FlowEdge } from '../../flow/schema';
import { components } from '../analysis/cycles';
import { outOf, ways } from '../analysis/ways';
import { nameOf, type Rule } from '../context';
import { controlTypes, isOn } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { setConfig, switchOn } from '../fixes';

/** A planning node that may send out two tasks at once, and to which a way leads back past every merging node: the two never become one. */
export const branchesMerged: Rule = ({ graph, bodies }) => {
  const planners = [...graph.nodes.values()].filter(
    (entry) => isOn(entry, controlTypes.planning) && entry.config.parallel !== false && bodies.reachable.has(entry.id),
  );
  if (planners.length === 0) return [];
  // a merging node that is switched off still takes the branches in; it only leaves out what it would do about their differences
  const merges = (entry: GraphNode): boolean => entry.node.type === controlTypes.merge;
  const around = components(graph, (entry) => (merges(entry) ? [] : outOf(entry)));
  const unmerged = planners.flatMap((planning): Diagnostic[] => {
    const back = tasksOf(planning).some(({ target }) => around.get(target) === around.get(planning.id));
    return back ? [neverMerged(planning)] : [];
  });
  const reached = ways({ graph, bodies, from: { edges: planners.flatMap(tasksOf) }, through: (entry) => !merges(entry) });
  const off = [...graph.nodes.values()].filter((entry) => merges(entry) && entry.node.disabled === true && reached.has(entry.id));
  return [...unmerged, ...off.map(switchedOff)];
};

const tasksOf = (planning: GraphNode): FlowEdge[] => outOf(planning).filter(({ port }) => port === 'task');

const neverMerged = (planning: GraphNode): Diagnostic => ({
  code: 'BRANCHES_NOT_MERGED',
  severity: 'warning',
  nodeId: planning.id,
  path: 'parallel',
  message: `${nameOf(planning)} may send out two tasks at once, and a way back to it passes no "Merge branches": those two branches would never be merged. Put one on the way back, or run one task at a time.`,
  fix: setConfig(planning, 'Run one task at a time', { parallel: false }),
});

const switchedOff = (merge: GraphNode): Diagnostic => ({
  code: 'MERGE_OFF',
  severity: 'warning',
  nodeId: merge.id,
  message: `${nameOf(merge)} is switched off: of two tasks that ran at once, the later branch overwrites what the other wrote.`,
  fix: switchOn(merge),
});
