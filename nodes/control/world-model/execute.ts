import { implementNode } from '@/harness/contract/execute';
import { defaultEvidenceConfig } from '@/harness/layers/evidence/gather';
import { withSources } from '@/harness/layers/evidence/sources';
import { collect } from '@/harness/layers/evidence/tool-evidence';
import { nextGeneration } from '@/harness/layers/world-model/generation';
import type { Belief } from '@/harness/layers/world-model/state';
import { believes, type Inference, infer, type Known, takeInObservations } from '@/harness/layers/world-model/take-in';
import { clip, decideAll, isoNow, messageOf } from '../support/helpers';
import { stateOf } from '../support/state';
import { workOf } from '../support/work';
import { writesOf } from '../support/writes';
import { extractFacts } from './extract';
import { extractedFacts, messageId, statedFacts, trailOf } from './inferences';
import { worldModel } from './node';

export const executeWorldModel = implementNode(worldModel, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const work = workOf(state, context.input);
  const at = await isoNow(context);
  const facts = config.statedFacts ? statedFacts(state, at) : [];
  let known: Known = { worldModel: state.worldModel, store: state.evidenceStore, graph: state.beliefDepGraph };
  if (facts.length > 0) {
    const said = {
      id: messageId,
      obs: `The message says: ${clip(messageOf(context.input), 1000)}`,
      source: 'fact_extraction',
      evidence_type: 'OBSERVATION' as const,
      reliability: 'HIGH' as const,
      freshness: at,
    };
    known = { ...known, store: collect(withSources(known.store, context.tools()), [said], defaultEvidenceConfig).store };
  }
  const regions = state.memoryState.compression_risk.pruned_regions.map(({ id }) => id);
  const taken = takeInObservations(known, regions, config);
  context.decide(taken.decision);
  known = { ...known, worldModel: taken.worldModel };

  const believed: Belief[] = [];
  const believe = (inferences: readonly Inference[]): void => {
    for (const inference of inferences) {
      const { belief, decisions, ...next } = infer(known, inference, { worldModel: config, edges: config.derivations });
      decideAll(context, decisions);
      known = next;
      if (belief) believed.push(belief);
    }
  };
  const recorded = new Set(state.evidenceStore.observations.map(({ id }) => id));
  const already = believes(known.worldModel);
  believe(facts.filter(({ id, belief }) => !recorded.has(id) && !already(belief.statement)));
  const found = await extractFacts(
    context,
    taken.observed.filter(({ id }) => id !== messageId),
  );
  believe(extractedFacts(found, known, { taskId: work.id, step: state.progress.steps_used, reliability: config.factReliability, at }));
  believe(trailOf(state, known, { mode: config.trail, reliability: config.trailReliability, at }));

  const next = nextGeneration(known.worldModel);
  context.decide({
    rule: 'generation',
    outcome: `generation ${next.generation_id}`,
    because: [
      { name: 'generation before', value: state.worldModel.generation_id },
      { name: 'new observations', value: taken.observed.length },
      { name: 'new beliefs', value: believed.length },
    ],
  });
  return {
    output: {
      generation_id: next.generation_id,
      observed: taken.observed.length,
      believed: believed.map(({ id, statement, confidence }) => ({ id, statement, confidence })),
      beliefs: next.beliefs.length,
    },
    writes: writesOf(context, { worldModel: next, evidenceStore: known.store, beliefDepGraph: known.graph }),
  };
});
