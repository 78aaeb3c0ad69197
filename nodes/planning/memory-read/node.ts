import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { retrievalConfigSchema } from '@/harness/planning/memory/retrieve';
import { memoryRowSchema } from '@/harness/planning/memory/row';
import { contextWindow } from '../support/config';

export const memoryReadNode = defineNode({
  id: 'memory-read',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'deterministic',
  role: 'step',
  title: 'Recall memories',
  icon: 'book-open',
  summary: 'Finds curated memories of this flow that fit a question, within a budget.',
  keywords: ['memory', 'search', 'retrieve', 'knowledge', 'curated'],
  config: z.object({
    query: z.string().max(10_000).default('{{input.message}}').meta({ title: 'Question', description: 'Matched by words.' }),
    preset: z.enum(['phase_1', 'phase_3', 'fix_loop', 'own']).default('phase_1').meta({
      title: 'For',
      description:
        'Clarification (any category, 5), design (gotcha, convention, rejection; 6), repair (fix pattern, gotcha; 5), or as below.',
    }),
    ...retrievalConfigSchema.shape,
    contextWindow,
  }),
  ports: ['next'],
  outputs: z.object({
    text: z.string().meta({ title: 'As text', description: 'One line each; empty when none fits.' }),
    memories: z.array(memoryRowSchema).meta({ title: 'Memories' }),
  }),
  reads: ['workspaceMemories'],
  fields: {
    query: { widget: 'template', rows: 2 },
    limit: { when: { field: 'preset', is: 'own' } },
    categories: { when: { field: 'preset', is: 'own' } },
    statuses: { section: 'Search' },
    searchFactor: { section: 'Search' },
    windowShare: { section: 'Search' },
    contextWindow: { section: 'Search' },
  },
  preview: (config) => (config.preset === 'own' ? `at most ${config.limit ?? 5}` : String(config.preset ?? 'phase_1').replace('_', ' ')),
});
