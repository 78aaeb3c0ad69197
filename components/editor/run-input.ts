import { isJsonObject, type Json, type JsonObject } from '@/harness/contract/json';
import type { FlowDocument } from '@/harness/flow/schema';

/** What the flow's start nodes ask for: their schemas put together, so that one form serves a flow with several starts. */
export function inputSchemaOf(document: FlowDocument): JsonObject {
  const schemas = document.nodes
    .filter((node) => node.type === 'input' && node.parent === undefined && !node.disabled)
    .map((node) => node.config.schema)
    .filter(isJsonObject);
  const [first, ...rest] = schemas;
  if (!first) return { type: 'object', properties: { message: { type: 'string', title: 'Message' } }, required: ['message'] };
  const propertiesOf = (schema: JsonObject): JsonObject => (isJsonObject(schema.properties) ? schema.properties : {});
  const requiredOf = (schema: JsonObject): Json[] => (Array.isArray(schema.required) ? schema.required : []);
  return rest.reduce<JsonObject>(
    (joined, schema) => ({
      ...joined,
      properties: { ...propertiesOf(joined), ...propertiesOf(schema) },
      required: [...new Set([...requiredOf(joined), ...requiredOf(schema)])],
    }),
    { ...first },
  );
}

/** Inputs that the flow's author offers. */
export const sampleInputsOf = (document: FlowDocument): JsonObject[] =>
  document.nodes
    .flatMap((node) => (node.type === 'input' && Array.isArray(node.config.samples) ? node.config.samples : []))
    .filter(isJsonObject);

/** A line that tells one input from another. */
export function inputLine(input: Json): string {
  if (typeof input === 'string') return input;
  if (isJsonObject(input)) {
    const texts = Object.values(input).filter((value) => typeof value === 'string' && value.trim() !== '');
    if (texts.length > 0) return texts.join(' · ');
  }
  return JSON.stringify(input);
}
