import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { outputDimensions, outputValidationConfigSchema } from '@/harness/layers/output-validation/validate';
import { checkRole, checkSwitch } from '../support/config';

export const outputValidation = defineNode({
  id: 'output-validation',
  version: 1,
  category: 'control',
  layer: 'around',
  authority: 'deterministic',
  role: 'step',
  title: 'Output validation',
  icon: 'file-check',
  summary: 'Holds the reply against the output contract and the caller’s constraints before it goes out.',
  keywords: ['contract', 'format', 'constraints', 'sections', 'json', 'reply', 'final'],
  config: z.object({
    ...outputValidationConfigSchema.shape,
    judgeConstraints: checkSwitch(
      'Judge constraints by a model',
      'Takes the place of the judgement by words. When the model fails, the words decide.',
    ),
    role: checkRole,
    maxRevisions: z.int().min(0).max(20).default(1).meta({
      title: 'Revisions',
      description: 'How often a reply that breaks the contract is sent back before it leaves as a violation.',
    }),
    nameUnfinished: z.boolean().default(true).meta({
      title: 'Name what did not run',
      description: 'Adds to a text which failed task kept others from running, unless the text says so.',
    }),
  }),
  ports: [
    { id: 'ok', title: 'Ok' },
    { id: 'revise', title: 'Revise' },
    { id: 'violation', title: 'Violation' },
  ],
  outputs: z.object({
    text: z.string().meta({ title: 'Text', description: 'The reply for the person.' }),
    result: z.json().meta({ title: 'Result', description: 'What was validated.' }),
    violations: z.array(z.object({ dimension: z.enum(outputDimensions), text: z.string() })).meta({ title: 'Violations' }),
    verified: z.enum(['verified', 'unverified', 'failed']).meta({
      title: 'Verified',
      description: 'Verified only when every task is finished and a command or a judge has passed the last result.',
    }),
    revise: z.string().meta({ title: 'What to revise', description: 'Empty when there is nothing.' }),
  }),
  reads: ['outputContract', 'callerState', 'verification', 'taskGraph', 'progress'],
  writes: ['progress'],
  model: (config) => (config.judgeConstraints ? config.role : null),
  fields: {
    judgeConstraints: { section: 'Constraints' },
    role: { section: 'Constraints', widget: 'model-role', when: { field: 'judgeConstraints', is: true } },
    lexicalConstraints: { section: 'Constraints' },
    negations: { section: 'Constraints' },
    subjectWords: { section: 'Constraints' },
    minWordLength: { section: 'Constraints' },
    nested: { section: 'Constraints' },
    maxRevisions: { section: 'After a violation' },
    nameUnfinished: { section: 'Reply' },
  },
  preview: (config) => (typeof config.maxRevisions === 'number' ? `sent back at most ${config.maxRevisions}×` : ''),
});
