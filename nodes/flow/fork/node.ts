import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { hasUniqueIds, plural, portId } from '../../support/config';

export const fork = defineNode({
  id: 'fork',
  version: 1,
  category: 'flow',
  layer: 'flow',
  authority: 'deterministic',
  role: 'fork',
  title: 'Fork',
  icon: 'git-fork',
  summary: 'Starts several branches at once; a join brings them together.',
  keywords: ['parallel', 'concurrent', 'fan out', 'split'],
  config: z.object({
    branches: z
      .array(
        z.object({
          id: portId,
          title: z.string().max(100).default('').meta({ title: 'Title' }),
          when: z
            .string()
            .max(20_000)
            .default('')
            .meta({ title: 'Only when', description: 'A CEL condition; empty starts the branch always.' }),
        }),
      )
      .min(1, 'Add at least one branch')
      .max(100)
      .refine(hasUniqueIds, 'Two branches have the same id')
      .default([
        { id: 'a', title: 'A', when: '' },
        { id: 'b', title: 'B', when: '' },
      ])
      .meta({ title: 'Branches' }),
  }),
  ports: (config) => (config.branches ?? []).map((entry) => ({ id: entry.id, title: entry.title || entry.id })),
  outputs: jsonSchema.meta({ title: 'Received', description: 'What came in, passed on unchanged to every branch.' }),
  fields: { branches: { items: { when: { widget: 'expression' } } } },
  preview: (config) => plural((config.branches ?? []).length, 'branch', 'branches'),
});
