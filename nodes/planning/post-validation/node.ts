import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { validationResultsSchema, validationStepSchema } from '@/harness/planning/artefacts/results';
import { postValidationConfigSchema } from '@/harness/planning/post-validation/plan';
import { timeoutField, validationTools } from '../support/validation';
import { detectTool } from '../support/workspace-commands';

export const postValidationNode = defineNode({
  id: 'post-validation',
  version: 1,
  category: 'planning',
  layer: 'verification',
  authority: 'deterministic',
  role: 'step',
  title: 'Post-validation',
  icon: 'list-checks',
  summary: 'Formats, repairs lint, lints and tests what was changed, with the workspace’s own commands.',
  keywords: ['lint', 'test', 'format', 'validate', 'check', 'commands.json'],
  config: z.object({
    ...postValidationConfigSchema.pick({ enabled: true, outputLimit: true }).shape,
    onlyAfterChanges: z.boolean().default(true).meta({ title: 'Only when files were modified' }),
    timeoutSeconds: timeoutField,
  }),
  ports: [
    { id: 'clean', title: 'Clean' },
    { id: 'failed', title: 'Failed' },
    { id: 'skipped', title: 'Skipped' },
  ],
  outputs: z.object({
    status: z.enum(['clean', 'failed', 'skipped']).meta({ title: 'Status' }),
    reason: z.string().meta({ title: 'Why it was skipped' }),
    summary: z.string().meta({ title: 'Summary' }),
    failed: z.array(validationStepSchema).meta({ title: 'Failed steps' }),
    results: validationResultsSchema.meta({ title: 'Results by step' }),
  }),
  reads: ['commandSet', 'modifiedFiles'],
  writes: ['validationResults', 'modifiedFiles'],
  tools: () => [...new Set(Object.values(validationTools)), detectTool],
  preview: (config) => (config.enabled === false ? 'off' : config.onlyAfterChanges === false ? 'always' : 'after changes'),
});
