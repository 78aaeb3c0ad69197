import { isJsonObject, type JsonObject, type JsonSchema } from '@/harness/contract/json';
import { fieldsOf, withField } from '../../ui/schema-form-model';
import type { StepReading, TagReading } from './read-plan';

/*
 * The fields of an approval's form that choose among the plan's own tags and steps. They are drawn beside what they are about; every other
 * field stays in the form below.
 */

const keys = ['prune', 'promote', 'drop'] as const;
export type PlanField = (typeof keys)[number];

/** Options by field; empty where the form does not have that field as a list of choices. */
export type PlanFields = Readonly<Record<PlanField, readonly string[]>>;

const isPlanField = (key: string): key is PlanField => keys.some((other) => other === key);

export function planFields(form: JsonSchema | undefined): PlanFields {
  const found: Record<PlanField, string[]> = { prune: [], promote: [], drop: [] };
  for (const field of form === undefined ? [] : fieldsOf(form)) {
    if (isPlanField(field.key) && field.widget === 'choices')
      found[field.key] = field.options.filter((option) => typeof option === 'string');
  }
  return found;
}

const tagLabel = ({ entity, path }: TagReading): string => `${entity} (${path})`;

/** The option of a field that means this tag or step. */
export const optionOfTag = (options: readonly string[], tag: TagReading): string | undefined =>
  options.find((option) => option === tagLabel(tag));
export const optionOfStep = (options: readonly string[], step: Pick<StepReading, 'number'>): string | undefined =>
  options.find((option) => option.startsWith(`${step.number}. `));

/**
 * The form without the fields that are drawn beside the plan. A field stays when one of its options fits nothing that is shown: nothing that
 * can be answered may get lost.
 */
export function formBesidePlan(
  form: JsonSchema,
  fields: PlanFields,
  plan: { tags: readonly TagReading[]; steps: readonly StepReading[] },
): JsonSchema {
  const covered = (key: PlanField): boolean => {
    const shown = new Set(
      key === 'drop' ? plan.steps.map((step) => optionOfStep(fields.drop, step)) : plan.tags.map((tag) => optionOfTag(fields[key], tag)),
    );
    return fields[key].length > 0 && fields[key].every((option) => shown.has(option));
  };
  if (!isJsonObject(form.properties)) return form;
  const properties = Object.fromEntries(Object.entries(form.properties).filter(([key]) => !(isPlanField(key) && covered(key))));
  return { ...form, properties };
}

/** Whether an option is chosen in the values of the form. */
export function isChosen(values: JsonObject, key: PlanField, option: string): boolean {
  const chosen = values[key];
  return Array.isArray(chosen) && chosen.includes(option);
}

/** The values with an option chosen or not, in the order in which the field lists them. */
export function withChoice(
  values: JsonObject,
  { key, options }: { key: PlanField; options: readonly string[] },
  option: string,
  chosen: boolean,
): JsonObject {
  const next = options.filter((other) => (other === option ? chosen : isChosen(values, key, other)));
  return withField(values, key, next.length === 0 ? undefined : next);
}
