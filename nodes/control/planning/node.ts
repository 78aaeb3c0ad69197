import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { planningConfigSchema } from '@/harness/layers/planning/config';

const { riskOrder, maxConflict, parallel, serialRisks } = planningConfigSchema.shape;

export const planning = defineNode({
  id: 'planning',
  version: 1,
  category: 'control',
  layer: 'planning',
  authority: 'deterministic',
  role: 'step',
  title: 'Planning',
  icon: 'list-todo',
  summary: 'Chooses the next task, or two that can run side by side, and keeps count of the steps.',
  keywords: ['tasks', 'select', 'schedule', 'parallel', 'dependencies', 'budget', 'steps'],
  config: z.object({
    riskOrder,
    parallel,
    maxConflict,
    serialRisks,
    onExhausted: z.enum(['stop', 'ask']).default('stop').meta({
      title: 'When the steps are used up',
      description: 'Stop and say what is left open, or ask a person whether to go on.',
    }),
    extension: z.int().min(1).max(1000).default(10).meta({
      title: 'Steps that “continue” adds',
      description: 'Granted each time a person lets the run go on.',
    }),
  }),
  ports: [
    { id: 'task', title: 'Task' },
    { id: 'complete', title: 'All complete' },
    { id: 'nothing-eligible', title: 'Nothing can run' },
  ],
  outputs: z.object({
    task_id: z.string().nullable().meta({ title: 'Task', description: 'Id of the task this branch works on.' }),
    task: z.string().nullable().meta({ title: 'Description' }),
    reason: z
      .enum(['task', 'complete', 'stuck', 'empty', 'person', 'budget_exhausted'])
      .meta({ title: 'Reason', description: 'Why this port was taken.' }),
    message: z.string().meta({ title: 'Message', description: 'What is left open and why, in words.' }),
    open: z
      .array(z.object({ id: z.string(), why: z.string() }))
      .meta({ title: 'Open tasks', description: 'What keeps each from running.' }),
  }),
  reads: ['taskGraph', 'controlState', 'goal', 'progress', 'taskResults', 'conversation', 'proposal', 'strategyState', 'verification'],
  writes: ['taskGraph', 'currentTask', 'proposal', 'taskResults', 'conversation', 'progress'],
  fields: {
    riskOrder: { section: 'Order' },
    parallel: { section: 'Two at once' },
    maxConflict: { section: 'Two at once', widget: 'slider', step: 0.05, when: { field: 'parallel', is: true } },
    serialRisks: { section: 'Two at once', when: { field: 'parallel', is: true } },
    onExhausted: { section: 'Steps' },
    extension: { section: 'Steps', when: { field: 'onExhausted', is: 'ask' } },
  },
  preview: (config) =>
    [Array.isArray(config.riskOrder) ? config.riskOrder.join(' → ') : '', config.parallel === false ? 'one at a time' : 'two at once']
      .filter((part) => part !== '')
      .join(' · '),
});
