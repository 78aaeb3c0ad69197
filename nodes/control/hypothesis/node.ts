import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { hypothesisConfigSchema } from '@/harness/layers/hypothesis/update';
import { checkRole, checkSwitch } from '../support/config';

export const hypothesis = defineNode({
  id: 'hypothesis',
  version: 1,
  category: 'control',
  layer: 'hypothesis',
  authority: 'deterministic',
  role: 'step',
  title: 'Hypotheses',
  icon: 'lightbulb',
  summary: 'Keeps rival explanations alive and drops the weak and the contradicted.',
  keywords: ['explanation', 'rival', 'diversity', 'eliminate', 'prune', 'cause'],
  config: z.object({
    ...hypothesisConfigSchema.shape,
    floor: z.number().min(0).max(1).default(0.05).meta({ title: 'Confidence below which a hypothesis is eliminated' }),
    retention: z.int().min(0).max(1000).default(10).meta({ title: 'Eliminated hypotheses kept' }),
    propose: z.enum(['never', 'underdetermined', 'always']).default('never').meta({
      title: 'Ask a model for hypotheses',
      description: 'Once per run: never, when the turn was judged underdetermined, or always.',
    }),
    maxProposals: z.int().min(1).max(20).default(4).meta({ title: 'Most hypotheses a model may propose' }),
    judge: checkSwitch(
      'Judge proposed hypotheses',
      'A model compares them with each new piece of evidence and names those it contradicts.',
    ),
    maxEvidence: z.int().min(1).max(200).default(20).meta({ title: 'Pieces of evidence shown to the judge' }),
    role: checkRole,
  }),
  ports: ['next'],
  outputs: z.object({
    active: z.array(z.object({ id: z.string(), explanation: z.string(), confidence: z.number() })).meta({ title: 'Live hypotheses' }),
    eliminated: z.array(z.string()).meta({ title: 'Eliminated now' }),
    diversity: z.number().meta({ title: 'Diversity', description: 'Of the sources, from 0 to 1.' }),
  }),
  reads: ['hypothesisSet', 'evidenceStore', 'worldModel', 'failureDiagnostics', 'memoryState', 'goal', 'turnPolicy', 'progress'],
  writes: ['hypothesisSet', 'memoryState', 'progress'],
  model: (config) => (config.judge === true || (typeof config.propose === 'string' && config.propose !== 'never') ? config.role : null),
  fields: {
    diversity: { section: 'Seeds', widget: 'slider', step: 0.05 },
    maxPasses: { section: 'Seeds' },
    seeds: { section: 'Seeds' },
    maxActive: { section: 'Pruning' },
    keepActive: { section: 'Pruning' },
    floor: { section: 'Pruning', widget: 'slider', step: 0.01 },
    retention: { section: 'Pruning' },
    propose: { section: 'Model checks' },
    maxProposals: { section: 'Model checks', when: { field: 'propose', is: ['underdetermined', 'always'] } },
    judge: { section: 'Model checks' },
    maxEvidence: { section: 'Model checks', when: { field: 'judge', is: true } },
    role: { section: 'Model checks', widget: 'model-role' },
  },
  preview: (config) => (typeof config.keepActive === 'number' ? `keeps ${config.keepActive} of more than ${config.maxActive ?? 10}` : ''),
});
