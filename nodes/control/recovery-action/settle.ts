import { z } from 'zod';
import type { AskInput } from '@/harness/contract/ask';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import type { Contradiction } from '@/harness/layers/contradiction/state';
import type { Belief } from '@/harness/layers/world-model/state';
import { clip } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import type { ControlChannels } from '../support/state';
import type { recoveryAction } from './node';

type Context = ExecuteContext<ConfigOf<typeof recoveryAction>>;

/** Contradiction id → the beliefs to give up; an empty list settles it without giving up any. */
export type Judgements = Record<string, readonly string[]>;

const verdictSchema = z.object({
  verdicts: z.array(
    z.object({
      contradiction: z.string(),
      verdict: z.enum(['give_up', 'no_conflict', 'undecided']),
      give_up: z.array(z.string()),
      reason: z.string(),
    }),
  ),
});

/** Settles conflicts that the evidence leaves open: first by a model check, then by asking a person, as far as config says (D3). */
export async function settleConflicts(context: Context, state: ControlChannels, open: readonly Contradiction[]): Promise<Judgements> {
  const judged = context.config.judgeConflicts && open.length > 0 ? await judge(context, state, open) : {};
  const left = open.filter(({ id }) => judged[id] === undefined);
  const answered = context.config.askPeople ? await askAbout(context, state, left.slice(0, context.config.maxAsks)) : {};
  return { ...judged, ...answered };
}

async function judge(context: Context, state: ControlChannels, open: readonly Contradiction[]): Promise<Judgements> {
  const answer = await modelCheck(context, {
    what: 'which belief gives way',
    role: context.config.role,
    schema: verdictSchema,
    otherwise: context.config.askPeople ? 'a person is asked' : 'only the evidence settles conflicts',
    system: [
      'For each conflict between beliefs say by what the evidence shows which of them has to be given up.',
      'verdict: give_up with the ids of those beliefs, no_conflict when they can all be true, undecided when the evidence does not say. reason: one sentence that names the evidence.',
      'Reply with JSON.',
    ].join('\n'),
    prompt: open.map((contradiction) => told(state, contradiction)).join('\n\n'),
  });
  const judgements: Judgements = {};
  for (const { contradiction: id, verdict, give_up, reason } of answer?.verdicts ?? []) {
    const contradiction = open.find((entry) => entry.id === id);
    if (!contradiction || verdict === 'undecided') continue;
    const losers = verdict === 'no_conflict' ? [] : give_up.filter((belief) => contradiction.involved_belief_ids.includes(belief));
    // giving up nothing that is involved, or everything, is no judgement
    if (verdict === 'give_up' && (losers.length === 0 || losers.length === contradiction.involved_belief_ids.length)) continue;
    judgements[id] = losers;
    context.decide({
      rule: 'conflict settled by a model',
      outcome: losers.length === 0 ? `${id}: no conflict` : `${id}: ${losers.join(', ')} given up`,
      because: [{ name: 'conflict', value: contradiction.description }],
      note: reason,
    });
  }
  return judgements;
}

async function askAbout(context: Context, state: ControlChannels, open: readonly Contradiction[]): Promise<Judgements> {
  const judgements: Judgements = {};
  for (const contradiction of open) {
    const beliefs = beliefsOf(state, contradiction);
    const answer = await context.ask(`settle:${contradiction.id}`, question(state, contradiction, beliefs));
    const kept = beliefs.find((_, index) => answer.choice === `keep-${index + 1}`);
    if (answer.choice === 'both') judgements[contradiction.id] = [];
    else if (kept) judgements[contradiction.id] = beliefs.flatMap(({ id }) => (id === kept.id ? [] : [id]));
    context.decide({
      rule: 'conflict put to a person',
      outcome: kept ? `${kept.id} is kept` : answer.choice === 'both' ? 'all of them are kept' : 'left open',
      because: [
        { name: 'conflict', value: contradiction.description },
        { name: 'by', value: answer.by },
      ],
      ...(answer.comment ? { note: answer.comment } : {}),
    });
  }
  return judgements;
}

const beliefsOf = (state: ControlChannels, { involved_belief_ids }: Contradiction): Belief[] =>
  state.worldModel.beliefs.filter(({ id }) => involved_belief_ids.includes(id));

const question = (state: ControlChannels, contradiction: Contradiction, beliefs: readonly Belief[]): AskInput => ({
  kind: 'question',
  title: 'Two things that the run believes do not fit. Which is right?',
  body: told(state, contradiction),
  shown: { contradiction: contradiction.id, beliefs: beliefs.map(({ id, statement }) => ({ id, statement })) },
  choices: [
    ...beliefs.map(({ statement }, index) => ({ id: `keep-${index + 1}`, label: `Keep: ${clip(statement, 80)}` })),
    { id: 'both', label: 'All of them are right', tone: 'accept' },
    { id: 'open', label: 'Leave it open', tone: 'neutral' },
  ],
});

function told(state: ControlChannels, contradiction: Contradiction): string {
  const lines = beliefsOf(state, contradiction).map((belief) => {
    const sources = new Set([...belief.derived_from, ...belief.supporting_evidence, belief.id]);
    const evidence = state.evidenceStore.observations.filter(({ id }) => sources.has(id));
    return [
      `- ${belief.id} (confidence ${belief.confidence}): ${belief.statement}`,
      ...evidence.map(({ id, source, reliability, obs }) => `  - ${id}, ${source}, ${reliability}: ${clip(obs, 300)}`),
    ].join('\n');
  });
  return [`${contradiction.id} (${contradiction.severity}): ${contradiction.description}`, ...lines].join('\n');
}
