import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { adaptiveConfigSchema } from '@/harness/layers/adaptive-control/decide';
import { layerPolicyModes } from '@/harness/layers/adaptive-control/layer-policy';
import { turnRulesSchema } from '@/harness/layers/adaptive-control/rules';
import { firstLine } from '../../support/config';
import { checkRole } from '../support/config';

export const adaptiveControl = defineNode({
  id: 'adaptive-control',
  version: 1,
  category: 'control',
  layer: 'around',
  authority: 'llm',
  role: 'step',
  title: 'Adaptive control',
  icon: 'sliders-horizontal',
  summary: 'Judges a turn once: trivial, full work, or first the approval of a person.',
  keywords: ['triage', 'trivial', 'risk', 'turn', 'decompose', 'approval', 'gate', 'layer policy'],
  config: z.object({
    message: z.string().max(20_000).default('').meta({
      title: 'Message',
      description: 'What is judged. Empty: the message of the run’s input. May hold {{expressions}}.',
    }),
    judge: z.enum(['model', 'rules']).default('model').meta({
      title: 'Judged by',
      description: 'A model in one call, or the word lists below. A call that fails leaves the risk unknown, which needs approval.',
    }),
    role: checkRole,
    earlierMessages: z.int().min(0).max(100).default(6).meta({ title: 'Earlier messages shown to the model' }),
    ...adaptiveConfigSchema.shape,
    layerPolicy: z.enum(layerPolicyModes).default('static').meta({
      title: 'Layer policy',
      description:
        'static runs what is drawn; adaptive leaves checks out by the judgement and says so; shadow only says what it would leave out.',
    }),
    rules: turnRulesSchema.prefault({}).meta({ title: 'Word lists' }),
  }),
  ports: [
    { id: 'full', title: 'Full' },
    { id: 'trivial', title: 'Trivial' },
    { id: 'needs-approval', title: 'Needs approval' },
  ],
  outputs: z.object({
    message: z.string().meta({ title: 'Message' }),
    risk: z.string().meta({ title: 'Risk', description: 'LOW, MEDIUM, HIGH or UNKNOWN.' }),
    reason: z.string().meta({ title: 'Reason' }),
    trivial: z.boolean().meta({ title: 'Trivial' }),
    tasks: z.array(z.string()).meta({ title: 'Tasks' }),
    constraints: z.array(z.string()).meta({ title: 'Constraints stated' }),
    facts: z.array(z.string()).meta({ title: 'Facts stated' }),
  }),
  reads: ['transcript', 'goal', 'taskGraph', 'progress'],
  writes: ['turnPolicy', 'goal', 'taskGraph', 'progress'],
  model: (config) => (config.judge === 'model' ? config.role : null),
  fields: {
    message: { widget: 'template' },
    judge: { section: 'Judgement' },
    role: { section: 'Judgement', widget: 'model-role', when: { field: 'judge', is: 'model' } },
    earlierMessages: { section: 'Judgement', when: { field: 'judge', is: 'model' } },
    rules: { section: 'Judgement', when: { field: 'judge', is: 'rules' } },
    skipTrivial: { section: 'What follows' },
    approvalFrom: { section: 'What follows' },
    planQuestionsOnlyWhenFailed: { section: 'What follows' },
    layerPolicy: { section: 'What follows' },
  },
  preview: (config) =>
    firstLine(
      [
        config.judge === 'rules' ? 'by rules' : 'by a model',
        config.approvalFrom === 'never' ? '' : `approval from ${config.approvalFrom ?? 'HIGH'}`,
      ]
        .filter(Boolean)
        .join(', '),
    ),
});
