import type { ExecuteContext } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import type { Evidence } from '@/harness/layers/evidence/state';
import { decided, fact } from '@/harness/layers/shared/explain';
import { judgementSchema, outcomeOfJudge, skipped } from '@/harness/layers/verification/backing';
import type { CheckName } from '@/harness/layers/verification/state';
import type { BackedOutcome } from '@/harness/layers/verification/verify';
import { asText, clip } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import type { verification } from './node';

type Context = ExecuteContext<ConfigOf<typeof verification>>;
export type JudgedCheck = Extract<CheckName, 'requirements' | 'assumptions' | 'goal_correctness'>;

export interface JudgedWork {
  task: string;
  objective: string;
  result: Json;
  criteria: readonly string[];
  assumptions: readonly string[];
  evidence: readonly Evidence[];
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** What each judge is asked, or why it has nothing to judge. */
const questions: Record<JudgedCheck, { question: string; subject: (work: JudgedWork) => string | null; nothing: string }> = {
  requirements: {
    question: 'Does the result meet the success criteria as far as they concern this task?',
    subject: ({ criteria }) => (criteria.length === 0 ? null : `Success criteria:\n${list(criteria)}`),
    nothing: 'there are no success criteria',
  },
  assumptions: {
    question: 'Did the assumptions hold that the result rests on?',
    subject: ({ assumptions }) => (assumptions.length === 0 ? null : `Assumptions:\n${list(assumptions)}`),
    nothing: 'no assumption is stated',
  },
  goal_correctness: {
    question: 'Does the result do what the task asks, correctly?',
    subject: ({ objective }) => (objective === '' ? '' : `Objective of the whole run:\n${objective}`),
    nothing: 'there is no goal',
  },
};

const system = [
  'You check a result that somebody else produced. Judge by the evidence listed, not by how convincing the result sounds.',
  'Cite the ids of the evidence that your verdict rests on. Without evidence for it the verdict is "unclear".',
  'Reply with JSON: verdict ("pass", "fail" or "unclear"), reason (one sentence), evidence_ids.',
].join(' ');

/** Asks the judges that are switched on, one call each; a failed call leaves the deterministic rule standing. */
export async function askJudges(context: Context, work: JudgedWork): Promise<Partial<Record<JudgedCheck, BackedOutcome>>> {
  const { config } = context;
  const on: Record<JudgedCheck, boolean> = {
    requirements: config.judgeRequirements,
    assumptions: config.judgeAssumptions,
    goal_correctness: config.judgeGoal,
  };
  const outcomes: Partial<Record<JudgedCheck, BackedOutcome>> = {};
  for (const check of ['requirements', 'assumptions', 'goal_correctness'] as const) {
    if (on[check] && !config.disabled.includes(check)) outcomes[check] = await ask(context, check, work);
  }
  return outcomes;
}

async function ask(context: Context, check: JudgedCheck, work: JudgedWork): Promise<BackedOutcome> {
  const { question, subject, nothing } = questions[check];
  const about = subject(work);
  if (about === null) return skipped(nothing);
  if (work.result === null) return skipped('there is no result');
  const shown = work.evidence.slice(-context.config.judgeEvidence);
  const prompt = [
    `Task:\n${work.task}`,
    about,
    `Result:\n${clip(asText(work.result), 6000)}`,
    `Evidence:\n${shown.map(({ id, obs, reliability, source }) => `- ${id} (${reliability}, ${source}): ${clip(obs, 500)}`).join('\n') || '(none)'}`,
    question,
  ];
  const answer = await modelCheck(context, {
    what: `${check.replace('_', ' ')} judge`,
    role: context.config.role,
    schema: judgementSchema,
    system,
    prompt: prompt.filter((part) => part !== '').join('\n\n'),
  });
  if (answer === null) return skipped('the judge gave no usable answer');
  const outcome = outcomeOfJudge(answer, new Set(work.evidence.map(({ id }) => id)));
  context.decide(
    decided({
      rule: `model check: ${check}`,
      outcome: outcome.status,
      because: [
        fact('verdict', answer.verdict),
        fact('evidence cited', answer.evidence_ids),
        fact('of it on record', outcome.evidenceIds ?? []),
      ],
      note: outcome.detail,
    }),
  );
  return outcome;
}
