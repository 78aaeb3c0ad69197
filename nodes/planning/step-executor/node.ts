import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { stepTools } from '@/harness/planning/artefacts/plan-step';
import { stepResultSchema } from '@/harness/planning/artefacts/results';
import { loopPresets } from '@/harness/planning/control-loop/config';
import { stepOutcomeConfigSchema } from '@/harness/planning/execution/step-outcome';
import { loopFields, loopHints, roleField, toolNames } from '../support/config';
import { extraInstructions } from '../support/plan-config';
import { readBackSchema } from '../support/step-item';

const lookingTools = ['list_directory', 'directory_tree', 'grep_files', 'search_internet', 'fetch_url'];

export const stepExecutorNode = defineNode({
  id: 'step-executor',
  version: 1,
  category: 'planning',
  layer: 'execution',
  authority: 'llm',
  role: 'step',
  title: 'Step executor',
  icon: 'wrench',
  summary: 'Carries out one step of the plan in a conversation of its own and says whether it came to what it was for.',
  keywords: ['step', 'agent', 'tools', 'edit', 'execution', 'isolated', 'body'],
  config: z.object({
    role: roleField('primary'),
    testRole: roleField('expert', 'Model role of tests written first'),
    instructions: extraInstructions,
    tools: toolNames([...stepTools, ...lookingTools]),
    maxTurns: z.int().min(0).max(10_000).default(loopPresets.step.maxTurns).meta({ title: 'Most turns', description: '0 = no limit.' }),
    reminderInterval: z
      .int()
      .min(0)
      .max(1000)
      .default(loopPresets.step.reminderInterval)
      .meta({ title: 'Turns between task reminders', description: '0 = off.' }),
    ...stepOutcomeConfigSchema.shape,
    readBackFiles: z.int().min(0).max(1000).default(20).meta({
      title: 'Most changed files read again',
      description: 'For the steps after this one. What a command changed beyond is left to them to read.',
    }),
    ...loopFields,
  }),
  ports: ['next'],
  outputs: z.object({
    result: stepResultSchema.meta({ title: 'Result' }),
    files: z
      .array(readBackSchema)
      .meta({ title: 'Changed files', description: 'As they are on disk; content is null when a file is gone.' }),
    exit: z.string().meta({ title: 'Ended by', description: 'task_complete, or why the loop ended.' }),
    turns: z.int().meta({ title: 'Model calls' }),
  }),
  reads: ['planTask', 'executionPlan', 'stepResults', 'journal'],
  writes: ['stepResults', 'createdRegressionFiles', 'modifiedFiles', 'journal', 'sessionWork'],
  model: (config) => config.role,
  fields: { instructions: { widget: 'prompt', rows: 4 }, tools: { widget: 'tools' }, ...loopHints },
  preview: (config) => (config.maxTurns === 0 ? 'no turn limit' : typeof config.maxTurns === 'number' ? `${config.maxTurns} turns` : ''),
});
