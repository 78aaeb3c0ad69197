import { z } from 'zod';
import type { Decision, Reason } from '../../contract/decision';
import type { ToolManifest } from '../evidence/state';
import type { Hypothesis } from '../hypothesis/state';
import { compared, decided } from '../shared/explain';
import { defaultLexicon, type Lexicon, lexiconSchema } from '../shared/lexicon';
import { containsCjk, tokenise } from '../shared/text';
import type { Belief } from '../world-model/state';

export const reviewGateConfigSchema = z.object({
  lexical: z.boolean().default(true).meta({ title: 'Compare by words' }),
  beliefFrom: z.number().min(0).max(1).default(0.8).meta({ title: 'Confidence from which a belief binds a change' }),
  minOverlap: z.number().int().min(1).default(2).meta({ title: 'Shared words that make a negation' }),
  minWordLength: z.number().int().min(1).default(4).meta({ title: 'Shortest word that counts' }),
  maxFailures: z.number().int().min(1).default(2).meta({ title: 'Failures in a row that halt' }),
  removalWords: z.array(z.string()).default(['remove', 'delete', 'drop', 'removes']).meta({ title: 'Words that remove a section' }),
  linters: z.array(z.string()).default(['linter', 'pylint', 'ruff']).meta({ title: 'Tools that judge code quality' }),
  qualityPhrases: z.array(z.string()).default(['syntax error', 'invalid code']).meta({ title: 'Phrases that admit bad code' }),
  subject: z
    .enum(['proposal', 'description'])
    .default('proposal')
    .meta({ title: 'What is reviewed', description: 'description restores the reference, which reviews the task text.' }),
  lexicon: lexiconSchema.prefault({}).meta({ title: 'Words' }),
});
export type ReviewGateConfig = z.output<typeof reviewGateConfigSchema>;
export const defaultReviewGateConfig: ReviewGateConfig = reviewGateConfigSchema.parse({});
export const referenceReviewGateConfig: ReviewGateConfig = { ...defaultReviewGateConfig, subject: 'description' };

export const reviewDimensions = [
  'task_alignment',
  'world_model_consistency',
  'output_contract_precheck',
  'code_quality',
  'hypothesis_compatibility',
] as const;
export type ReviewDimension = (typeof reviewDimensions)[number];

/** The concrete thing that is about to happen (D13). */
export interface Proposal {
  description?: string | undefined;
  tool?: string | undefined;
  arguments?: string | undefined;
  diff?: string | undefined;
}

export interface ReviewInput {
  proposal: Proposal;
  /** `null`: there is no task, so there is nothing to align with. */
  task: { id: string; description: string } | null;
  beliefs: readonly Belief[];
  requiredSections: readonly string[];
  hypotheses: readonly Pick<Hypothesis, 'predicted_observations'>[];
  tools: ToolManifest;
  /** Failed reviews in a row of this task so far. */
  failuresSoFar: number;
  /** What a model check objects to, where one was asked and may refuse; it stands beside the five dimensions. */
  objection?: string | null | undefined;
}

export interface ReviewResult {
  passed: boolean;
  failed: { dimension: ReviewDimension | 'model_review'; reason: string }[];
  consecutiveFailures: number;
  escalate: boolean;
  decision: Decision;
}

/** The text that the dimensions read: the proposed tool call and its change, or only the description in the reference. */
export function reviewedText(proposal: Proposal, config: ReviewGateConfig): string {
  const parts =
    config.subject === 'description' ? [proposal.description] : [proposal.description, proposal.tool, proposal.arguments, proposal.diff];
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join('\n')
    .toLowerCase();
}

/** A text negates a statement word for word after a trigger, or holds a trigger and enough of its weighty words (layers.md R8). */
export function negates(text: string, statement: string, config: ReviewGateConfig, lexicon: Lexicon = defaultLexicon): boolean {
  if (!config.lexical || text === '' || statement === '') return false;
  if (lexicon.reviewTriggers.some((trigger) => text.includes(`${trigger}${statement}`))) return true;
  if (!lexicon.reviewTriggers.some((trigger) => text.includes(trigger))) return false;
  const weighty = tokenise(statement).filter(
    (word) => (containsCjk(word) || word.length >= config.minWordLength) && !lexicon.reviewStopwords.includes(word),
  );
  if (weighty.length === 0) return false;
  const words = new Set(tokenise(text));
  return weighty.filter((word) => words.has(word)).length >= Math.min(config.minOverlap, weighty.length);
}

function failureOf(dimension: ReviewDimension, text: string, input: ReviewInput, config: ReviewGateConfig): string | null {
  switch (dimension) {
    case 'task_alignment':
      return input.task !== null && input.task.description !== '' && text === ''
        ? 'the change says nothing, the task asks for something'
        : null;
    case 'world_model_consistency': {
      const belief = input.beliefs.find(
        ({ confidence, statement }) => confidence >= config.beliefFrom && negates(text, statement.toLowerCase(), config, config.lexicon),
      );
      return belief ? `negates the belief "${belief.statement}" (${belief.confidence})` : null;
    }
    case 'output_contract_precheck': {
      if (!config.lexical) return null;
      const section = input.requiredSections.find((name) =>
        config.removalWords.some((word) => text.includes(`${word} ${name.toLowerCase()}`)),
      );
      return section === undefined ? null : `takes away the required section "${section}"`;
    }
    case 'code_quality': {
      const linted = config.linters.some((tool) => input.tools[tool]?.available === true);
      const phrase = linted && config.lexical ? config.qualityPhrases.find((words) => text.includes(words)) : undefined;
      return phrase === undefined ? null : `speaks of "${phrase}"`;
    }
    case 'hypothesis_compatibility': {
      const prediction = input.hypotheses
        .flatMap(({ predicted_observations }) => predicted_observations)
        .find((text_) => negates(text, text_.toLowerCase(), config, config.lexicon));
      return prediction === undefined ? null : `negates the predicted observation "${prediction}"`;
    }
  }
}

/** All five dimensions are judged and shown; the second failure in a row of a task halts (layers.md R8). */
export function reviewProposal(input: ReviewInput, config: ReviewGateConfig = defaultReviewGateConfig): ReviewResult {
  const text = reviewedText(input.proposal, config);
  const judged: { dimension: ReviewDimension | 'model_review'; reason: string | null }[] = [
    ...reviewDimensions.map((dimension) => ({ dimension, reason: failureOf(dimension, text, input, config) })),
    ...(input.objection === undefined ? [] : [{ dimension: 'model_review' as const, reason: input.objection }]),
  ];
  const failed = judged.flatMap(({ dimension, reason }) => (reason === null ? [] : [{ dimension, reason }]));
  const passed = failed.length === 0;
  const consecutiveFailures = passed ? 0 : input.failuresSoFar + 1;
  const escalate = !passed && consecutiveFailures >= config.maxFailures;
  const because: Reason[] = judged.map(({ dimension, reason }) => ({ name: dimension, value: reason ?? 'pass', holds: reason === null }));
  return {
    passed,
    failed,
    consecutiveFailures,
    escalate,
    decision: decided({
      rule: passed ? 'five review dimensions' : `review: ${failed[0]?.dimension ?? ''}`,
      outcome: passed ? 'pass' : escalate ? 'halt' : 'revise',
      because: [...because, compared('failures in a row', consecutiveFailures, '>=', config.maxFailures)],
    }),
  };
}
