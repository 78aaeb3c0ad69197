import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { executionPlanSchema } from '@/harness/planning/artefacts/execution-plan';
import { assemblyConfigSchema } from '@/harness/planning/assembly/assemble';
import { assemblyChecks, validatorConfigSchema } from '@/harness/planning/validators/config';
import { corrections, plural } from '../../support/config';
import { contextWindow, debugPlanning, roleField } from '../support/config';
import { extraInstructions, planOutputFields, smallWindow, stepContracts } from '../support/plan-config';

export const assemblePlanNode = defineNode({
  id: 'assemble-plan',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Assemble plan',
  icon: 'list-checks',
  summary: 'Turns the design into steps of one tool call each, checks them, and sends the plan back once when a needed file has no step.',
  keywords: ['phase 4', 'plan', 'steps', 'validators', 'testability', 'expert'],
  config: z.object({
    role: roleField('expert'),
    ...assemblyConfigSchema.shape,
    stepContracts,
    validators: validatorConfigSchema.prefault({ checks: assemblyChecks }).meta({ title: 'Checks of the plan' }),
    contextWindow,
    smallWindow,
    ...planOutputFields,
    instructions: extraInstructions,
    corrections,
    debugPlanning,
  }),
  ports: ['next'],
  outputs: z.object({
    plan: executionPlanSchema.meta({ title: 'Plan' }),
    warnings: z.array(z.string()).meta({ title: 'Warnings', description: 'They block nothing.' }),
    outcome: z
      .enum(['pass', 'warn', 'blocked'])
      .meta({ title: 'Checks', description: 'blocked only when a check of severity block found something.' }),
    revisions: z.int().meta({ title: 'Automatic revisions' }),
  }),
  reads: ['planTask', 'scopeDocument', 'observations', 'fileSummary', 'designAndRisks', 'commandSet'],
  writes: ['executionPlan', 'approvalState'],
  model: (config) => config.role,
  tools: (config) => (config.debugPlanning ? ['create_file'] : []),
  fields: { instructions: { widget: 'prompt', rows: 4 } },
  preview: (config) => (typeof config.autoRevise === 'number' ? `${plural(config.autoRevise, 'automatic revision')} at most` : ''),
});
