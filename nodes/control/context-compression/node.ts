import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { memoryConfigSchema } from '@/harness/layers/context-compression/compress';
import { transcriptConfigSchema } from '@/harness/layers/context-compression/transcript';
import { checkRole, checkSwitch } from '../support/config';

export const contextCompression = defineNode({
  id: 'context-compression',
  version: 1,
  category: 'control',
  layer: 'around',
  authority: 'deterministic',
  role: 'step',
  title: 'Context compression',
  icon: 'fold-vertical',
  summary: 'Folds older messages of the working conversations into one when they grow too long.',
  keywords: ['context', 'window', 'summary', 'fold', 'tokens', 'journal', 'memory'],
  config: z.object({
    ...transcriptConfigSchema.shape,
    semantic: checkSwitch(
      'Let a model summarise',
      'Keeps names, numbers, dates, decisions and constraints. When the call fails, the beginnings of the messages stand instead.',
    ),
    role: checkRole,
    charactersPerToken: z.number().min(1).max(20).default(4).meta({
      title: 'Characters per token',
      description: 'By which the used part of the token budget is estimated.',
    }),
    ...memoryConfigSchema.shape,
  }),
  ports: ['next'],
  outputs: z.object({
    folded: z.int().meta({ title: 'Messages folded' }),
    lost_characters: z.int().meta({ title: 'Characters lost' }),
    used_tokens: z.int().meta({ title: 'Tokens used', description: 'Estimated, over all open conversations.' }),
  }),
  reads: ['conversation', 'memoryState', 'taskGraph'],
  writes: ['conversation', 'memoryState'],
  model: (config) => (config.semantic === true ? config.role : null),
  fields: {
    maxMessages: { section: 'Conversation' },
    maxCharacters: { section: 'Conversation' },
    keep: { section: 'Conversation' },
    excerpt: { section: 'Conversation', when: { field: 'semantic', is: false } },
    semantic: { section: 'Conversation' },
    role: { section: 'Conversation', widget: 'model-role', when: { field: 'semantic', is: true } },
    charactersPerToken: { section: 'Budget' },
    pressure: { section: 'Budget', widget: 'slider', step: 0.05 },
    keepStructures: { section: 'Budget' },
    journal: { section: 'Journal' },
  },
  preview: (config) => (typeof config.maxMessages === 'number' ? `above ${config.maxMessages} messages` : ''),
});
