import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { retentionConfigSchema } from '@/harness/planning/memory/retention';
import { memoryCategorySchema, memoryConfigSchema, memoryRowSchema } from '@/harness/planning/memory/row';

export const memoryWriteNode = defineNode({
  id: 'memory-write',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'deterministic',
  role: 'step',
  title: 'Keep memory',
  icon: 'bookmark-plus',
  summary: 'Suggests a memory, or confirms, rejects or archives one that is known.',
  keywords: ['memory', 'learn', 'remember', 'confirm', 'reject', 'curate'],
  config: z.object({
    act: z.enum(['suggest', 'add', 'confirm', 'reject', 'archive']).default('suggest').meta({
      title: 'What to do',
      description:
        'Suggest: counted, and shown to models from the third sighting on. Add: confirmed at once, for what a person said. The others act on a known memory.',
    }),
    content: z.string().max(10_000).default('').meta({ title: 'Content', description: 'One to three sentences. Blank keeps nothing.' }),
    category: memoryCategorySchema.default('discovery').meta({ title: 'Category' }),
    tags: z.array(z.string().min(1).max(100)).max(50).default([]).meta({ title: 'Tags' }),
    memoryId: z.string().max(1000).default('').meta({ title: 'Id of the memory' }),
    ...memoryConfigSchema.omit({ mostPerSession: true }).shape,
    ...retentionConfigSchema.shape,
  }),
  ports: ['next'],
  outputs: z.object({
    outcome: z
      .enum(['added', 'seen', 'promoted', 'refused', 'confirmed', 'rejected', 'archived', 'unknown', 'nothing'])
      .meta({ title: 'What became of it' }),
    memory: memoryRowSchema.nullable().meta({ title: 'Memory' }),
  }),
  reads: ['workspaceMemories'],
  writes: ['workspaceMemories'],
  fields: {
    content: { widget: 'template', rows: 3, when: { field: 'act', is: ['suggest', 'add'] } },
    category: { when: { field: 'act', is: ['suggest', 'add'] } },
    tags: { when: { field: 'act', is: ['suggest', 'add'] } },
    memoryId: { widget: 'template', when: { field: 'act', is: ['confirm', 'reject', 'archive'] } },
    autopromoteThreshold: { section: 'Rules' },
    sameness: { section: 'Rules' },
    confirmedConfidence: { section: 'Rules' },
    rejectedConfidence: { section: 'Rules' },
    retentionDays: { section: 'Rules' },
  },
  preview: (config) => String(config.act ?? 'suggest'),
});
