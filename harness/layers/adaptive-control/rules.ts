import { z } from 'zod';
import type { TurnPolicyInput } from './state';

const words = (title: string, initial: string[]) => z.array(z.string().min(1)).default(initial).meta({ title });

/** The deterministic rule set that judges a turn when no model does (layers.md R14). */
export const turnRulesSchema = z.object({
  highRisk: words('Words of high risk', [
    'delete',
    'drop table',
    'rm -rf',
    'deploy',
    'production',
    'credentials',
    'password',
    'payment',
    'transfer',
    'send email',
    'force push',
    'migrate',
  ]),
  mediumRisk: words('Words of medium risk', [
    'write',
    'edit',
    'change',
    'create',
    'fix',
    'refactor',
    'install',
    'rename',
    'update',
    'run',
    'implement',
    'add',
  ]),
  greetings: words('Greetings', ['hi', 'hello', 'hey', 'thanks', 'thank you', 'good morning', 'ok', 'bye']),
  questionStarts: words('Starts of a plain question', ['what is', 'what are', 'who is', 'when was', 'where is', 'how many', 'define']),
  maxTrivialWords: z.number().int().min(1).default(12).meta({ title: 'Most words of a trivial message' }),
  abandon: words('Words that give a plan up', ['never mind', 'forget it', 'stop the plan', 'cancel the plan', 'abandon', 'drop it']),
  planQuestions: words('Questions about the plan', [
    'what is left',
    'which step',
    'plan status',
    'how far',
    'what failed',
    'status of the plan',
  ]),
  setAside: words('Words that start something else', ['something else', 'different question', 'unrelated', 'by the way']),
  reminders: words('Words of a reminder', ['remind me', 'set a reminder']),
  constraintStarts: words('Starts of a constraint', ['do not', "don't", 'must not', 'never', 'without', 'only', 'always', 'must']),
  lasting: words('Words that make a constraint last', ['from now on', 'always', 'in future', 'never again']),
  lifts: words('Words that lift a constraint', ['you may again', 'no longer need to', 'ignore the rule', 'lift the rule']),
  factStarts: words('Starts of a fact about the person', [
    'i am ',
    "i'm ",
    'i live ',
    'my ',
    'i work ',
    'i prefer ',
    'i moved ',
    'we use ',
  ]),
  pushback: words('Words of disagreement', ["that's wrong", 'that is wrong', 'not what i', 'you misunderstood', 'incorrect']),
  grounding: words('Words that ask for sources', [
    'source',
    'cite',
    'according to',
    'latest',
    'look up',
    'check the file',
    'in the repository',
    'read ',
  ]),
  minPlanTasks: z.number().int().min(2).default(4).meta({ title: 'Tasks from which a lasting plan is needed' }),
});
export type TurnRules = z.output<typeof turnRulesSchema>;
export const defaultTurnRules: TurnRules = turnRulesSchema.parse({});

const listItem = /^\s*(?:[-*•]|\d+[.)])\s+(.+)$/;

const occurs = (text: string, phrases: readonly string[]): string | undefined =>
  phrases.find((phrase) => new RegExp(`(?:^|[^a-z])${phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:$|[^a-z])`, 'i').test(text));

const sentences = (text: string): string[] =>
  text
    .split(/(?<=[.!?。！？])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** Tasks named in the message: list items, or parts joined by "then" and "after that"; `null` when it is one piece. */
export function decompose(message: string): string[] | null {
  const items = message.split('\n').flatMap((line) => listItem.exec(line)?.[1]?.trim() ?? []);
  if (items.length >= 2) return items;
  const parts = message
    .split(/(?:[,;.]\s*|\s+)(?:and then|then|after that|afterwards|finally)[,\s]+/i)
    .map((part) =>
      part
        .replace(/^first[,\s]+/i, '')
        .replace(/[.;,\s]+$/, '')
        .trim(),
    )
    .filter((part) => part.length > 2);
  return parts.length >= 2 ? parts : null;
}

/** Judges a message by words alone: what the rehearsal model answers in place of a classifier (layers.md R14). */
export function judgeTurnByRules(message: string, rules: TurnRules = defaultTurnRules): TurnPolicyInput {
  const text = message.toLowerCase().trim();
  const high = occurs(text, rules.highRisk);
  const medium = occurs(text, rules.mediumRisk);
  const riskLevel = high ? 'HIGH' : medium ? 'MEDIUM' : 'LOW';
  const decomposedTasks = decompose(message);
  const length = text === '' ? 0 : text.split(/\s+/).length;
  const bare = text.replace(/[.!?,\s]+$/, '');
  const plain = rules.greetings.includes(bare) || rules.questionStarts.some((start) => text.startsWith(start));
  const grounding = occurs(text, rules.grounding) !== undefined;
  const statements = sentences(message);
  const constraints = statements.filter((sentence) => occurs(sentence, rules.constraintStarts) !== undefined);
  const reminder = occurs(text, rules.reminders) !== undefined;
  return {
    riskLevel,
    riskReason: high ? `speaks of "${high}"` : medium ? `speaks of "${medium}"` : 'asks for nothing that changes anything',
    isTrivial: riskLevel === 'LOW' && decomposedTasks === null && length <= rules.maxTrivialWords && plain && !grounding,
    decomposedTasks,
    isAbandonRequest: occurs(text, rules.abandon) !== undefined,
    needsMultiStepPlan: (decomposedTasks?.length ?? 0) >= rules.minPlanTasks,
    isReminderRequest: reminder,
    isBulkReminderRequest: reminder && (decomposedTasks?.length ?? 1) > 1,
    isPlanQuestion: occurs(text, rules.planQuestions) !== undefined,
    continuesPlan: occurs(text, rules.setAside) === undefined ? null : false,
    statesDurableFacts: statements
      .filter((sentence) => !sentence.endsWith('?') && rules.factStarts.some((start) => sentence.toLowerCase().startsWith(start)))
      .map((sentence) => ({ fact: sentence.replace(/[.!]+$/, ''), confidence: 'high' as const, durable: true })),
    statedConstraints: constraints,
    lastingConstraints: constraints.filter((sentence) => occurs(sentence, rules.lasting) !== undefined),
    liftedConstraints: statements.filter((sentence) => occurs(sentence, rules.lifts) !== undefined),
    isUnderdetermined: text.includes(' or ') && text.endsWith('?'),
    needsGrounding: grounding,
    ambiguity: length < 3 && !plain ? 'some' : 'none',
    pushbackOnPriorTurn: occurs(text, rules.pushback) !== undefined,
    statesConstraint: constraints.length > 0,
  };
}
