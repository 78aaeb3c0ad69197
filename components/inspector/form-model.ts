import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '@/harness/contract/json';
import type { AnyManifest, FieldHint, Widget } from '@/harness/contract/node';

/** What the control of a field edits. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'strings' | 'object' | 'record' | 'json';

/**
 * One field of a form, derived from a JSON Schema and the manifest's hints; the same model serves node configs, flow settings, run inputs and the forms
 * of requests to people.
 */
export interface FieldModel {
  key: string;
  title: string;
  help: string | null;
  kind: FieldKind;
  widget: Widget | null;
  required: boolean;
  /** `undefined` when the schema names none. */
  default: Json | undefined;
  nullable: boolean;
  integer: boolean;
  min: number | null;
  max: number | null;
  step: number | null;
  maxLength: number | null;
  choices: readonly (string | number)[];
  section: string | null;
  placeholder: string | null;
  rows: number;
  when: FieldHint['when'] | null;
  /** Fields of an `object`, or of each row of a `list` of objects. */
  fields: readonly FieldModel[];
  /** The value field of a `record`, or the item of a plain `list`. */
  item: FieldModel | null;
}

/** Hints as data: the type-checked form in a manifest loses its key types here. */
type Hint = FieldHint & { items?: unknown; fields?: unknown };
type Hints = Readonly<Record<string, unknown>>;

const asHint = (value: unknown): Hint => (typeof value === 'object' && value !== null ? value : {});
const asHints = (value: unknown): Hints => (typeof value === 'object' && value !== null ? { ...value } : {});
const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
const numeric = (value: Json | undefined): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** `maxTurns` → `Max turns`, for schemas without titles. */
export const titleOf = (key: string): string => {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  const said = words.replace(/\b(json|http|url|id)\b/g, (short) => short.toUpperCase());
  return said.charAt(0).toUpperCase() + said.slice(1);
};

/** `anyOf: [X, null]` is X that may be null. */
function unwrapNull(schema: JsonObject): { schema: JsonObject; nullable: boolean } {
  const options = schema.anyOf;
  if (!Array.isArray(options) || options.length !== 2) return { schema, nullable: false };
  const other = options.find((option) => isJsonObject(option) && option.type !== 'null');
  const hasNull = options.some((option) => isJsonObject(option) && option.type === 'null');
  return hasNull && isJsonObject(other) ? { schema: { ...other, ...schema, anyOf: [] }, nullable: true } : { schema, nullable: false };
}

function kindOf(schema: JsonObject, hint: Hint): FieldKind {
  if (hint.widget === 'json' || hint.widget === 'json-schema') return 'json';
  if (Array.isArray(schema.enum)) return 'choice';
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const item = objectOf(schema.items);
      if (item.type === 'object' && isJsonObject(item.properties)) return 'list';
      return item.type === 'string' ? 'strings' : 'json';
    }
    case 'object':
      if (isJsonObject(schema.properties)) return 'object';
      return objectOf(schema.additionalProperties).type === 'string' ? 'record' : 'json';
    default:
      return 'json';
  }
}

interface Named {
  key: string;
  required: boolean;
}

function fieldOf(raw: JsonObject, hintValue: unknown, named: Named): FieldModel {
  const hint = asHint(hintValue);
  const { schema, nullable } = unwrapNull(raw);
  const kind = kindOf(schema, hint);
  const items = objectOf(schema.items);
  const minimum = numeric(schema.minimum) ?? numeric(schema.exclusiveMinimum);
  const maximum = numeric(schema.maximum) ?? numeric(schema.exclusiveMaximum);
  return {
    key: named.key,
    title: text(schema.title) ?? titleOf(named.key),
    help: text(schema.description),
    kind,
    widget: hint.widget ?? null,
    required: named.required,
    default: schema.default,
    nullable,
    integer: schema.type === 'integer',
    min: minimum,
    // The bound that z.int() adds by itself says nothing to a person.
    max: maximum !== null && maximum >= Number.MAX_SAFE_INTEGER ? null : maximum,
    step: hint.step ?? null,
    maxLength: numeric(schema.maxLength),
    choices: Array.isArray(schema.enum) ? schema.enum.filter((value) => typeof value === 'string' || typeof value === 'number') : [],
    section: hint.section ?? null,
    placeholder: hint.placeholder ?? null,
    rows: hint.rows ?? (kind === 'json' ? 4 : 1),
    when: hint.when ?? null,
    fields:
      kind === 'object' ? fieldsOfSchema(schema, asHints(hint.fields)) : kind === 'list' ? fieldsOfSchema(items, asHints(hint.items)) : [],
    item: kind === 'record' ? fieldOf(objectOf(schema.additionalProperties), hint.items, { key: 'value', required: true }) : null,
  };
}

/** Fields of an object schema, in the schema's order. Hidden fields are left out. */
export function fieldsOfSchema(schema: JsonObject, hints: Hints = {}): FieldModel[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(objectOf(schema.properties))
    .filter(([key]) => asHint(Object.hasOwn(hints, key) ? hints[key] : undefined).widget !== 'hidden')
    .map(([key, property]) =>
      fieldOf(objectOf(property), Object.hasOwn(hints, key) ? hints[key] : undefined, { key, required: required.has(key) }),
    );
}

const forms = new WeakMap<AnyManifest, readonly FieldModel[]>();

/** The form of a node type's config. */
export function formOf(manifest: AnyManifest): readonly FieldModel[] {
  const known = forms.get(manifest);
  if (known) return known;
  // toJSONSchema answers plain JSON; its type names keywords, ours is JSON.
  const schema = z.toJSONSchema(manifest.config, { io: 'input' }) as unknown as JsonObject;
  const form = fieldsOfSchema(schema, asHints(manifest.fields));
  forms.set(manifest, form);
  return form;
}

/** Whether a field shows, given its siblings' values (with defaults standing in for what is not set). */
export function isShown(field: FieldModel, values: JsonObject, siblings: readonly FieldModel[]): boolean {
  if (!field.when) return true;
  const { field: name, is } = field.when;
  const value = Object.hasOwn(values, name) ? values[name] : siblings.find((sibling) => sibling.key === name)?.default;
  const wanted = typeof is === 'object' ? is : [is];
  return wanted.some((candidate) => candidate === value);
}

export interface FormSection {
  title: string | null;
  fields: readonly FieldModel[];
}

/** Fields by section, sections in order of first mention, those without one first. */
export function sectionsOf(fields: readonly FieldModel[]): FormSection[] {
  const sections = new Map<string | null, FieldModel[]>();
  for (const field of fields) {
    const list = sections.get(field.section);
    if (list) list.push(field);
    else sections.set(field.section, [field]);
  }
  return [...sections]
    .map(([title, list]) => ({ title, fields: list }))
    .sort((a, b) => Number(a.title !== null) - Number(b.title !== null));
}

/** Problems by dotted path, first one wins, from the manifest's own schema. */
export function errorsOf(manifest: AnyManifest, config: JsonObject): ReadonlyMap<string, string> {
  const parsed = manifest.config.safeParse(config);
  const errors = new Map<string, string>();
  if (parsed.success) return errors;
  for (const issue of parsed.error.issues) {
    const path = issue.path.map(String).join('.');
    if (!errors.has(path)) errors.set(path, issue.message);
  }
  return errors;
}

/** A value to start a new row or field with. */
export function blankOf(field: FieldModel): Json {
  if (field.default !== undefined) return field.default;
  switch (field.kind) {
    case 'text':
      return '';
    case 'number':
      return field.min ?? 0;
    case 'boolean':
      return false;
    case 'choice':
      return field.choices[0] ?? '';
    case 'list':
    case 'strings':
      return [];
    case 'object':
      return Object.fromEntries(field.fields.map((child) => [child.key, blankOf(child)]));
    case 'record':
      return {};
    case 'json':
      return field.nullable ? null : {};
  }
}

/** Fields that every one of several manifests has in the same form: what multi-select can edit. */
export function commonFields(manifests: readonly AnyManifest[]): FieldModel[] {
  const [first, ...rest] = [...new Set(manifests)];
  if (!first) return [];
  return formOf(first).filter((field) =>
    rest.every((manifest) =>
      formOf(manifest).some((other) => JSON.stringify({ ...other, section: null }) === JSON.stringify({ ...field, section: null })),
    ),
  );
}
