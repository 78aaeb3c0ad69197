import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { approvalConfigSchema, approvalStatusSchema } from '@/harness/planning/approval/state';
import { executionPlanSchema } from '@/harness/planning/artefacts/execution-plan';
import { memoryConfigSchema } from '@/harness/planning/memory/row';
import { validatorConfigSchema } from '@/harness/planning/validators/config';
import { plural } from '../../support/config';
import { testContract } from '../support/plan-config';

export const planApprovalNode = defineNode({
  id: 'plan-approval',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'human',
  role: 'step',
  title: 'Plan approval',
  icon: 'clipboard-check',
  summary: 'Shows the plan with its warnings, tags and tests to a person, who approves, gives feedback or cancels.',
  keywords: ['approve', 'feedback', 'cancel', 'gate', 'core functionality', 'tags', 'person'],
  config: z.object({
    ...approvalConfigSchema.shape,
    title: z.string().min(1).max(2000).default('Approve the plan').meta({ title: 'Title', description: 'May hold {{expressions}}.' }),
    editing: z.boolean().default(true).meta({
      title: 'The plan may be edited',
      description: 'The form also prunes, promotes and adds core tags and drops steps. The checks run again afterwards.',
    }),
    validators: validatorConfigSchema.prefault({ placement: 'after-verification' }).meta({ title: 'Checks after an edit' }),
    ...testContract,
    chatIsFeedback: z.boolean().default(true).meta({
      title: 'Messages sent meanwhile are feedback',
      description:
        'What a person wrote into the chat before the plan was there sends it back once, instead of waiting for a turn of its own.',
    }),
    learn: z.boolean().default(true).meta({
      title: 'Learn from rejections',
      description: 'A plan that was rejected and then approved leaves a memory of what was missing.',
    }),
    memory: memoryConfigSchema.prefault({}).meta({ title: 'Memory' }),
    timeoutMs: z.int().min(1).max(31_536_000_000).nullable().default(null).meta({
      title: 'Valid for (ms)',
      description: 'After this the plan counts as cancelled. Empty waits for ever.',
    }),
  }),
  ports: [
    { id: 'approved', title: 'Approved' },
    { id: 'feedback', title: 'Feedback' },
    { id: 'cancelled', title: 'Cancelled' },
    { id: 'exhausted', title: 'Revisions used up' },
  ],
  outputs: z.object({
    status: approvalStatusSchema.meta({ title: 'Status' }),
    plan: executionPlanSchema.meta({ title: 'Plan', description: 'As it was decided about, with the edits.' }),
    feedback: z.string().meta({ title: 'Feedback', description: 'What was asked for this time; empty when nothing was.' }),
    revision_count: z.int().meta({ title: 'Feedback so far' }),
    error: z.string().meta({ title: 'Error', description: 'Why it ended without an approval; empty otherwise.' }),
    by: z.string().meta({ title: 'By' }),
  }),
  reads: ['executionPlan', 'approvalState', 'fileSummary', 'designAndRisks', 'planWarnings', 'workspaceMemories'],
  writes: ['executionPlan', 'approvalState', 'workspaceMemories'],
  fields: { title: { widget: 'template' }, timeoutMs: { widget: 'duration', section: 'Time limit' } },
  preview: (config) => (typeof config.maxRevisions === 'number' ? `${plural(config.maxRevisions, 'revision')} at most` : ''),
});
