import { z } from 'zod';
import type { Catalogue } from '../contract/catalogue';
import { isJsonObject, type Json, type JsonObject, type JsonSchema, jsonSchema } from '../contract/json';
import { byText } from './flow-graph';
import { flowDocumentSchema } from './schema';

/**
 * The JSON Schema of a flow document, with the config of every node type that the catalogue has. Other types are allowed, as in the document
 * itself. Throws when a schema says something that JSON Schema cannot say, so that the gap is mended and not hidden.
 */
export function flowJsonSchema(catalogue: Catalogue): JsonSchema {
  const document = asJson(z.toJSONSchema(flowDocumentSchema, { io: 'input', target: 'draft-2020-12' }));
  const types = [...catalogue.nodes.values()].sort((a, b) => byText(a.id, b.id));
  const definitions = types.map((manifest): [string, JsonObject] => {
    const { $schema, ...config } = asJson(z.toJSONSchema(manifest.config, { io: 'input', target: 'draft-2020-12' }));
    const own = `#/$defs/${pointerPart(manifest.id)}/$defs/`;
    return [manifest.id, { title: manifest.title, description: manifest.summary, ...asObject(withRefs(config, own)) }];
  });
  const choices = types.map(({ id, version }) => ({
    if: { properties: { type: { const: id }, typeVersion: { const: version } }, required: ['type', 'typeVersion'] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
    then: { properties: { config: { $ref: `#/$defs/${pointerPart(id)}` } } },
  }));
  return {
    ...document,
    $id: '/flow.schema.json',
    title: 'Bridle flow',
    $defs: { ...asObject(document.$defs), ...Object.fromEntries(definitions) },
    properties: { ...asObject(document.properties), nodes: withChoices(asObject(asObject(document.properties).nodes), choices) },
  };
}

/** References of a schema that is moved into another one: what it defined itself now stands deeper. */
function withRefs(schema: Json, definitions: string): Json {
  if (Array.isArray(schema)) return schema.map((item) => withRefs(item, definitions));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, Json] => {
      const moved = key === '$ref' && typeof value === 'string' && value.startsWith('#/$defs/');
      return [key, moved ? definitions + value.slice('#/$defs/'.length) : withRefs(value, definitions)];
    }),
  );
}

function withChoices(nodes: JsonObject, choices: JsonObject[]): JsonObject {
  return { ...nodes, items: { ...asObject(nodes.items), allOf: choices } };
}

const asJson = (schema: unknown): JsonObject => asObject(jsonSchema.parse(JSON.parse(JSON.stringify(schema))));

const asObject = (value: unknown): JsonObject => z.record(z.string(), jsonSchema).catch({}).parse(value);

const pointerPart = (id: string): string => encodeURIComponent(id.replaceAll('~', '~0').replaceAll('/', '~1'));
