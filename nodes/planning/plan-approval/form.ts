import type { AskAnswer } from '@/harness/contract/ask';
import type { Json, JsonObject, JsonSchema } from '@/harness/contract/json';
import type { PlanEdit } from '@/harness/planning/approval/plan-edits';
import type { CoreFunctionalityTag } from '@/harness/planning/artefacts/design';
import type { ExecutionPlan } from '@/harness/planning/artefacts/execution-plan';
import { describeStep, type PlanStep } from '@/harness/planning/artefacts/plan-step';

/** A tag as the form names it. The same shape is read back from `add`. */
export const tagLabel = ({ entity, file_path }: Pick<CoreFunctionalityTag, 'entity' | 'file_path'>): string => `${entity} (${file_path})`;

const stepLabel = (step: PlanStep): string => `${step.step_number}. ${describeStep(step, 80)}`;

const allSteps = ({ tdd_test_steps, steps }: ExecutionPlan): PlanStep[] => [...tdd_test_steps, ...steps];

/** Choices out of a list; a list without entries has no field, since nothing could be chosen. */
const choices = (title: string, description: string, entries: readonly string[]): JsonObject | null =>
  entries.length === 0
    ? null
    : { type: 'array', title, description, uniqueItems: true, items: { type: 'string', enum: [...new Set(entries)] } };

/** The form under the plan: words of feedback and, when the plan may be edited, what to do with its tags and steps. */
export function approvalForm(plan: ExecutionPlan, editing: boolean): JsonSchema {
  const tags = plan.core_functionality;
  const fields: Record<string, JsonObject | null> = {
    feedback: {
      type: 'string',
      format: 'textarea',
      title: 'Feedback',
      description: 'What should be different. Needed to send the plan back.',
    },
    ...(editing
      ? {
          prune: choices('Prune core tags', 'These need no regression test.', tags.map(tagLabel)),
          promote: choices(
            'Promote core tags',
            'Raised, so that each needs a regression test.',
            tags.filter(({ confidence }) => confidence !== 'high').map(tagLabel),
          ),
          add: {
            type: 'array',
            title: 'Add core tags',
            description: 'What must not break: a name and its file in brackets, such as PasswordReset (src/reset.js).',
            items: { type: 'string' },
          },
          drop: choices('Drop steps', 'Left out of the plan; the rest is renumbered.', allSteps(plan).map(stepLabel)),
        }
      : {}),
  };
  const properties = Object.fromEntries(Object.entries(fields).flatMap(([key, field]) => (field === null ? [] : [[key, field]])));
  return { type: 'object', properties };
}

const texts = (value: Json | undefined): string[] => (Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []);

const added = (text: string): PlanEdit[] => {
  const named = /^(.*\S)\s*\(([^()]+)\)\s*$/.exec(text.trim());
  const entity = (named?.[1] ?? text).trim();
  const file_path = (named?.[2] ?? '').trim();
  const reason = 'Named by the person who approved the plan.';
  return entity === '' ? [] : [{ kind: 'add', entity, file_path, reason, confidence: 'high' }];
};

/** The edits of an answer. What names nothing of the plan that was shown is left out. */
export function editsOf(plan: ExecutionPlan, { values = {} }: Pick<AskAnswer, 'values'>): PlanEdit[] {
  const tags = new Map(plan.core_functionality.map((tag) => [tagLabel(tag), tag]));
  const steps = new Map(allSteps(plan).map((step) => [stepLabel(step), step]));
  const onTags = (kind: 'prune' | 'promote', labels: readonly string[]): PlanEdit[] =>
    labels.flatMap((label) => {
      const tag = tags.get(label);
      return tag ? [{ kind, entity: tag.entity, file_path: tag.file_path }] : [];
    });
  return [
    ...onTags('prune', texts(values.prune)),
    ...onTags('promote', texts(values.promote)),
    ...texts(values.add).flatMap(added),
    ...texts(values.drop).flatMap((label): PlanEdit[] => {
      const step = steps.get(label);
      return step ? [{ kind: 'drop_step', step_number: step.step_number }] : [];
    }),
  ];
}

/** Words of the form, or else the plain comment that a chat line or a script gives. */
export const feedbackOf = ({ values = {}, comment = '' }: Pick<AskAnswer, 'values' | 'comment'>): string => {
  const { feedback } = values;
  return typeof feedback === 'string' && feedback.trim() !== '' ? feedback.trim() : comment.trim();
};
