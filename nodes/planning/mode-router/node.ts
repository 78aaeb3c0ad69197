import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { roleField } from '../support/config';

export const modes = ['plan', 'fix', 'request', 'resume'] as const;

export const modeRouter = defineNode({
  id: 'mode-router',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Mode router',
  icon: 'signpost',
  summary: 'Chooses between a full plan, a direct fix, a plain request, and taking up earlier work.',
  keywords: ['intent', 'mode', 'plan', 'fix', 'request', 'resume', 'router'],
  config: z.object({
    task: z.string().max(20_000).default('').meta({
      title: 'Task',
      description: 'May hold {{expressions}}, such as a suggested prompt. Empty takes the message of the run.',
    }),
    decideBy: z.enum(['model', 'rules']).default('model').meta({
      title: 'Without a command, decided by',
      description: 'A model, or words in the message. /plan, /fix, /request and /resume always decide.',
    }),
    role: roleField('worker'),
    fixWords: z
      .array(z.string().min(1).max(100))
      .max(100)
      .default([
        'bug',
        'exception',
        'traceback',
        'stack trace',
        'crash',
        'crashes',
        'failing test',
        'test fails',
        'tests fail',
        'regression',
      ])
      .meta({ title: 'Words of a fix', description: 'Used by the rules.' }),
  }),
  ports: [
    { id: 'plan', title: 'Plan' },
    { id: 'fix', title: 'Fix' },
    { id: 'request', title: 'Request' },
    { id: 'resume', title: 'Resume' },
  ],
  outputs: z.object({
    mode: z.enum(modes).meta({ title: 'Mode' }),
    task: z.string().meta({ title: 'Task', description: 'Without the command it began with.' }),
    reason: z.string().meta({ title: 'Reason' }),
  }),
  reads: ['planTask', 'sessionWork'],
  writes: ['planTask', 'scratchpad', 'journal', 'sessionWork'],
  model: (config) => (config.decideBy === 'rules' ? null : config.role),
  fields: {
    task: { widget: 'template', rows: 3 },
    role: { widget: 'model-role', when: { field: 'decideBy', is: 'model' } },
    fixWords: { when: { field: 'decideBy', is: 'rules' } },
  },
  preview: (config) => (config.decideBy === 'rules' ? 'by rules' : 'by a model'),
});
