import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { firstLine, jsonSchemaDocument } from '../../support/config';

export const humanGate = defineNode({
  id: 'human-gate',
  version: 1,
  category: 'human',
  layer: 'around',
  authority: 'human',
  role: 'step',
  title: 'Human gate',
  icon: 'user-check',
  summary: 'Stops until a person approves, rejects or answers.',
  keywords: ['approval', 'question', 'review', 'confirm', 'form', 'person', 'ask', 'pause'],
  config: z.object({
    mode: z.enum(['approval', 'question']).default('approval').meta({ title: 'Ask for', description: 'A yes or no, or an answer.' }),
    title: z.string().max(2000).default('Please review').meta({ title: 'Title', description: 'May hold {{expressions}}.' }),
    body: z.string().max(100_000).default('').meta({ title: 'Text', description: 'Markdown; may hold {{expressions}}.' }),
    shown: z.string().max(20_000).default('').meta({
      title: 'What is decided about',
      description: 'A CEL expression whose value is shown with the request. The decision is bound to exactly this value.',
    }),
    form: jsonSchemaDocument.nullable().default(null).meta({
      title: 'Form',
      description: 'A JSON Schema of fields to fill in. A question without one asks for a single text.',
    }),
    approveLabel: z.string().min(1).max(100).default('Approve').meta({ title: 'Button to approve' }),
    rejectLabel: z.string().min(1).max(100).default('Reject').meta({ title: 'Button to reject' }),
    answerLabel: z.string().min(1).max(100).default('Send answer').meta({ title: 'Button to answer' }),
    timeoutMs: z.int().min(1).max(31_536_000_000).nullable().default(null).meta({
      title: 'Valid for (ms)',
      description: 'After this only the port "timeout" is left. Empty waits for ever.',
    }),
  }),
  ports: (config) => [
    ...(config.mode === 'question'
      ? [{ id: 'answered', title: 'Answered' }]
      : [
          { id: 'approved', title: 'Approved' },
          { id: 'rejected', title: 'Rejected' },
        ]),
    ...(typeof config.timeoutMs === 'number' ? [{ id: 'timeout', title: 'Timed out' }] : []),
  ],
  outputs: z.object({
    choice: z
      .enum(['approved', 'rejected', 'answered', 'timeout'])
      .meta({ title: 'Choice', description: 'approved, rejected, answered or timeout.' }),
    answer: z.string().meta({ title: 'Answer', description: 'The text answered; empty when there is none.' }),
    values: z.record(z.string(), jsonSchema).meta({
      title: 'Form values',
      description: 'What was filled in, by field.',
    }),
    comment: z.string().meta({ title: 'Comment' }),
    by: z.string().meta({ title: 'By' }),
    shown: jsonSchema.meta({ title: 'Shown', description: 'The value that was decided about.' }),
  }),
  fields: {
    title: { widget: 'template' },
    body: { widget: 'template', rows: 4 },
    shown: { widget: 'expression', placeholder: 'draft.text' },
    form: { widget: 'json-schema', rows: 8, section: 'Form' },
    approveLabel: { section: 'Buttons', when: { field: 'mode', is: 'approval' } },
    rejectLabel: { section: 'Buttons', when: { field: 'mode', is: 'approval' } },
    answerLabel: { section: 'Buttons', when: { field: 'mode', is: 'question' } },
    timeoutMs: { widget: 'duration', section: 'Time limit' },
  },
  preview: (config) => firstLine(config.title),
});
