import { implementNode } from '@/harness/contract/execute';
import { decayEdges } from '@/harness/layers/belief-graph/propagate';
import { capFeasibility } from '@/harness/layers/diagnostics/budget';
import { healthOf } from '@/harness/layers/diagnostics/state';
import { updateDiagnostics } from '@/harness/layers/diagnostics/update';
import { nextGeneration } from '@/harness/layers/world-model/generation';
import { sweepStaleness } from '@/harness/layers/world-model/staleness';
import { stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { diagnostics as manifest } from './node';

export const executeDiagnostics = implementNode(manifest, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const swept = sweepStaleness(state.worldModel, await context.now(), config);
  const beliefDepGraph = config.decayHere ? decayEdges(state.beliefDepGraph, config) : state.beliefDepGraph;
  const measured = updateDiagnostics(
    {
      worldModel: swept.worldModel,
      hypotheses: state.hypothesisSet.active,
      taskGraph: state.taskGraph,
      failures: state.failureDiagnostics,
      beliefGraph: beliefDepGraph,
    },
    config,
  );
  const steps = { used: state.progress.steps_used, limit: state.goal.max_steps + state.progress.extra_steps };
  const { diagnostics, decision: pressure } = capFeasibility(measured.diagnostics, steps, config);
  if (swept.newlyStale.length > 0) context.decide(swept.decision);
  context.decide(measured.decision);
  if (pressure) context.decide(pressure);
  return {
    output: healthOf(diagnostics),
    writes: writesOf(context, {
      diagnostics,
      worldModel: swept.newlyStale.length > 0 ? nextGeneration(swept.worldModel) : undefined,
      beliefDepGraph,
      // a match that a model check found stays where words are not matched
      failureDiagnostics: config.lexicalMatching ? { ...state.failureDiagnostics, matched_pattern: measured.matchedPattern } : undefined,
    }),
  };
});
