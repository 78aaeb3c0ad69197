import { implementNode } from '@/harness/contract/execute';
import { sourceDiversity } from '@/harness/layers/hypothesis/diversity';
import { updateHypotheses } from '@/harness/layers/hypothesis/update';
import { isoNow } from '../support/helpers';
import { stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { judge, propose } from './checks';
import { hypothesis } from './node';

export const executeHypothesis = implementNode(hypothesis, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const policy = { ...state.hypothesisSet.elimination_policy, floor: config.floor, retention_k: config.retention };
  const proposed = await propose(context, state, { ...state.hypothesisSet, elimination_policy: policy });
  const judged = await judge(context, state, proposed.set);
  const { set, prunedRegions, eliminatedNow, decision } = updateHypotheses(
    judged,
    {
      evidence: state.evidenceStore.observations,
      beliefs: state.worldModel.beliefs,
      library: state.failureDiagnostics.failure_mode_library.entries,
      contradictions: state.worldModel.contradictions,
    },
    config,
  );
  context.decide(decision);
  const eliminated = [...idsGone(proposed.set.active, judged.active), ...eliminatedNow];
  return {
    output: {
      active: set.active.map(({ id, explanation, confidence }) => ({ id, explanation, confidence })),
      eliminated,
      diversity: sourceDiversity(set.active),
    },
    writes: writesOf(context, {
      hypothesisSet: set,
      memoryState: prunedRegions.length === 0 ? undefined : withRegions(state.memoryState, prunedRegions, await isoNow(context)),
      progress: {
        judged_evidence: state.evidenceStore.observations.length,
        ...(proposed.asked ? { hypotheses_asked: true } : {}),
      },
    }),
  };
});

const idsGone = (before: readonly { id: string }[], after: readonly { id: string }[]): string[] => {
  const left = new Set(after.map(({ id }) => id));
  return before.flatMap(({ id }) => (left.has(id) ? [] : [id]));
};

type Memory = ReturnType<typeof stateOf>['memoryState'];

/** What was pruned stays named, so that nobody takes the rest for all there was. A region pruned again is not named twice. */
function withRegions(memory: Memory, regions: readonly { id: string; description: string }[], at: string): Memory {
  const known = new Set(memory.compression_risk.pruned_regions.map(({ id }) => id));
  const added = regions
    .filter(({ id }) => !known.has(id))
    .map((region) => ({ ...region, token_count: Math.ceil(region.description.length / 4), pruned_at: at }));
  return { ...memory, compression_risk: { pruned_regions: [...memory.compression_risk.pruned_regions, ...added] } };
}
