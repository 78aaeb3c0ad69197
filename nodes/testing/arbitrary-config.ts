import fc from 'fast-check';
import { z } from 'zod';
import { isJsonObject, type Json } from '@/harness/contract/json';

/** JSON as files hold it: no negative zero, which JSON text cannot say. */
const json: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 3 }).map((value) => {
  const plain: Json = JSON.parse(JSON.stringify(value));
  return plain;
});

interface Field {
  schema: z.ZodType;
  /** The JSON Schema of the same place, where bounds can be read. */
  json: Json | undefined;
  key: string;
}

const numberAt = (schema: Json | undefined, key: string): number | undefined => {
  const value = isJsonObject(schema) ? schema[key] : undefined;
  return typeof value === 'number' ? value : undefined;
};

const hardWords = ['{{ "x" }}', '__proto__', 'constructor', '\\{{', 'ü œ 漢', '"quoted"', 'line\nbreak', ' '];

/** Values of a config schema, each field away from its default, generated from the schema itself. Throws on a kind it does not know. */
export function arbitraryConfig(config: z.ZodObject): fc.Arbitrary<Record<string, unknown>> {
  const schema: Json = JSON.parse(JSON.stringify(z.toJSONSchema(config, { io: 'input' })));
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  const fields = Object.entries(config.shape).map(([key, field]): [string, fc.Arbitrary<unknown>] => {
    const inner = field as z.ZodType; // shapes hold zod types; the erased object type says less
    return [key, awayFromDefault(inner, valuesOf({ schema: inner, json: properties[key], key }))];
  });
  return fc.record(Object.fromEntries(fields)).filter((value) => config.safeParse(value).success);
}

function awayFromDefault(schema: z.ZodType, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const usual = schema.safeParse(undefined);
  const same = usual.success ? JSON.stringify(usual.data) : null;
  return values.filter((value) => JSON.stringify(value) !== same && schema.safeParse(value).success);
}

function valuesOf(field: Field): fc.Arbitrary<unknown> {
  const { schema, json: shape, key } = field;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return valuesOf({ ...field, schema: unwrapped(schema) });
  if (schema instanceof z.ZodOptional) return fc.option(valuesOf({ ...field, schema: unwrapped(schema) }), { nil: undefined });
  if (schema instanceof z.ZodNullable)
    return fc.oneof(fc.constant(null), valuesOf({ ...field, schema: unwrapped(schema), json: firstShape(shape) }));
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodNumber) return numberOf(shape);
  if (schema instanceof z.ZodString) return textOf(shape, key);
  if (schema instanceof z.ZodArray) {
    const items = valuesOf({ schema: unwrapped(schema), json: isJsonObject(shape) ? shape.items : undefined, key });
    return fc.array(items, { minLength: numberAt(shape, 'minItems') ?? 0, maxLength: Math.min(4, numberAt(shape, 'maxItems') ?? 4) });
  }
  if (schema instanceof z.ZodTuple) return tupleOf(schema, key);
  if (schema instanceof z.ZodObject) return arbitraryConfig(schema);
  if (schema instanceof z.ZodRecord) return recordOf(schema);
  if (isJson(schema)) return json;
  throw new Error(`No values are known for ${schema.def.type} at "${key}": teach nodes/testing/arbitrary-config.ts.`);
}

const unwrapped = (schema: { def: object }): z.ZodType => {
  const { def } = schema;
  if ('innerType' in def && def.innerType instanceof z.ZodType) return def.innerType;
  if ('element' in def && def.element instanceof z.ZodType) return def.element;
  throw new Error('a wrapper without an inside');
};

/** `z.json()` is a union that takes every kind of JSON. */
const isJson = (schema: z.ZodType): boolean => [1, 'a', true, null, [], {}].every((value) => schema.safeParse(value).success);

const firstShape = (shape: Json | undefined): Json | undefined =>
  isJsonObject(shape) && Array.isArray(shape.anyOf) ? shape.anyOf.find((part) => !isJsonObject(part) || part.type !== 'null') : shape;

function numberOf(shape: Json | undefined): fc.Arbitrary<number> {
  const min = numberAt(shape, 'minimum') ?? -1000;
  const max = numberAt(shape, 'maximum') ?? 1000;
  if (isJsonObject(shape) && shape.type === 'integer') return fc.integer({ min, max });
  return fc.double({ min, max, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value));
}

function textOf(shape: Json | undefined, key: string): fc.Arbitrary<string> {
  const max = Math.min(60, numberAt(shape, 'maxLength') ?? 60);
  const min = numberAt(shape, 'minLength') ?? 0;
  const any = fc.string({ minLength: min, maxLength: max, unit: 'grapheme' });
  return key === 'id' ? any : fc.oneof(any, fc.constantFrom(...hardWords));
}

function tupleOf(schema: z.ZodTuple, key: string): fc.Arbitrary<unknown> {
  // a tuple's definition holds zod types; the erased tuple type says less
  const { items } = schema.def as unknown as { items: z.ZodType[] };
  return fc.tuple(...items.map((item) => valuesOf({ schema: item, json: undefined, key })));
}

function recordOf(schema: z.ZodRecord): fc.Arbitrary<unknown> {
  // a record's definition holds zod types; its own types say only that they have an inside
  const { keyType, valueType } = schema.def as unknown as { keyType: z.ZodType; valueType: z.ZodType };
  const keys = fc
    .oneof(fc.string({ minLength: 1, maxLength: 12 }), fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/))
    .filter((key) => keyType.safeParse(key).success);
  return fc.dictionary(keys, valuesOf({ schema: valueType, json: undefined, key: 'record' }), { maxKeys: 4, noNullPrototype: true });
}
