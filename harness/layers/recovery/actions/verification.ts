import { addDerivations, soundBeliefs, syncConfidences, verifyDerivations } from '../../belief-graph/derivations';
import { unverifiedRatio } from '../../belief-graph/propagate';
import { type RecoveryAction, repaired, unchanged } from './types';

/** verification_pass: verifies the derivations that hold by what is on record (D3, D12). */
export const verificationPass: RecoveryAction = (state) => {
  const sound = soundBeliefs(state.worldModel, new Set(state.evidence.observations.map(({ id }) => id)));
  const { graph, verified } = verifyDerivations(state.beliefGraph, sound);
  if (verified === 0) return unchanged(state, 'no unverified derivation holds by what is on record', ['evidence that beliefs derive from']);
  return repaired({ ...state, beliefGraph: graph }, `${verified} derivations verified`);
};

/** dep_graph_refresh: draws missing derivations, drops those of beliefs that are gone, and takes over current confidences (D3). */
export const depGraphRefresh: RecoveryAction = (state) => {
  const ids = new Set(state.worldModel.beliefs.map(({ id }) => id));
  const kept = state.beliefGraph.derived_from_edges.filter(({ to }) => ids.has(to));
  const named = new Set([...ids, ...kept.flatMap(({ from }) => [from])]);
  let graph = {
    ...state.beliefGraph,
    derived_from_edges: kept,
    belief_nodes: state.beliefGraph.belief_nodes.filter(({ belief_id }) => named.has(belief_id)),
  };
  for (const belief of state.worldModel.beliefs) graph = addDerivations(graph, belief);
  graph = syncConfidences({ ...graph, unverified_edge_ratio: unverifiedRatio(graph.derived_from_edges) }, state.worldModel);
  if (JSON.stringify(graph) === JSON.stringify(state.beliefGraph)) return unchanged(state, 'the derivation graph is up to date');
  return repaired({ ...state, beliefGraph: graph }, `${graph.derived_from_edges.length} derivations`);
};

/** feasibility_check: takes over which tools are available now (D3). */
export const feasibilityCheck: RecoveryAction = (state, { findings }) => {
  const known = state.evidence.tool_availability_manifest;
  const changed = Object.entries(findings.tools ?? {}).filter(([tool, { available }]) => known[tool]?.available !== available);
  if (changed.length === 0) return unchanged(state, 'tools are as available as before', ['tool availability']);
  const manifest = { ...known, ...Object.fromEntries(changed) };
  return repaired(
    { ...state, evidence: { ...state.evidence, tool_availability_manifest: manifest } },
    changed.map(([tool, { available }]) => `${tool} is ${available ? 'available' : 'unavailable'}`).join(', '),
  );
};
