import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import type { Evidence } from '@/harness/layers/evidence/state';
import { addProposedHypotheses, eliminateContradicted, proposedSource } from '@/harness/layers/hypothesis/proposed';
import type { HypothesisSet } from '@/harness/layers/hypothesis/state';
import { clip, decideAll, layerSkipped } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import type { ControlChannels } from '../support/state';
import type { hypothesis } from './node';

type Context = ExecuteContext<ConfigOf<typeof hypothesis>>;

const proposalSchema = z.object({
  hypotheses: z.array(
    z.object({
      explanation: z.string(),
      confidence: z.number().min(0).max(1),
      predicted_observations: z.array(z.string()).default([]),
      separating_check: z.string().default(''),
      conflicting_beliefs: z.array(z.string()).default([]),
    }),
  ),
});

const verdictSchema = z.object({ contradicted: z.array(z.object({ id: z.string(), reason: z.string() })) });

/** Asks for hypotheses once per run, where config and the judgement of the turn say so. */
export async function propose(
  context: Context,
  state: ControlChannels,
  set: HypothesisSet,
): Promise<{ set: HypothesisSet; asked: boolean }> {
  const { config } = context;
  const wanted = config.propose === 'always' || (config.propose === 'underdetermined' && state.turnPolicy?.isUnderdetermined === true);
  if (!wanted || state.progress.hypotheses_asked || layerSkipped(context, state, 'hypothesis_display')) return { set, asked: false };
  const known = state.evidenceStore.observations.slice(-config.maxEvidence);
  const answer = await modelCheck(context, {
    what: 'hypotheses',
    role: config.role,
    schema: proposalSchema,
    otherwise: 'only the seeds count as hypotheses',
    system: [
      `Propose up to ${config.maxProposals} rival explanations or approaches that differ in what they predict.`,
      'For each give: explanation, confidence from 0 to 1, predicted_observations, and separating_check: one check that tells it apart from the others.',
      'conflicting_beliefs: ids of beliefs that cannot both be true if it holds; empty when there are none.',
      'Reply with JSON.',
    ].join('\n'),
    prompt: [
      `Objective: ${state.goal.objective}`,
      `Beliefs:\n${
        state.worldModel.beliefs
          .slice(-config.maxEvidence)
          .map(({ id, statement }) => `- ${id}: ${statement}`)
          .join('\n') || '(none)'
      }`,
      `Evidence:\n${known.map(({ obs }) => `- ${clip(obs, 300)}`).join('\n') || '(none)'}`,
    ].join('\n\n'),
  });
  if (answer === null) return { set, asked: true };
  const ids = new Set(state.worldModel.beliefs.map(({ id }) => id));
  const proposals = answer.hypotheses.slice(0, config.maxProposals).map((proposal) => ({
    ...proposal,
    conflicting_beliefs: proposal.conflicting_beliefs.filter((id) => ids.has(id)),
  }));
  const { set: next, added } = addProposedHypotheses(set, proposals);
  decideAll(context, [
    {
      rule: 'hypotheses of a model, once per run',
      outcome: `${added.length} added`,
      because: added.map(({ id, confidence, explanation }) => ({ name: `${id}: ${clip(explanation, 120)}`, value: confidence })),
      alternatives: [],
    },
  ]);
  return { set: next, asked: true };
}

/** Asks which proposed hypotheses the evidence that came since the last look contradicts. */
export async function judge(context: Context, state: ControlChannels, set: HypothesisSet): Promise<HypothesisSet> {
  const proposed = set.active.filter(({ generation_sources }) => generation_sources.includes(proposedSource));
  const fresh = state.evidenceStore.observations.slice(state.progress.judged_evidence);
  if (!context.config.judge || proposed.length === 0 || fresh.length === 0) return set;
  const answer = await modelCheck(context, {
    what: 'hypotheses against new evidence',
    role: context.config.role,
    schema: verdictSchema,
    otherwise: 'no hypothesis is eliminated by judgement',
    system: [
      'Name the hypotheses that the new evidence contradicts, each by its id with one sentence of reason.',
      'Evidence that merely fails to support a hypothesis does not contradict it. An empty list is a good answer.',
      'Reply with JSON.',
    ].join('\n'),
    prompt: judgePrompt(proposed, fresh.slice(-context.config.maxEvidence)),
  });
  if (answer === null) return set;
  const { set: next, decision } = eliminateContradicted(set, answer.contradicted);
  context.decide(decision);
  return next;
}

const judgePrompt = (proposed: HypothesisSet['active'], fresh: readonly Evidence[]): string =>
  [
    `Hypotheses:\n${proposed
      .map(({ id, explanation, predicted_observations }) =>
        [`- ${id}: ${explanation}`, ...predicted_observations.map((prediction) => `  predicts: ${prediction}`)].join('\n'),
      )
      .join('\n')}`,
    `New evidence:\n${fresh.map(({ id, source, obs }) => `- ${id} (${source}): ${clip(obs, 400)}`).join('\n')}`,
  ].join('\n\n');
