import { implementNode } from '@/harness/contract/execute';
import { mayGather, outsideTools } from '@/harness/layers/execution/gather-first';
import { estimateVoi } from '@/harness/layers/execution/voi';
import { stateOf } from '../support/state';
import { type Work, workOf } from '../support/work';
import { writesOf } from '../support/writes';
import { valueOfInformation } from './node';

export const executeValueOfInformation = implementNode(valueOfInformation, (context) => {
  const { config } = context;
  const state = stateOf(context);
  const work = workOf(state, context.input);
  const manifest = state.evidenceStore.tool_availability_manifest;
  const active = state.hypothesisSet.active;
  const voi = estimateVoi(
    {
      activeHypotheses: active.length,
      verificationStrength: state.diagnostics.verification_health.strength,
      tools: config.countInternal ? manifest : outsideTools(manifest),
    },
    config,
  );
  context.decide(voi.decision);
  const asked = mayGather(
    { worth: voi.gather, justGathered: state.progress.should_gather, turns: state.taskResults[work.id]?.turns ?? 0 },
    config.oncePerTask,
  );
  if (asked.decision) context.decide(asked.decision);
  const { diagnostics, progress } = state;
  return {
    port: asked.gather ? 'gather' : 'act',
    output: {
      gather: asked.gather,
      voi: voi.voi,
      adequacy: voi.adequacy,
      shortfall: voi.shortfall,
      unresolvable: voi.unresolvable,
      task_id: work.id,
      question: questionOf(
        work,
        active.map(({ explanation }) => explanation),
      ),
    },
    writes: writesOf(context, {
      ...(progress.should_gather === asked.gather ? {} : { progress: { should_gather: asked.gather } }),
      ...(voi.updatedStrength === null
        ? {}
        : { diagnostics: { ...diagnostics, verification_health: { ...diagnostics.verification_health, strength: voi.updatedStrength } } }),
    }),
  };
});

const questionOf = ({ description }: Work, explanations: readonly string[]): string =>
  [
    description,
    ...(explanations.length > 1 ? ['Rival explanations:', ...explanations.slice(0, 5).map((explanation) => `- ${explanation}`)] : []),
  ].join('\n');
