import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { phase1SummarySchema } from '@/harness/planning/artefacts/phase1-summary';
import { loopPresets } from '@/harness/planning/control-loop/config';
import { retrievalPresets } from '@/harness/planning/memory/retrieve';
import { debugPlanning, loopFields, loopHints, roleField, toolNames } from '../support/config';
import { memoryFields } from '../support/memory-fields';
import { referenceTools } from '../support/planning-tools';

export const clarify = defineNode({
  id: 'clarify',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Clarify',
  icon: 'message-circle-question-mark',
  summary: 'Checks what the task claims, and asks a person what only they can decide.',
  keywords: ['phase 1', 'clarification', 'question', 'verify', 'understand', 'planning'],
  config: z.object({
    role: roleField('primary'),
    maxTurns: z
      .int()
      .min(0)
      .max(1000)
      .default(loopPresets.clarify.maxTurns)
      .meta({ title: 'Most turns', description: '0 = one turn without tools.' }),
    textOnlyExit: z
      .int()
      .min(1)
      .max(100)
      .default(loopPresets.clarify.textOnlyExit)
      .meta({ title: 'Replies without a tool call that end it', description: 'In a row.' }),
    tools: toolNames(['grep_files', 'read_file', 'list_directory', ...referenceTools]),
    ask: z.boolean().default(true).meta({ title: 'May ask a person', description: 'Offers request_clarification to the model.' }),
    questionTimeoutMs: z.int().min(1).max(31_536_000_000).nullable().default(null).meta({
      title: 'A question waits for (ms)',
      description: 'After that the model goes on without an answer. Empty waits for ever.',
    }),
    ...memoryFields(retrievalPresets.phase_1.limit),
    ...loopFields,
    debugPlanning,
  }),
  ports: ['next'],
  outputs: phase1SummarySchema.extend({
    turns: z.int().meta({ title: 'Turns' }),
    exit: z.string().meta({ title: 'Ended by', description: 'The rule that ended the loop.' }),
  }),
  reads: ['planTask', 'workspaceMemories'],
  writes: ['phase1Summary'],
  model: (config) => config.role,
  tools: (config) => (config.debugPlanning === true ? ['create_file'] : []),
  fields: {
    role: { widget: 'model-role', section: 'Model' },
    maxTurns: { section: 'Turns' },
    textOnlyExit: { section: 'Turns' },
    tools: { widget: 'tools', section: 'Tools' },
    ask: { section: 'People' },
    questionTimeoutMs: { widget: 'duration', section: 'People', when: { field: 'ask', is: true } },
    memory: { section: 'Memories' },
    memoryLimit: { section: 'Memories', when: { field: 'memory', is: true } },
    memoryShare: { section: 'Memories', when: { field: 'memory', is: true } },
    ...loopHints,
    debugPlanning: { section: 'Debugging' },
  },
  preview: (config) => (typeof config.maxTurns === 'number' ? `${config.maxTurns} turns at most` : ''),
});
