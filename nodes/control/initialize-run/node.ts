import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { journalPolicySchema } from '@/harness/layers/context-compression/state';
import { initialiseConfigSchema } from '@/harness/layers/initialise/initialise';
import { outputContractSchema } from '@/harness/layers/output-validation/state';
import { defaultFailureLibrary } from '@/harness/layers/recovery/failure-library';
import { failurePatternSchema } from '@/harness/layers/recovery/state';
import { reliabilitySchema, riskLevelSchema } from '@/harness/layers/shared/levels';
import { plural } from '../../support/config';

const texts = (title: string, description: string) => z.array(z.string().max(4000)).max(200).default([]).meta({ title, description });

const seededTask = z.object({
  id: z.string().min(1, 'Give the task an id').max(100).meta({ title: 'Id', description: 'Other tasks refer to it.' }),
  description: z
    .string()
    .min(1, 'Say what is to be done')
    .max(4000)
    .meta({ title: 'What is to be done', description: 'May hold {{expressions}}.' }),
  risk: riskLevelSchema.default('MEDIUM').meta({ title: 'Risk' }),
  depends_on: z.array(z.string()).default([]).meta({ title: 'Waits for', description: 'Ids of tasks that must be complete first.' }),
  write_domains: z
    .array(z.string())
    .default([])
    .meta({ title: 'Writes in', description: 'Tasks with no domain in common may run side by side.' }),
  level: z.int().min(0).max(10).default(1).meta({ title: 'Level of abstraction' }),
});

export const initializeRun = defineNode({
  id: 'initialize-run',
  version: 1,
  category: 'control',
  layer: 'around',
  authority: 'deterministic',
  role: 'step',
  title: 'Initialise run',
  icon: 'rocket',
  summary: 'Sets up what the loop works with: criteria, constraints, contract, tasks, sources and the failure library.',
  keywords: ['start', 'setup', 'criteria', 'constraints', 'contract', 'tasks', 'plan', 'failure library', 'budget'],
  config: z.object({
    criteria: texts('Success criteria', 'May hold {{expressions}}. Without tasks each becomes one.'),
    constraints: texts('Constraints', 'May hold {{expressions}}. Those stated in the message are added.'),
    tasks: z.array(seededTask).max(200).default([]).meta({
      title: 'Tasks',
      description: 'A plan to start from. Empty: the tasks of the judged message, else one for each criterion, else the message itself.',
    }),
    ...initialiseConfigSchema.shape,
    contract: outputContractSchema.prefault({}).meta({ title: 'Output contract' }),
    sources: texts('More sources of evidence', 'Besides the tools this flow may use: names of nodes or systems that evidence comes from.'),
    ceilings: z.record(z.string(), reliabilitySchema).default({}).meta({
      title: 'Ceilings by tool',
      description: 'The highest reliability of evidence from a tool; overrides what the tool declares.',
    }),
    library: z.array(failurePatternSchema).max(200).default(defaultFailureLibrary).meta({ title: 'Failure library' }),
    journal: journalPolicySchema.prefault({}).meta({ title: 'Journal' }),
    tokenBudget: z.int().min(1).default(200_000).meta({ title: 'Token budget of the journal' }),
  }),
  ports: ['next'],
  outputs: z.object({
    objective: z.string().meta({ title: 'Objective' }),
    criteria: z.array(z.string()).meta({ title: 'Success criteria' }),
    constraints: z.array(z.string()).meta({ title: 'Constraints' }),
    tasks: z.array(z.string()).meta({ title: 'Ids of the tasks' }),
    max_steps: z.int().meta({ title: 'Most steps' }),
  }),
  reads: ['turnPolicy', 'goal', 'taskGraph', 'worldModel', 'evidenceStore', 'experienceStore'],
  writes: [
    'goal',
    'worldModel',
    'callerState',
    'diagnostics',
    'taskGraph',
    'outputContract',
    'evidenceStore',
    'hypothesisSet',
    'memoryState',
    'strategyState',
    'failureDiagnostics',
    'beliefDepGraph',
  ],
  fields: {
    criteria: { section: 'What is wanted', items: { widget: 'template' } },
    constraints: { section: 'What is wanted', items: { widget: 'template' } },
    contract: { section: 'What is wanted' },
    tasks: { section: 'Tasks', items: { description: { widget: 'template' } } },
    taskRisk: { section: 'Tasks' },
    abstractionLevel: { section: 'Tasks' },
    maxSteps: { section: 'Limits' },
    tokenBudget: { section: 'Limits' },
    journal: { section: 'Limits' },
    sources: { section: 'Evidence' },
    ceilings: { section: 'Evidence' },
    library: { section: 'Failures' },
  },
  preview: (config) => {
    const tasks = Array.isArray(config.tasks) ? config.tasks.length : 0;
    return [tasks > 0 ? plural(tasks, 'task') : '', typeof config.maxSteps === 'number' ? plural(config.maxSteps, 'step') : '']
      .filter(Boolean)
      .join(', ');
  },
});
