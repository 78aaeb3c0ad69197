import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { retentionConfigSchema } from '@/harness/planning/memory/retention';
import { memoryConfigSchema, memoryRowSchema } from '@/harness/planning/memory/row';
import { contextWindow, roleField } from '../support/config';

export const completionHooksNode = defineNode({
  id: 'completion-hooks',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'deterministic',
  role: 'step',
  title: 'Completion',
  icon: 'flag',
  summary: 'Closes a run of the pipeline: says what came of it, and keeps what was learned as memories for a person to judge.',
  keywords: ['memory', 'summary', 'finish', 'extract', 'learn', 'retention', 'report'],
  config: z.object({
    extract: z.boolean().default(true).meta({
      title: 'Keep what was learned',
      description: 'One call of the worker model. Nothing is kept of a cancelled run.',
    }),
    role: roleField('worker'),
    contextWindow,
    ...memoryConfigSchema.pick({ mostPerSession: true, autopromoteThreshold: true, sameness: true }).shape,
    ...retentionConfigSchema.shape,
    updateContext: z.boolean().default(false).meta({
      title: 'Bring the project description up to date',
      description: 'One more call of the worker model; writes .bridle/project_context.md into the workspace.',
    }),
  }),
  ports: ['next'],
  outputs: z.object({
    text: z.string().meta({ title: 'Reply', description: 'What a person reads.' }),
    summary: z.string().meta({ title: 'Summary' }),
    status: z.enum(['completed', 'halted', 'cancelled']).meta({ title: 'Status' }),
    files_modified: z.array(z.string()).meta({ title: 'Modified files' }),
    validation_passed: z.boolean().nullable().meta({ title: 'Validation passed', description: 'Null when nothing was validated.' }),
    memories: z.array(memoryRowSchema).meta({ title: 'Memories taken in' }),
  }),
  reads: [
    'planTask',
    'executionPlan',
    'stepResults',
    'validationResults',
    'validationAttempts',
    'modifiedFiles',
    'createdRegressionFiles',
    'approvalState',
    'tddState',
    'journal',
    'workspaceMemories',
  ],
  writes: ['workspaceMemories'],
  model: (config) => (config.extract || config.updateContext ? config.role : null),
  tools: (config) => (config.updateContext ? ['create_file'] : []),
  fields: {
    role: { section: 'Memories' },
    contextWindow: { section: 'Memories' },
    mostPerSession: { section: 'Memories' },
    autopromoteThreshold: { section: 'Memories' },
    sameness: { section: 'Memories' },
    retentionDays: { section: 'Memories' },
  },
  preview: (config) => (config.extract === false ? 'summary only' : 'summary and memories'),
});
