import { type Schema, Validator } from '@cfworker/json-schema';
import { userError } from '@/harness/contract/errors';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@/harness/contract/json';

const shownProblems = 5;

/** What keeps a value from fitting a JSON Schema, as `/place: reason`, innermost first; empty when it fits. Throws `SCHEMA_INVALID`. */
export function schemaProblems(schema: JsonSchema, value: Json): string[] {
  try {
    // A JSON Schema is data to us; the validator's type lists the known keywords and accepts any others.
    const result = new Validator(schema as Schema, '2020-12', false).validate(value);
    if (result.valid) return [];
    const deepest = Math.max(...result.errors.map((error) => depth(error.instanceLocation)));
    const leaves = result.errors.filter((error) => depth(error.instanceLocation) === deepest || error.keyword === 'required');
    const told = new Set(leaves.map((error) => `${error.instanceLocation.replace(/^#/, '') || 'the value'}: ${error.error}`));
    return [...told].slice(0, shownProblems);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : 'unreadable';
    throw userError('SCHEMA_INVALID', `The JSON Schema cannot be used: ${reason}. Correct the schema in the node’s settings.`);
  }
}

const depth = (location: string): number => location.split('/').length;

/** The value with every absent property that has a `default` in its schema filled in, at any depth. The value itself is not changed. */
export function withDefaults(schema: Json | undefined, value: Json): Json {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return isJsonObject(schema.items) ? value.map((item) => withDefaults(schema.items, item)) : value;
  if (!isJsonObject(value) || !isJsonObject(schema.properties)) return value;
  const entries = new Map<string, Json>(Object.entries(value));
  for (const [name, property] of Object.entries(schema.properties)) {
    const present = entries.get(name);
    if (present !== undefined) entries.set(name, withDefaults(property, present));
    else if (isJsonObject(property) && property.default !== undefined) entries.set(name, property.default);
  }
  const filled: JsonObject = Object.fromEntries(entries);
  return filled;
}
