import type { AskAnswer, AskInput } from '@/harness/contract/ask';
import { timeoutChoice } from '@/harness/contract/ask';
import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { Json, JsonSchema } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { schemaProblems } from '../../support/json-schema';
import { humanGate } from './node';

type Config = ConfigOf<typeof humanGate>;

/** What a question without a form of its own asks for. */
const answerForm: JsonSchema = {
  type: 'object',
  properties: { answer: { type: 'string', title: 'Answer' } },
  required: ['answer'],
};

export const executeHumanGate = implementNode(humanGate, async (context) => {
  const { config } = context;
  const shown = config.shown.trim() === '' ? null : context.evaluate(config.shown);
  const form = config.form ?? (config.mode === 'question' ? answerForm : null);
  const expiresAt = config.timeoutMs === null ? null : (await context.now()) + config.timeoutMs;
  const ask: AskInput = {
    kind: config.mode,
    title: context.text(config.title),
    body: context.text(config.body),
    ...(config.shown.trim() === '' ? {} : { shown }),
    choices: choicesOf(config),
    ...(form === null ? {} : { form }),
    ...(expiresAt === null ? {} : { expiresAt }),
  };
  const answer = await untilItFits(context, ask, form);
  decide(context, answer, expiresAt);
  const values = answer.values ?? {};
  const comment = answer.comment ?? '';
  return {
    port: answer.choice,
    output: { choice: answer.choice, answer: answerText(values, comment), values, comment, by: answer.by, shown },
  };
});

const choicesOf = (config: Config): AskInput['choices'] =>
  config.mode === 'question'
    ? [{ id: 'answered', label: config.answerLabel, tone: 'accept' }]
    : [
        { id: 'approved', label: config.approveLabel, tone: 'accept' },
        { id: 'rejected', label: config.rejectLabel, tone: 'reject' },
      ];

/** An approval or answer whose form does not fit is asked for again with what is wrong; a rejection needs no form. */
async function untilItFits(context: ExecuteContext<Config>, ask: AskInput, form: JsonSchema | null): Promise<AskAnswer> {
  let problems: string[] = [];
  for (let number = 1; ; number++) {
    const body = problems.length === 0 ? ask.body : `${ask.body ?? ''}\n\n**Please correct:** ${problems.join('; ')}`;
    const answer = await context.ask(`ask-${number}`, { ...ask, ...(body === undefined ? {} : { body }) });
    const affirmative = answer.choice === 'approved' || answer.choice === 'answered';
    problems = affirmative && form !== null ? schemaProblems(form, withComment(form, answer)) : [];
    if (problems.length === 0) return answer;
    context.decide({
      rule: 'the form must fit its schema',
      outcome: 'ask again',
      because: [{ name: 'problems', value: problems }],
    });
  }
}

/** A plain comment answers the built-in question, so that it can be answered from a chat line or a script. */
function withComment(form: JsonSchema, answer: AskAnswer): Json {
  const values = answer.values ?? {};
  return form === answerForm && values.answer === undefined && answer.comment ? { ...values, answer: answer.comment } : values;
}

const answerText = (values: Record<string, Json>, comment: string): string => {
  if (typeof values.answer === 'string') return values.answer;
  const texts = Object.values(values).filter((value) => typeof value === 'string');
  return texts.length === 1 ? String(texts[0]) : comment;
};

function decide(context: ExecuteContext<Config>, answer: AskAnswer, expiresAt: number | null): void {
  const expired = answer.choice === timeoutChoice;
  const choices = choicesOf(context.config).map((choice) => choice.id);
  context.decide({
    rule: expired ? 'nobody answered in time' : 'a person decides',
    outcome: answer.choice,
    because: [
      { name: 'choice', value: answer.choice, operator: 'in', threshold: choices, holds: !expired },
      { name: 'by', value: answer.by },
      ...(expiresAt === null ? [] : [{ name: 'valid until', value: expiresAt }]),
    ],
    alternatives: choices
      .filter((choice) => choice !== answer.choice)
      .map((choice) => ({ outcome: choice, needs: `a person to choose ${choice}` })),
    ...(answer.comment ? { note: answer.comment } : {}),
  });
}
