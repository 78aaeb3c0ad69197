import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { designAndRisksSchema, missingFileSchema } from '@/harness/planning/artefacts/design';
import { loopPresets } from '@/harness/planning/control-loop/config';
import { retrievalPresets } from '@/harness/planning/memory/retrieve';
import { debugPlanning, loopFields, loopHints, roleField, toolNames } from '../support/config';
import { memoryFields } from '../support/memory-fields';
import { internetTools, referenceTools } from '../support/planning-tools';

export const design = defineNode({
  id: 'design',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Design',
  icon: 'drafting-compass',
  summary: 'Decides naming, order, missing files and risks, and tags what must not break.',
  keywords: ['phase 3', 'design', 'risks', 'core functionality', 'naming', 'expert'],
  config: z.object({
    role: roleField('expert'),
    maxTurns: z.int().min(1).max(1000).default(loopPresets.design.maxTurns).meta({ title: 'Most turns' }),
    textOnlyExit: z
      .int()
      .min(1)
      .max(100)
      .default(loopPresets.design.textOnlyExit)
      .meta({ title: 'Replies without a tool call that end it', description: 'In a row.' }),
    tools: toolNames([...internetTools, ...referenceTools]),
    coreFunctionality: z
      .boolean()
      .default(true)
      .meta({ title: 'Tag core functionality', description: 'What must not break; regression tests are planned for it.' }),
    ...memoryFields(retrievalPresets.phase_3.limit),
    ...loopFields,
    debugPlanning,
  }),
  ports: ['next'],
  outputs: z.object({
    design: designAndRisksSchema.meta({ title: 'Design and risks' }),
    markdown: z.string().meta({ title: 'As text' }),
    missing_files: z.array(missingFileSchema).meta({ title: 'Missing files' }),
    fallback: z.boolean().meta({ title: 'Fallback', description: 'True when only the prose could be kept.' }),
    turns: z.int().meta({ title: 'Turns' }),
  }),
  reads: ['planTask', 'scopeDocument', 'fileSummary', 'observations', 'workspaceMemories'],
  writes: ['designAndRisks', 'planWarnings'],
  model: (config) => config.role,
  tools: (config) => (config.debugPlanning === true ? ['create_file'] : []),
  fields: {
    role: { widget: 'model-role', section: 'Model' },
    maxTurns: { section: 'Turns' },
    textOnlyExit: { section: 'Turns' },
    tools: { widget: 'tools', section: 'Tools' },
    coreFunctionality: { section: 'Design' },
    memory: { section: 'Memories' },
    memoryLimit: { section: 'Memories', when: { field: 'memory', is: true } },
    memoryShare: { section: 'Memories', when: { field: 'memory', is: true } },
    ...loopHints,
    debugPlanning: { section: 'Debugging' },
  },
  preview: (config) => (config.coreFunctionality === false ? 'no tags' : 'tags core functionality'),
});
