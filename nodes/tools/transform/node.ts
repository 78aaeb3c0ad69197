import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { firstLine } from '../../support/config';

export const transform = defineNode({
  id: 'transform',
  version: 1,
  category: 'tools',
  layer: 'flow',
  authority: 'deterministic',
  role: 'step',
  title: 'Transform',
  icon: 'braces',
  summary: 'Makes a value out of others: one expression, a text, or an object field by field.',
  keywords: ['set', 'map fields', 'template', 'expression', 'cel', 'format', 'compute', 'variable'],
  config: z.object({
    mode: z.enum(['expression', 'template', 'object']).default('expression').meta({ title: 'Make' }),
    expression: z
      .string()
      .max(100_000)
      .default('received')
      .meta({ title: 'Expression', description: 'A CEL expression; its value is put out.' }),
    template: z
      .string()
      .max(200_000)
      .default('')
      .meta({ title: 'Text', description: 'Text with {{expressions}}; the finished text is put out.' }),
    fields: z
      .record(z.string().min(1), z.string().max(100_000))
      .default({})
      .meta({ title: 'Fields', description: 'Each field’s name and the CEL expression of its value.' }),
  }),
  ports: ['next'],
  outputs: (config) => {
    if (config.mode === 'template') return z.string();
    if (config.mode !== 'object') return jsonSchema;
    return z.object(Object.fromEntries(Object.keys(config.fields ?? {}).map((name) => [name, jsonSchema])));
  },
  fields: {
    expression: { widget: 'expression', rows: 3, when: { field: 'mode', is: 'expression' } },
    template: { widget: 'template', rows: 6, when: { field: 'mode', is: 'template' } },
    fields: { when: { field: 'mode', is: 'object' }, items: { widget: 'expression' } },
  },
  preview: (config) => {
    if (config.mode === 'template') return firstLine(config.template);
    return config.mode === 'object' ? Object.keys(config.fields ?? {}).join(', ') : firstLine(config.expression);
  },
});
