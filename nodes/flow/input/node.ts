import { z } from 'zod';
import { isJsonObject, jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { jsonSchemaDocument, plural, zodOfJsonSchema } from '../../support/config';

export const input = defineNode({
  id: 'input',
  version: 1,
  category: 'flow',
  layer: 'flow',
  authority: 'deterministic',
  role: 'start',
  title: 'Input',
  icon: 'log-in',
  summary: 'Where a run begins: checks what came in against its schema and fills defaults.',
  keywords: ['start', 'begin', 'trigger', 'chat', 'message', 'parameters'],
  config: z.object({
    schema: jsonSchemaDocument
      .default({
        type: 'object',
        properties: { message: { type: 'string', title: 'Message' } },
        required: ['message'],
      })
      .meta({
        title: 'Schema of the input',
        description: 'A JSON Schema. The run form is made from it; the chat sends an object with a message.',
      }),
    samples: z
      .array(jsonSchema)
      .max(50)
      .default([])
      .meta({ title: 'Sample inputs', description: 'Offered in the run form and beside an empty chat.' }),
  }),
  ports: ['next'],
  canFail: false,
  outputs: (config) => zodOfJsonSchema(config.schema),
  fields: {
    schema: { widget: 'json-schema', rows: 10 },
    samples: { widget: 'json', rows: 6 },
  },
  preview: (config) => {
    const properties = isJsonObject(config.schema) ? config.schema.properties : undefined;
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    if (names.length === 0) return 'any JSON';
    return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${plural(names.length - 2, 'more', 'more')}`;
  },
});
