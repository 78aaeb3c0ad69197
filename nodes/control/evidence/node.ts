import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { toolEvidenceConfigSchema } from '@/harness/layers/evidence/tool-evidence';
import { reliabilitySchema } from '@/harness/layers/shared/levels';

export const evidence = defineNode({
  id: 'evidence',
  version: 1,
  category: 'control',
  layer: 'evidence',
  authority: 'deterministic',
  role: 'step',
  title: 'Evidence',
  icon: 'microscope',
  summary: 'Turns what tools and tasks gave into evidence, no more reliable than its source may be.',
  keywords: ['reliability', 'ceiling', 'tool results', 'observations', 'sources'],
  config: z.object({
    ...toolEvidenceConfigSchema.shape,
    fromReceived: z.boolean().default(true).meta({
      title: 'Take tool calls out of what comes in',
      description: 'The output of an agent that investigated carries its calls; they become evidence of the task.',
    }),
  }),
  ports: ['next'],
  outputs: z.object({
    added: z
      .array(z.object({ id: z.string(), source: z.string(), reliability: reliabilitySchema, type: z.string(), obs: z.string() }))
      .meta({ title: 'Added', description: 'The new pieces of evidence, after their ceilings.' }),
    refused: z.array(z.string()).meta({ title: 'Refused sources', description: 'Not listed as available, so nothing was collected.' }),
    feasibility: z.number().meta({
      title: 'Feasibility',
      description: '1 minus the share of tools whose conclusions count LOW at best.',
    }),
    total: z.int().meta({ title: 'Pieces in all' }),
  }),
  reads: ['toolResults', 'taskResults', 'currentTask', 'taskGraph', 'goal', 'evidenceStore', 'progress'],
  writes: ['evidenceStore', 'toolResults', 'taskResults'],
  fields: {
    defaultReliability: { section: 'Reliability' },
    systemErrorReliability: { section: 'Reliability' },
    toolReliability: { section: 'Reliability' },
    executionReliability: { section: 'Reliability' },
    resultReliability: { section: 'Reliability' },
    ceilings: { section: 'Reliability' },
    resultChars: { section: 'Text' },
    toolChars: { section: 'Text' },
    symptoms: { section: 'Errors' },
    fromReceived: { section: 'Sources' },
  },
  preview: (config) => {
    const count = Object.keys(config.ceilings ?? {}).length;
    return count === 0 ? 'ceilings of the tools' : `ceilings: ${Object.keys(config.ceilings ?? {}).join(', ')}`;
  },
});
