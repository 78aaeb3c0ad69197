import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { firstLine } from '../../support/config';

export const output = defineNode({
  id: 'output',
  version: 1,
  category: 'flow',
  layer: 'flow',
  authority: 'deterministic',
  role: 'end',
  title: 'Output',
  icon: 'log-out',
  summary: 'Where a run ends with a result; inside a container, the result of its body.',
  keywords: ['end', 'result', 'reply', 'answer', 'return'],
  config: z.object({
    value: z.string().max(100_000).default('{{received}}').meta({
      title: 'Value',
      description: 'Text with {{expressions}}. A single {{expression}} keeps its JSON type when put out as JSON.',
    }),
    as: z.enum(['json', 'text']).default('json').meta({
      title: 'Put out as',
      description: 'JSON keeps the type of a single {{expression}} and otherwise reads the text as JSON; text is put out as it is.',
    }),
    required: z.boolean().default(true).meta({
      title: 'Required',
      description: 'A run that ends without reaching a required output is incomplete, and says so.',
    }),
  }),
  ports: [],
  canFail: false,
  outputs: (config) => (config.as === 'text' ? z.string() : jsonSchema),
  fields: { value: { widget: 'template', rows: 5, placeholder: '{{received.text}}' } },
  preview: (config) => `${config.required === false ? 'optional · ' : ''}${firstLine(config.value)}`,
});
