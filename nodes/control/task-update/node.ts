import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';

export const taskUpdate = defineNode({
  id: 'task-update',
  version: 1,
  category: 'control',
  layer: 'planning',
  authority: 'deterministic',
  role: 'step',
  title: 'Task update',
  icon: 'list-checks',
  summary: 'Finishes the task, lets what waited for it go on, and writes the work into the journal.',
  keywords: ['complete', 'done', 'finish', 'journal', 'history', 'dependents'],
  config: z.object({
    requireVerified: z.boolean().default(true).meta({
      title: 'Not when its verification failed',
      description: 'Such a task waits again, whatever edge leads here.',
    }),
    settleFailures: z.boolean().default(true).meta({
      title: 'Earlier failures of the task are settled',
      description: 'They no longer weigh on the diagnostics.',
    }),
    excerpt: z.int().min(0).max(20_000).default(1000).meta({
      title: 'Characters of the result in the journal',
      description: 'Kept word for word until the journal folds it.',
    }),
  }),
  ports: ['next'],
  outputs: z.object({
    task_id: z.string().nullable().meta({ title: 'Task' }),
    completed: z.boolean().meta({ title: 'Finished now' }),
    finished: z.int().meta({ title: 'Finished tasks' }),
    tasks: z.int().meta({ title: 'All tasks' }),
    result: z.json().meta({ title: 'Result', description: 'What the task produced.' }),
  }),
  reads: [
    'currentTask',
    'taskGraph',
    'taskResults',
    'verification',
    'strategyState',
    'controlState',
    'memoryState',
    'failureDiagnostics',
    'progress',
  ],
  writes: ['taskGraph', 'strategyState', 'memoryState', 'failureDiagnostics', 'progress'],
  fields: {
    requireVerified: { section: 'Finishing' },
    settleFailures: { section: 'Finishing' },
    excerpt: { section: 'Journal' },
  },
  preview: (config) => (config.requireVerified === false ? 'finishes unverified work too' : 'finishes verified work'),
});
