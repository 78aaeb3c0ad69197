import { implementNode } from '@/harness/contract/execute';
import { syncConfidences } from '@/harness/layers/belief-graph/derivations';
import { detectContradictions } from '@/harness/layers/contradiction/detect';
import { recordExternalContradiction } from '@/harness/layers/contradiction/external';
import type { Contradiction } from '@/harness/layers/contradiction/state';
import { nextGeneration } from '@/harness/layers/world-model/generation';
import { decideAll } from '../support/helpers';
import { stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { semanticCheck } from './check';
import { contradiction } from './node';

export const executeContradiction = implementNode(contradiction, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const semantic = await semanticCheck(context, state);
  const byWords = config.lexical === 'on' || (config.lexical === 'auto' && (!config.semantic || semantic.status === 'failed'));
  const rules = { ...config, lexical: byWords };
  const detected = detectContradictions(
    {
      worldModel: state.worldModel,
      graph: state.beliefDepGraph,
      hypotheses: state.hypothesisSet.active,
      abstractionLevel: config.abstractionLevel.trim() || undefined,
    },
    rules,
  );
  decideAll(context, detected.decisions);
  const found: Contradiction[] = [...detected.found];
  let { worldModel, graph } = detected;
  for (const conflict of semantic.conflicts) {
    const result = recordExternalContradiction({ worldModel, graph }, conflict, rules);
    context.decide(result.decision);
    if (result.recorded) found.push(result.recorded);
    ({ worldModel, graph } = result);
  }
  if (found.length > 0) {
    worldModel = nextGeneration(worldModel);
    graph = syncConfidences(graph, worldModel);
  }
  return {
    output: {
      found: found.map(({ id, severity, involved_belief_ids, description }) => ({
        id,
        severity,
        beliefs: involved_belief_ids,
        description,
      })),
      total: worldModel.contradictions.length,
    },
    writes: writesOf(context, {
      worldModel,
      beliefDepGraph: graph,
      progress:
        semantic.checkedIds.length === state.progress.checked_belief_ids.length ? undefined : { checked_belief_ids: semantic.checkedIds },
    }),
  };
});
