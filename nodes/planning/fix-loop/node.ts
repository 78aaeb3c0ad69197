import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { validationResultsSchema, validationStepSchema } from '@/harness/planning/artefacts/results';
import { loopPresets } from '@/harness/planning/control-loop/config';
import { guardConfigSchema } from '@/harness/planning/guards/guard-config';
import { retentionConfigSchema } from '@/harness/planning/memory/retention';
import { memoryConfigSchema } from '@/harness/planning/memory/row';
import { validationAttemptSchema } from '@/harness/planning/post-validation/attempts';
import { postValidationConfigSchema } from '@/harness/planning/post-validation/plan';
import { loopFields, loopHints, roleField, toolNames } from '../support/config';
import { memoryFields } from '../support/memory-fields';
import { timeoutField, validationTools } from '../support/validation';
import { detectTool } from '../support/workspace-commands';

export const fixTools = [
  'list_directory',
  'directory_tree',
  'grep_files',
  'read_file',
  'create_file',
  'edit_file',
  'run_command',
  'run_tests',
  'run_lint',
  'format_code',
  'search_internet',
  'fetch_url',
] as const;

export const fixLoopNode = defineNode({
  id: 'fix-loop',
  version: 1,
  category: 'planning',
  layer: 'recovery',
  authority: 'llm',
  role: 'step',
  title: 'Fix loop',
  icon: 'hammer',
  summary: 'Has a model repair what validation found, attempt after attempt, and validates everything again after each.',
  keywords: ['repair', 'retry', 'attempt', 'expert', 'escalate', 'lint', 'test', 'regression'],
  config: z.object({
    ...postValidationConfigSchema.omit({ enabled: true }).shape,
    role: roleField('primary'),
    tools: toolNames(fixTools),
    reminderInterval: z
      .int()
      .min(0)
      .max(1000)
      .default(loopPresets.fix.reminderInterval)
      .meta({ title: 'Turns between task reminders', description: '0 = off.' }),
    scope: z.enum(['plan', 'modified', 'all']).default('plan').meta({
      title: 'Existing files it may change',
      description: 'Those of the plan, those that were modified, or all. New files may be created. An attached tool guard chain keeps it.',
    }),
    lockTests: z.enum(['expert', 'always', 'never']).default('expert').meta({
      title: 'Test files are locked',
      description: 'When there is an expert, in every attempt, or never.',
    }),
    regressionPattern: guardConfigSchema.shape.regressionPattern,
    timeoutSeconds: timeoutField,
    ...memoryFields(5),
    remember: z.boolean().default(true).meta({ title: 'Keep what repaired it as a memory' }),
    autopromoteThreshold: memoryConfigSchema.shape.autopromoteThreshold,
    sameness: memoryConfigSchema.shape.sameness,
    retentionDays: retentionConfigSchema.shape.retentionDays,
    ...loopFields,
  }),
  ports: [
    { id: 'resolved', title: 'Resolved' },
    { id: 'remaining', title: 'Remaining' },
  ],
  outputs: z.object({
    status: z.enum(['resolved', 'remaining']).meta({ title: 'Status' }),
    summary: z.string().meta({ title: 'Summary' }),
    failed: z.array(validationStepSchema).meta({ title: 'Steps that still fail' }),
    attempts: z.array(validationAttemptSchema).meta({ title: 'Attempts' }),
    results: validationResultsSchema.meta({ title: 'Results by step' }),
  }),
  reads: ['validationResults', 'executionPlan', 'modifiedFiles', 'commandSet', 'journal', 'scratchpad', 'workspaceMemories'],
  writes: ['validationResults', 'validationAttempts', 'modifiedFiles', 'journal', 'scratchpad', 'sessionWork', 'workspaceMemories'],
  model: (config) => config.role,
  // the model is offered of its tools what the flow grants; these the node calls itself
  tools: () => [...new Set([...Object.values(validationTools), detectTool])],
  fields: {
    tools: { widget: 'tools' },
    memory: { section: 'Memories' },
    memoryLimit: { section: 'Memories', when: { field: 'memory', is: true } },
    memoryShare: { section: 'Memories', when: { field: 'memory', is: true } },
    remember: { section: 'Memories' },
    autopromoteThreshold: { section: 'Memories' },
    sameness: { section: 'Memories' },
    retentionDays: { section: 'Memories' },
    ...loopHints,
  },
  preview: (config) =>
    config.retries === 0 ? 'off' : typeof config.retries === 'number' ? `${config.retries} attempts, ${config.turns ?? 30} turns each` : '',
});
