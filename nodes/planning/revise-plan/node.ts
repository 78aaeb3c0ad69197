import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { executionPlanSchema } from '@/harness/planning/artefacts/execution-plan';
import { validatorConfigSchema } from '@/harness/planning/validators/config';
import { corrections, firstLine } from '../../support/config';
import { contextWindow, roleField } from '../support/config';
import { extraInstructions, planOutputFields, stepContracts, testContract } from '../support/plan-config';

export const revisePlanNode = defineNode({
  id: 'revise-plan',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Revise plan',
  icon: 'file-pen-line',
  summary: 'Edits the plan after feedback without losing tags, tests or warnings, and checks it again.',
  keywords: ['feedback', 'revision', 'approval', 'targeted edits', 'plan'],
  config: z.object({
    role: roleField('expert'),
    feedback: z.string().max(20_000).default('').meta({
      title: 'Feedback',
      description: 'May hold {{expressions}}. Empty takes the latest feedback of the approval.',
    }),
    validators: validatorConfigSchema.prefault({ placement: 'after-verification' }).meta({ title: 'Checks of the plan' }),
    ...testContract,
    stepContracts,
    instructions: extraInstructions,
    contextWindow,
    ...planOutputFields,
    corrections,
  }),
  ports: ['next'],
  outputs: z.object({
    plan: executionPlanSchema.meta({ title: 'Plan' }),
    revised: z.boolean().meta({ title: 'Revised', description: 'False when the reply could not be used and the plan is as it was.' }),
    problem: z.string().meta({ title: 'Problem', description: 'Why it was not revised; empty when it was.' }),
    feedback: z.string().meta({ title: 'Feedback' }),
    warnings: z.array(z.string()).meta({ title: 'Warnings' }),
  }),
  reads: ['planTask', 'executionPlan', 'fileSummary', 'designAndRisks', 'approvalState'],
  writes: ['executionPlan', 'approvalState'],
  model: (config) => config.role,
  fields: { feedback: { widget: 'template', rows: 3 }, instructions: { widget: 'prompt', rows: 4 } },
  preview: (config) => firstLine(config.feedback),
});
