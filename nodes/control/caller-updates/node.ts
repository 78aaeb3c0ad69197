import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { steeringRulesSchema } from '@/harness/layers/caller-updates/steering';
import { checkRole, checkSwitch } from '../support/config';

export const callerUpdates = defineNode({
  id: 'caller-updates',
  version: 1,
  category: 'control',
  layer: 'around',
  authority: 'deterministic',
  role: 'step',
  title: 'Caller updates',
  icon: 'inbox',
  summary: 'Takes in messages that people sent while the run was under way.',
  keywords: ['steering', 'inbox', 'message', 'interrupt', 'cancel', 'constraint', 'change'],
  config: z.object({
    classify: checkSwitch(
      'Let a model classify',
      'One call per message. A call that fails, and any doubt, counts as new work for later. Off: by the word lists.',
      true,
    ),
    role: checkRole,
    deferred: z.enum(['next-turn', 'task']).default('next-turn').meta({
      title: 'New work for later',
      description: 'next-turn: it is handed back and runs as a turn of its own. task: it becomes a task of this run.',
    }),
    rules: steeringRulesSchema.prefault({}).meta({ title: 'Word lists' }),
  }),
  ports: [
    { id: 'next', title: 'Nothing changed' },
    { id: 'changed', title: 'Changed' },
    { id: 'cancelled', title: 'Cancelled' },
  ],
  outputs: z.object({
    messages: z
      .array(z.object({ id: z.string(), text: z.string(), class: z.string(), destination: z.string() }))
      .meta({ title: 'Messages taken in', description: 'Each ends in one place: note, task, next-turn or cancel.' }),
    constraints: z.array(z.string()).meta({ title: 'Constraints now in force' }),
  }),
  reads: ['callerState', 'worldModel', 'taskGraph', 'outputContract', 'conversation', 'currentTask', 'goal', 'progress'],
  writes: ['callerState', 'worldModel', 'taskGraph', 'outputContract', 'conversation', 'progress'],
  model: (config) => (config.classify === true ? config.role : null),
  fields: {
    classify: { section: 'Classification' },
    role: { section: 'Classification', widget: 'model-role', when: { field: 'classify', is: true } },
    rules: { section: 'Classification', when: { field: 'classify', is: false } },
    deferred: { section: 'Destination' },
  },
  preview: (config) => (config.classify === false ? 'by rules' : 'by a model'),
});
