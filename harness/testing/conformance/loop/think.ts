import { decayEdges } from '../../../layers/belief-graph/propagate';
import { compressMemory } from '../../../layers/context-compression/compress';
import { detectContradictions } from '../../../layers/contradiction/detect';
import { resolveControlState } from '../../../layers/control-state/resolve';
import { updateDiagnostics } from '../../../layers/diagnostics/update';
import { updateHypotheses } from '../../../layers/hypothesis/update';
import { formatInstant } from '../../../layers/shared/instant';
import { nextGeneration } from '../../../layers/world-model/generation';
import { sweepStaleness } from '../../../layers/world-model/staleness';
import { type LoopContext, note } from './context';

export function contradictions(context: LoopContext): void {
  const { state, input } = context;
  const found = detectContradictions(
    { worldModel: state.worldModel, graph: state.beliefDepGraph, hypotheses: state.hypothesisSet.active },
    input.settings.contradiction,
  );
  state.worldModel = found.worldModel;
  state.beliefDepGraph = found.graph;
  note(context, ...found.decisions);
}

export function hypotheses(context: LoopContext): void {
  const { state, input } = context;
  const updated = updateHypotheses(state.hypothesisSet, {
    evidence: state.evidenceStore.observations,
    beliefs: state.worldModel.beliefs,
    library: state.failureDiagnostics.failure_mode_library.entries,
    contradictions: state.worldModel.contradictions,
  });
  state.hypothesisSet = updated.set;
  const at = formatInstant(input.now);
  const regions = updated.prunedRegions.map((region) => ({ ...region, token_count: 0, pruned_at: at }));
  if (regions.length > 0) {
    const pruned_regions = [...state.memoryState.compression_risk.pruned_regions, ...regions];
    state.memoryState = { ...state.memoryState, compression_risk: { pruned_regions } };
  }
  note(context, updated.decision);
}

export function diagnose(context: LoopContext): void {
  const { state, input } = context;
  const updated = updateDiagnostics(
    {
      worldModel: state.worldModel,
      hypotheses: state.hypothesisSet.active,
      taskGraph: state.taskGraph,
      failures: state.failureDiagnostics,
      beliefGraph: state.beliefDepGraph,
    },
    input.settings.diagnostics,
  );
  state.diagnostics = updated.diagnostics;
  state.failureDiagnostics = { ...state.failureDiagnostics, matched_pattern: updated.matchedPattern };
  note(context, updated.decision);
}

/** The verdict of the reviewer is read by exactly one resolve (INV-18). */
export function resolve(context: LoopContext): void {
  const { state } = context;
  const resolved = resolveControlState({
    diagnostics: state.diagnostics,
    contradictions: state.worldModel.contradictions,
    generation: state.worldModel.generation_id,
    matchedPattern: state.failureDiagnostics.matched_pattern,
    pendingVerdict: context.verdict,
    escalations: context.escalations,
  });
  context.verdict = null;
  state.controlState = resolved.controlState;
  note(context, resolved.decision);
}

/** Steps 2 to 4 of an iteration (layers.md R0). */
export function think(context: LoopContext): void {
  const { state, input, order } = context;
  order.push('context_compression');
  const swept = sweepStaleness(state.worldModel, input.now);
  state.worldModel = swept.worldModel;
  state.beliefDepGraph = decayEdges(state.beliefDepGraph, input.settings.beliefGraph);
  state.memoryState = compressMemory(state.memoryState).memory;
  order.push('check_caller_updates', 'detect_contradictions');
  contradictions(context);
  order.push('generate_update_hypotheses');
  hypotheses(context);
  order.push('update_diagnostics');
  diagnose(context);
  state.worldModel = nextGeneration(state.worldModel);
  order.push('resolve_control_state');
  resolve(context);
}
