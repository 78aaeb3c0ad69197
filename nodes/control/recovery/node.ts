import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { recoveryBudgetSchema } from '@/harness/layers/recovery/budget';
import { recoveryConfigSchema } from '@/harness/layers/recovery/config';
import { strategySchema } from '@/harness/layers/recovery/state';
import { supervisorConfigSchema } from '@/harness/layers/recovery/supervisor';
import { checkRole, checkSwitch } from '../support/config';

export const recovery = defineNode({
  id: 'recovery',
  version: 1,
  category: 'control',
  layer: 'recovery',
  authority: 'deterministic',
  role: 'step',
  title: 'Recovery',
  icon: 'life-buoy',
  summary: 'Decides what a failed task means: try again, change the plan, or call a person.',
  keywords: ['retry', 'replan', 'strategy', 'stall', 'failure', 'ladder', 'supervisor', 'escalate'],
  config: z.object({
    ...recoveryConfigSchema.shape,
    matchByWords: z.boolean().default(true).meta({
      title: 'Match failures by their words',
      description: 'The error, or the failed checks, against the symptoms in the failure library.',
    }),
    matchByModel: checkSwitch('Match failures by a model', 'Asked once per failed task which pattern of the library fits.'),
    supervisor: checkSwitch(
      'Ask a supervisor when stalled',
      'A model chooses between going on, another strategy, another plan, evidence, a question and giving up.',
    ),
    ...supervisorConfigSchema.shape,
    role: checkRole,
    planRevisions: recoveryBudgetSchema.shape.planRevisions.meta({
      title: 'Plans rebuilt per run',
      description: 'After that many a stall calls a person.',
    }),
    callAtResolve: z.boolean().default(false).meta({
      title: 'Call a person at the next resolve too',
      description:
        'For flows where “Call a person” leads back into the loop: the control state then takes its own port for a person, once.',
    }),
    excerpt: z.int().min(0).max(20_000).default(500).meta({ title: 'Characters of the failure in the journal' }),
  }),
  ports: [
    { id: 'retry', title: 'Try again' },
    { id: 'replan', title: 'Go on with the plan' },
    { id: 'escalate', title: 'Call a person' },
  ],
  outputs: z.object({
    task_id: z.string().nullable().meta({ title: 'Task' }),
    kind: z.enum(['system_error', 'exhausted', 'not_accomplished', 'verification']).meta({ title: 'Kind of failure' }),
    failure_class: z.string().meta({ title: 'Failure class', description: 'Of the pattern that matches, or unknown.' }),
    strategy: strategySchema.meta({ title: 'Strategy now' }),
    scope: z.enum(['LOCAL', 'GLOBAL']).meta({ title: 'Scope', description: 'GLOBAL when the plan was rebuilt.' }),
    stall: z.string().meta({ title: 'Stall', description: 'The signal that fired; empty when there was none.' }),
    message: z.string().meta({ title: 'Message', description: 'What failed and what it keeps from running, in words.' }),
  }),
  reads: [
    'currentTask',
    'taskGraph',
    'taskResults',
    'verification',
    'strategyState',
    'failureDiagnostics',
    'experienceStore',
    'callerState',
    'worldModel',
    'controlState',
    'memoryState',
    'conversation',
    'toolResults',
    'goal',
    'progress',
  ],
  writes: ['taskGraph', 'strategyState', 'failureDiagnostics', 'memoryState', 'conversation', 'toolResults', 'progress'],
  model: (config) => (config.matchByModel || config.supervisor ? config.role : null),
  fields: {
    order: { section: 'Strategies' },
    wholeLearnedOrder: { section: 'Strategies' },
    affinityFrom: { section: 'Strategies', widget: 'slider', step: 0.05 },
    retrySystemErrors: { section: 'Trying again' },
    retryEveryFailure: { section: 'Trying again' },
    failUnverified: { section: 'Trying again' },
    blockDependents: { section: 'Trying again' },
    stall: { section: 'Stall rule' },
    verifyBeliefs: { section: 'Stall rule' },
    planRevisions: { section: 'Stall rule' },
    callAtResolve: { section: 'Person' },
    matchByWords: { section: 'Failure library' },
    matchByModel: { section: 'Failure library' },
    supervisor: { section: 'Supervisor' },
    maxGather: { section: 'Supervisor', when: { field: 'supervisor', is: true } },
    maxGatherCalls: { section: 'Supervisor', when: { field: 'supervisor', is: true } },
    gatherCalls: { section: 'Supervisor', when: { field: 'supervisor', is: true } },
    maxAsk: { section: 'Supervisor', when: { field: 'supervisor', is: true } },
    role: { section: 'Supervisor', widget: 'model-role' },
    excerpt: { section: 'Journal' },
  },
  preview: (config) =>
    [
      config.retryEveryFailure
        ? 'tries every failure again'
        : config.retrySystemErrors
          ? 'tries system errors again'
          : 'tries nothing again',
      config.supervisor ? 'supervisor' : '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
});
