import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@/harness/contract/json';
import { formatCount } from '../ui/format';

/** One line of a table made from a JSON Schema. */
export interface SchemaRow {
  /** Dotted, `[]` for list items and `*` for the values of a record. */
  path: string;
  title: string | null;
  type: string;
  /** JSON text of the default; null when there is none. */
  fallback: string | null;
  bounds: string;
  description: string | null;
  required: boolean;
}

const depthLimit = 6;
/** Bounds that zod writes for every integer say nothing to a reader. */
const isMeaningful = (bound: Json | undefined): bound is number => typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const reference = schema.$ref;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  let at: Json | undefined = root;
  for (const part of reference.slice(2).split('/')) at = isJsonObject(at) ? at[part.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined;
  return isJsonObject(at) ? at : schema;
}

const optionsOf = (schema: JsonSchema): JsonSchema[] =>
  [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));

function typeText(schema: JsonSchema, root: JsonSchema, depth: number): string {
  const actual = resolve(schema, root);
  if (depth > depthLimit) return 'JSON';
  if (actual.const !== undefined) return JSON.stringify(actual.const);
  if (Array.isArray(actual.enum))
    return actual.enum.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' | ');
  const options = optionsOf(actual);
  if (options.length > 0) {
    const texts = [...new Set(options.map((option) => typeText(option, root, depth + 1)))];
    return texts.length > 5 ? 'JSON' : texts.join(' | ');
  }
  if (actual.type === 'array') return isJsonObject(actual.items) ? `list of ${typeText(actual.items, root, depth + 1)}` : 'list';
  if (actual.type === 'object' && isJsonObject(actual.additionalProperties) && !isJsonObject(actual.properties)) return 'record';
  if (typeof actual.type === 'string') return actual.type === 'string' ? 'text' : actual.type;
  if (Array.isArray(actual.type)) return actual.type.join(' | ');
  return 'JSON';
}

/** The part of a nullable schema that is not null carries the bounds and the properties. */
function substance(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const actual = resolve(schema, root);
  const options = optionsOf(actual)
    .map((option) => resolve(option, root))
    .filter((option) => option.type !== 'null');
  const [only] = options;
  return options.length === 1 && only ? only : actual;
}

function boundsText(schema: JsonSchema): string {
  const low = isMeaningful(schema.minimum)
    ? `≥ ${schema.minimum}`
    : isMeaningful(schema.exclusiveMinimum)
      ? `> ${schema.exclusiveMinimum}`
      : '';
  const high = isMeaningful(schema.maximum)
    ? `≤ ${schema.maximum}`
    : isMeaningful(schema.exclusiveMaximum)
      ? `< ${schema.exclusiveMaximum}`
      : '';
  const parts = [low, high].filter((part) => part !== '');
  if (typeof schema.minLength === 'number' && schema.minLength > 0) parts.push(`at least ${formatCount(schema.minLength, 'character')}`);
  if (typeof schema.maxLength === 'number') parts.push(`at most ${formatCount(schema.maxLength, 'character')}`);
  if (typeof schema.minItems === 'number' && schema.minItems > 0)
    parts.push(`at least ${formatCount(schema.minItems, 'entry', 'entries')}`);
  if (typeof schema.maxItems === 'number') parts.push(`at most ${formatCount(schema.maxItems, 'entry', 'entries')}`);
  if (typeof schema.pattern === 'string' && schema.pattern.length <= 40) parts.push(`matches ${schema.pattern}`);
  return parts.join(', ');
}

/** Every field of an object schema, nested ones after their parent. A schema that is no object has no rows. */
export function schemaRows(root: JsonSchema): SchemaRow[] {
  const rows: SchemaRow[] = [];
  walk({ schema: root, path: '', depth: 0 });
  return rows;

  function walk({ schema, path, depth }: { schema: JsonSchema; path: string; depth: number }): void {
    if (depth > depthLimit) return;
    const actual = substance(schema, root);
    const properties: JsonObject = isJsonObject(actual.properties) ? actual.properties : {};
    const required = Array.isArray(actual.required) ? actual.required : [];
    for (const [key, value] of Object.entries(properties)) {
      if (!isJsonObject(value)) continue;
      const outer = resolve(value, root);
      const inner = substance(value, root);
      const at = path === '' ? key : `${path}.${key}`;
      const meta = (name: 'title' | 'description'): string | null => {
        const found = outer[name] ?? inner[name];
        return typeof found === 'string' ? found : null;
      };
      rows.push({
        path: at,
        title: meta('title'),
        type: typeText(value, root, 0),
        fallback: outer.default === undefined ? null : JSON.stringify(outer.default),
        bounds: boundsText(inner),
        description: meta('description'),
        required: required.includes(key) && outer.default === undefined,
      });
      if (isJsonObject(inner.properties)) walk({ schema: inner, path: at, depth: depth + 1 });
      if (isJsonObject(inner.items) && isJsonObject(substance(inner.items, root).properties))
        walk({ schema: inner.items, path: `${at}[]`, depth: depth + 1 });
      if (isJsonObject(inner.additionalProperties) && isJsonObject(substance(inner.additionalProperties, root).properties)) {
        walk({ schema: inner.additionalProperties, path: `${at}.*`, depth: depth + 1 });
      }
    }
  }
}
