import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { stepResultSchema } from '@/harness/planning/artefacts/results';
import { artefactStoreConfigSchema } from '@/harness/planning/execution/artefact-store';
import { stepPromptConfigSchema } from '@/harness/planning/execution/step-prompt';
import { groupingConfigSchema } from '@/harness/planning/grouping/group-steps';
import { contextWindow } from '../support/config';

export const executePlanNode = defineNode({
  id: 'execute-plan',
  version: 1,
  category: 'planning',
  layer: 'execution',
  authority: 'deterministic',
  role: 'container',
  title: 'Execute plan',
  icon: 'play',
  summary: 'Runs the nodes inside it once for each step of the plan, group after group, and stops at the first step that fails.',
  keywords: ['steps', 'groups', 'barrier', 'parallel', 'checklist', 'container', 'executor'],
  config: z.object({
    ...groupingConfigSchema.shape,
    steps: z.enum(['auto', 'all', 'tests', 'implementation']).default('auto').meta({
      title: 'Which steps',
      description: 'Auto: what the TDD controller is at, and all steps outside of it.',
    }),
    ...artefactStoreConfigSchema.shape,
    ...stepPromptConfigSchema.shape,
    contextWindow,
    continueAfterHalt: z.boolean().default(true).meta({
      title: 'Go on after a halt',
      description:
        'When execution halted and is entered again, steps that were completed and stand unchanged in the plan are not repeated.',
    }),
    recordIncomplete: z.boolean().default(true).meta({
      title: 'Note failed steps in .bridle/incomplete.md',
      description: 'Where the flow grants read_file and create_file.',
    }),
  }),
  ports: [
    { id: 'done', title: 'Done' },
    { id: 'halted', title: 'Halted' },
  ],
  outputs: z.object({
    status: z.enum(['done', 'halted']).meta({ title: 'Status' }),
    results: z.array(stepResultSchema).meta({ title: 'Results', description: 'One for each step, in their order; skipped ones included.' }),
    completed: z.int().meta({ title: 'Steps completed' }),
    total: z.int().meta({ title: 'Steps' }),
    failed: z.array(z.int()).meta({ title: 'Numbers of the failed steps' }),
    changed_files: z.array(z.string()).meta({ title: 'Changed files' }),
    finalised: z.array(z.string()).meta({ title: 'Regression tests that are final from now on' }),
  }),
  reads: ['executionPlan', 'stepResults', 'tddState', 'createdRegressionFiles'],
  writes: ['stepResults'],
  preview: (config) => (typeof config.parallel === 'number' && config.parallel > 1 ? `${config.parallel} at once` : 'one step at a time'),
});
