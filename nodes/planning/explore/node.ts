import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { fileSummarySchema } from '@/harness/planning/artefacts/file-summary';
import { loopPresets } from '@/harness/planning/control-loop/config';
import { completionGateConfigSchema } from '@/harness/planning/exploration/completion-gate';
import { parallelExplorationConfigSchema } from '@/harness/planning/exploration/parallel';
import { debugPlanning, loopFields, loopHints, roleField, toolNames } from '../support/config';
import { internetTools, readingTools } from '../support/planning-tools';

export const explore = defineNode({
  id: 'explore',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Explore',
  icon: 'folder-search',
  summary: 'Reads the codebase, records what matters in each file, and sums it up for design and plan.',
  keywords: ['phase 2', 'exploration', 'codebase', 'observations', 'file summary', 'read'],
  config: z.object({
    role: roleField('primary'),
    maxTurns: z
      .int()
      .min(0)
      .max(10_000)
      .default(loopPresets.explore.maxTurns)
      .meta({ title: 'Most turns', description: '0 = no limit of its own; an attached budget still holds.' }),
    reminderInterval: z
      .int()
      .min(0)
      .max(1000)
      .default(loopPresets.explore.reminderInterval)
      .meta({ title: 'Turns between task reminders', description: '0 = off.' }),
    ...completionGateConfigSchema.shape,
    tools: toolNames([...readingTools, ...internetTools]),
    ...parallelExplorationConfigSchema.shape,
    scanPaths: z.int().min(1).max(500).default(60).meta({ title: 'Most files shared among the explorers' }),
    ...loopFields,
    debugPlanning,
  }),
  ports: ['next'],
  outputs: z.object({
    summary: fileSummarySchema
      .nullable()
      .meta({ title: 'File summary', description: 'Empty when it could not be written, or with several explorers.' }),
    markdown: z.string().meta({ title: 'As text', description: 'The prose of the explorers when there is no summary.' }),
    observations: z.int().meta({ title: 'Files recorded' }),
    turns: z.int().meta({ title: 'Turns' }),
    exit: z.string().meta({ title: 'Ended by' }),
    elapsed_ms: z.number().meta({ title: 'Took (ms)' }),
  }),
  reads: ['planTask', 'scopeDocument', 'phase1Summary', 'observations', 'scratchpad', 'journal'],
  writes: ['observations', 'scratchpad', 'journal', 'fileSummary', 'planWarnings', 'sessionWork'],
  model: (config) => config.role,
  tools: (config) => (config.debugPlanning === true ? ['create_file'] : []),
  fields: {
    role: { widget: 'model-role', section: 'Model' },
    maxTurns: { section: 'Turns' },
    reminderInterval: { section: 'Turns' },
    minObservations: { section: 'Turns' },
    tools: { widget: 'tools', section: 'Tools' },
    parallel: { section: 'Several explorers' },
    scanTurns: { section: 'Several explorers' },
    divePool: { section: 'Several explorers' },
    diveLeast: { section: 'Several explorers' },
    scanPaths: { section: 'Several explorers' },
    ...loopHints,
    debugPlanning: { section: 'Debugging' },
  },
  preview: (config) =>
    [
      typeof config.minObservations === 'number' ? `at least ${config.minObservations} recorded` : '',
      typeof config.parallel === 'number' && config.parallel > 1 ? `${config.parallel} explorers` : '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
});
