import { type Schema, Validator } from '@cfworker/json-schema';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@/harness/contract/json';

/** One field of a form made from a JSON Schema. What no widget fits is edited as JSON text, so every schema has a form. */
export interface SchemaField {
  key: string;
  title: string;
  description: string | undefined;
  required: boolean;
  widget: 'text' | 'long-text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices' | 'list' | 'group' | 'json';
  schema: JsonSchema;
  /** For `choice` and `choices`. */
  options: Json[];
}

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const words = (key: string): string => {
  const spaced = key
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

function typeOf(schema: JsonSchema): string | undefined {
  if (typeof schema.type === 'string') return schema.type;
  if (!Array.isArray(schema.type)) return undefined;
  const types = schema.type.filter((type) => type !== 'null');
  return types.length === 1 && typeof types[0] === 'string' ? types[0] : undefined;
}

function widgetOf(schema: JsonSchema): Pick<SchemaField, 'widget' | 'options'> {
  if (Array.isArray(schema.enum)) return { widget: 'choice', options: schema.enum };
  const items = isJsonObject(schema.items) ? schema.items : undefined;
  switch (typeOf(schema)) {
    case 'boolean':
      return { widget: 'boolean', options: [] };
    case 'integer':
      return { widget: 'integer', options: [] };
    case 'number':
      return { widget: 'number', options: [] };
    case 'string': {
      const long = schema.format === 'textarea' || (typeof schema.maxLength === 'number' && schema.maxLength > 200);
      return { widget: long ? 'long-text' : 'text', options: [] };
    }
    case 'array':
      if (items && Array.isArray(items.enum)) return { widget: 'choices', options: items.enum };
      return { widget: items && typeOf(items) === 'string' ? 'list' : 'json', options: [] };
    case 'object':
      return { widget: isJsonObject(schema.properties) ? 'group' : 'json', options: [] };
    default:
      return { widget: 'json', options: [] };
  }
}

/** The fields of an object schema, in the order it declares them. */
export function fieldsOf(schema: JsonSchema): SchemaField[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([key, value]) => {
    const field = isJsonObject(value) ? value : {};
    return {
      key,
      title: text(field.title) ?? words(key),
      description: text(field.description),
      required: required.includes(key),
      schema: field,
      ...widgetOf(field),
    };
  });
}

/** The schema's own defaults; fields without one stay absent, so that "not filled in" and "empty" differ. */
export function defaultsOf(schema: JsonSchema): JsonObject {
  const entries: [string, Json][] = [];
  for (const field of fieldsOf(schema)) {
    if (field.schema.default !== undefined) entries.push([field.key, field.schema.default]);
    else if (field.widget === 'group') {
      const inner = defaultsOf(field.schema);
      if (Object.keys(inner).length > 0 || field.required) entries.push([field.key, inner]);
    } else if (field.widget === 'boolean' && field.required) entries.push([field.key, false]);
  }
  return Object.fromEntries(entries);
}

/** What keeps a value from fitting, by dotted path of the field; the empty path is the whole value. */
export function problemsOf(schema: JsonSchema, value: Json): Map<string, string> {
  const problems = new Map<string, string>();
  const add = (path: string, message: string): void => {
    if (!problems.has(path)) problems.set(path, message);
  };
  missingIn(schema, value, '', add);
  let errors: { instanceLocation: string; keyword: string; error: string }[];
  try {
    // as: a JSON Schema document as this library types it; it accepts any object and reports what it cannot read
    errors = new Validator(schema as Schema, '2020-12', false).validate(value).errors;
  } catch (thrown) {
    add('', `The schema of this form cannot be used: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return problems;
  }
  // Containers repeat what their parts report; the parts say it better.
  for (const { instanceLocation, keyword, error } of errors) {
    if (['properties', 'items', 'prefixItems', 'required', 'additionalProperties', '$ref'].includes(keyword)) continue;
    add(pathOf(instanceLocation), plain(error));
  }
  return problems;
}

function missingIn(schema: JsonSchema, value: Json, path: string, add: (path: string, message: string) => void): void {
  for (const field of fieldsOf(schema)) {
    const at = path === '' ? field.key : `${path}.${field.key}`;
    const own = isJsonObject(value) && Object.hasOwn(value, field.key) ? value[field.key] : undefined;
    if (own === undefined) {
      if (field.required) add(at, `${field.title} is needed.`);
    } else if (field.widget === 'group') missingIn(field.schema, own, at, add);
  }
}

const pathOf = (pointer: string): string =>
  pointer
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~'))
    .join('.');

const plain = (error: string): string => {
  const sentence = error.replace(/^Instance /, 'It ').replace(/^String /, 'It ');
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
};

/** A copy with one field set; `undefined` takes it out. */
export function withField(value: JsonObject, key: string, next: Json | undefined): JsonObject {
  const entries = Object.entries(value).filter(([name]) => name !== key);
  if (next !== undefined) entries.push([key, next]);
  return Object.fromEntries(entries);
}
