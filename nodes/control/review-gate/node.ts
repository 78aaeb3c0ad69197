import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { changeKindConfigSchema } from '@/harness/layers/execution/change-risk';
import { reviewGateConfigSchema } from '@/harness/layers/execution/review-gate';
import { riskConfigSchema } from '@/harness/layers/execution/risk';
import { checkRole } from '../support/config';

export const reviewGate = defineNode({
  id: 'review-gate',
  version: 1,
  category: 'control',
  layer: 'execution',
  authority: 'deterministic',
  role: 'step',
  title: 'Review gate',
  icon: 'search-check',
  summary: 'Holds what is about to be done against what is known and wanted; twice refused, it stops for a person.',
  keywords: ['review', 'proposal', 'diff', 'contract', 'beliefs', 'risk', 'revise'],
  config: z.object({
    ...reviewGateConfigSchema.shape,
    risk: riskConfigSchema.prefault({}).meta({ title: 'Risk of a change' }),
    kind: changeKindConfigSchema.prefault({}).meta({ title: 'Kind of a change' }),
    raiseRisk: z.boolean().default(true).meta({
      title: 'A risky change makes its task risky',
      description: 'Off in the reference, which estimates the risk and throws it away.',
    }),
    callPerson: z.boolean().default(true).meta({
      title: 'The last failure calls a person',
      description: 'Besides leaving by “halt”, the next control state requires a person. Off when “halt” itself leads to one.',
    }),
    modelReview: z.enum(['off', 'advice', 'binding']).default('off').meta({
      title: 'Review by a model',
      description: 'Advice is told to the agent and recorded; binding may also refuse the change. One bounded call.',
    }),
    checkRole,
  }),
  ports: [
    { id: 'pass', title: 'Pass' },
    { id: 'revise', title: 'Revise' },
    { id: 'halt', title: 'Halt' },
  ],
  outputs: z.object({
    passed: z.boolean().meta({ title: 'Passed' }),
    task_id: z.string().meta({ title: 'Task' }),
    proposal: z.string().meta({ title: 'Proposal', description: 'What was judged: the task, or the tool with its change.' }),
    risk: z.enum(['LOW', 'MEDIUM', 'HIGH']).meta({ title: 'Risk of the change' }),
    failed: z.array(z.object({ dimension: z.string(), reason: z.string() })).meta({ title: 'Failed dimensions' }),
    consecutive_failures: z.int().meta({ title: 'Failures in a row' }),
    advice: z.string().meta({ title: 'Advice', description: 'What a model had to say, when it was asked.' }),
  }),
  reads: [
    'proposal',
    'currentTask',
    'taskGraph',
    'goal',
    'callerState',
    'worldModel',
    'outputContract',
    'hypothesisSet',
    'evidenceStore',
    'progress',
    'conversation',
  ],
  writes: ['proposal', 'taskGraph', 'progress', 'conversation'],
  model: (config) => (config.modelReview === 'off' || config.modelReview === undefined ? null : (config.checkRole ?? null)),
  fields: {
    beliefFrom: { widget: 'slider', step: 0.05 },
    maxFailures: { section: 'Failures' },
    callPerson: { section: 'Failures' },
    lexicon: { section: 'Words' },
    removalWords: { section: 'Words' },
    qualityPhrases: { section: 'Words' },
    linters: { section: 'Words' },
    risk: { section: 'Risk' },
    kind: { section: 'Risk' },
    raiseRisk: { section: 'Risk' },
    modelReview: { section: 'Model check' },
    checkRole: { section: 'Model check', widget: 'model-role', when: { field: 'modelReview', is: ['advice', 'binding'] } },
  },
  preview: (config) => (typeof config.maxFailures === 'number' ? `${config.maxFailures} refusals in a row halt` : ''),
});
