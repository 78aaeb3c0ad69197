import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { executionPlanSchema } from '@/harness/planning/artefacts/execution-plan';
import { planStepSchema } from '@/harness/planning/artefacts/plan-step';
import { validatorConfigSchema, verificationChecks } from '@/harness/planning/validators/config';
import { verificationConfigSchema } from '@/harness/planning/verification-steps/config';
import { corrections, firstLine, maxOutputTokens } from '../../support/config';
import { debugPlanning, loopFields, loopHints, roleField } from '../support/config';
import { extraInstructions, testContract } from '../support/plan-config';

const { mode, investigation } = verificationConfigSchema.shape;

export const verificationStepsNode = defineNode({
  id: 'verification-steps',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Verification steps',
  icon: 'flask-conical',
  summary: 'Adds the tests to the plan, checks them against the test contract, and sees to it that they are run.',
  keywords: ['phase 5', 'tests', 'tdd', 'regression', 'coverage', 'test contract'],
  config: z.object({
    role: roleField('expert'),
    mode,
    ...testContract,
    investigation,
    testCommand: z.string().max(2000).default('').meta({
      title: 'Test command',
      description: 'May hold {{expressions}}. Empty takes the one that was detected for the workspace.',
    }),
    validators: validatorConfigSchema
      .prefault({ placement: 'after-verification', checks: verificationChecks })
      .meta({ title: 'Checks of the tests' }),
    ...loopFields,
    instructions: extraInstructions,
    maxOutputTokens,
    corrections,
    debugPlanning,
  }),
  ports: ['next'],
  outputs: z.object({
    plan: executionPlanSchema.meta({ title: 'Plan' }),
    added: z.array(planStepSchema).meta({ title: 'Steps added' }),
    status: z.string().meta({ title: 'Status', description: 'What was designed, in a few words.' }),
    mode: mode.meta({ title: 'Mode' }),
    findings: z
      .array(z.object({ rule: z.string(), step_number: z.int(), file_path: z.string(), detail: z.string() }))
      .meta({ title: 'Findings of the test contract' }),
    warnings: z.array(z.string()).meta({ title: 'Warnings' }),
  }),
  reads: ['planTask', 'executionPlan', 'fileSummary', 'designAndRisks', 'commandSet'],
  writes: ['executionPlan'],
  model: (config) => config.role,
  fields: {
    testCommand: { widget: 'template', placeholder: 'npm test' },
    instructions: { widget: 'prompt', rows: 4 },
    ...loopHints,
  },
  preview: (config) => [config.mode === 'tdd' ? 'tests first' : '', firstLine(config.testCommand, 40)].filter(Boolean).join(' · '),
});
