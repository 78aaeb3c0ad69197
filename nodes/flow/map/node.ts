import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { firstLine, requiredText } from '../../support/config';

export const map = defineNode({
  id: 'map',
  version: 1,
  category: 'flow',
  layer: 'flow',
  authority: 'deterministic',
  role: 'container',
  title: 'Map',
  icon: 'repeat',
  summary: 'Runs the nodes inside it once for each item of a list.',
  keywords: ['loop', 'for each', 'iterate', 'list', 'batch', 'parallel', 'container'],
  config: z.object({
    list: requiredText('Say which list to go over').meta({
      title: 'List',
      description: 'A CEL expression that gives a list, such as split.items.',
    }),
    concurrency: z
      .int()
      .min(1)
      .max(100)
      .default(4)
      .meta({ title: 'At once', description: 'How many items are worked on at the same time.' }),
    onError: z.enum(['stop', 'collect']).default('stop').meta({
      title: 'When an item fails',
      description: 'Stop and fail, or go on and list the failures beside the results.',
    }),
    maxItems: z
      .int()
      .min(1)
      .max(100_000)
      .default(1000)
      .meta({ title: 'Most items', description: 'A longer list is refused before anything runs.' }),
  }),
  ports: ['next'],
  outputs: z.object({
    results: z.array(jsonSchema).meta({ title: 'Results', description: 'One per item, in order; null where the item failed.' }),
    errors: z
      .array(z.object({ index: z.int(), code: z.string(), message: z.string() }))
      .meta({ title: 'Failures', description: 'Filled when failures are collected.' }),
    count: z.int().meta({ title: 'Items' }),
  }),
  fields: { list: { widget: 'expression', placeholder: 'input.items' } },
  preview: (config) =>
    [firstLine(config.list, 40), typeof config.concurrency === 'number' ? `${config.concurrency} at once` : ''].filter(Boolean).join(' · '),
});
