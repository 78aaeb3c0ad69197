import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { depGraphBudgetSchema } from '@/harness/layers/belief-graph/state';
import { reviewerConfigSchema } from '@/harness/layers/reviewer/lenses';
import { findingSchema, reviewerVerdictSchema } from '@/harness/layers/reviewer/state';
import { checkRole, checkSwitch } from '../support/config';

export const reviewerPass = defineNode({
  id: 'reviewer-pass',
  version: 1,
  category: 'control',
  layer: 'reviewer',
  authority: 'deterministic',
  role: 'step',
  title: 'Reviewer pass',
  icon: 'glasses',
  summary: 'Reads the finished work through three lenses, and releases it or opens the tasks it faults again.',
  keywords: ['review', 'lens', 'adversarial', 'criteria', 'reopen', 'release', 'verdict'],
  config: z.object({
    ...reviewerConfigSchema.shape,
    ...depGraphBudgetSchema.shape,
    maxPasses: z.int().min(0).max(100).default(2).meta({
      title: 'Passes that may reopen',
      description: 'After that many the work is released with what was found.',
    }),
    withdraw: z.boolean().default(true).meta({
      title: 'Give up disputed beliefs of reopened tasks',
      description:
        'Their work starts over and establishes them anew. Off in the reference, where the open conflict fails that work as well.',
    }),
    adversarial: z
      .boolean()
      .default(true)
      .meta({ title: 'Adversarial lens', description: 'Runs above LOW risk, or from a number of tasks on.' }),
    coverByModel: checkSwitch('Judge criteria by a model', 'Asked only about criteria that no belief names word for word.'),
    role: checkRole,
    learn: z.boolean().default(false).meta({
      title: 'Learn strategies from this run',
      description: 'On release, what worked and what did not is kept for later runs of this flow. This run does not change.',
    }),
  }),
  ports: [
    { id: 'release', title: 'Release' },
    { id: 'reopen', title: 'Reopen' },
  ],
  outputs: z.object({
    result: z.json().meta({ title: 'Result', description: 'What the run has produced.' }),
    findings: z.array(findingSchema).meta({ title: 'Findings' }),
    verdict: reviewerVerdictSchema.nullable().meta({ title: 'Verdict', description: 'The gravest finding; null when there is none.' }),
    reopened: z.array(z.string()).meta({ title: 'Reopened tasks' }),
    unfinished: z.array(z.string()).meta({ title: 'Unfinished', description: 'What was left undone and why, one sentence each.' }),
    summary: z.string().meta({ title: 'Summary', description: 'Findings and what is unfinished, for the answer.' }),
  }),
  reads: [
    'worldModel',
    'beliefDepGraph',
    'taskGraph',
    'callerState',
    'failureDiagnostics',
    'goal',
    'taskResults',
    'conversation',
    'diagnostics',
    'experienceStore',
    'memoryState',
    'evidenceStore',
    'progress',
  ],
  writes: [
    'worldModel',
    'beliefDepGraph',
    'taskGraph',
    'taskResults',
    'conversation',
    'diagnostics',
    'verdict',
    'experienceStore',
    'progress',
  ],
  model: (config) => (config.coverByModel ? config.role : null),
  fields: {
    maxPasses: { section: 'Reopening' },
    reopenBy: { section: 'Reopening' },
    withdraw: { section: 'Reopening' },
    genericCriteria: { section: 'Implementer lens' },
    coverByModel: { section: 'Implementer lens' },
    role: { section: 'Implementer lens', widget: 'model-role', when: { field: 'coverByModel', is: true } },
    weakBelow: { section: 'Reviewer lens', widget: 'slider', step: 0.05 },
    adversarial: { section: 'Adversarial lens' },
    adversarialTasks: { section: 'Adversarial lens', when: { field: 'adversarial', is: true } },
    highFrom: { section: 'Adversarial lens', widget: 'slider', step: 0.05, when: { field: 'adversarial', is: true } },
    priorAbove: { section: 'Adversarial lens', widget: 'slider', step: 0.05, when: { field: 'adversarial', is: true } },
    proximityFrom: { section: 'Adversarial lens', widget: 'slider', step: 0.05, when: { field: 'adversarial', is: true } },
    proximityCriterion: { section: 'Adversarial lens', widget: 'slider', step: 0.05, when: { field: 'adversarial', is: true } },
    proximityDerived: { section: 'Adversarial lens', widget: 'slider', step: 0.05, when: { field: 'adversarial', is: true } },
    proximityOther: { section: 'Adversarial lens', widget: 'slider', step: 0.05, when: { field: 'adversarial', is: true } },
    maxSeeds: { section: 'Adversarial lens', when: { field: 'adversarial', is: true } },
    maxHops: { section: 'Adversarial lens', when: { field: 'adversarial', is: true } },
    max_unverified_edge_ratio: { section: 'Beliefs', widget: 'slider', step: 0.05 },
    learn: { section: 'Experience' },
  },
  preview: (config) => (typeof config.maxPasses === 'number' ? `reopens at most ${config.maxPasses}×` : ''),
});
