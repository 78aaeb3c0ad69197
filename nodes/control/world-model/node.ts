import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { reliabilitySchema } from '@/harness/layers/shared/levels';
import { worldModelConfigSchema } from '@/harness/layers/world-model/update';
import { checkRole, checkSwitch } from '../support/config';

export const worldModel = defineNode({
  id: 'world-model',
  version: 1,
  category: 'control',
  layer: 'world-model',
  authority: 'deterministic',
  role: 'step',
  title: 'World model',
  icon: 'globe',
  summary: 'Takes evidence in as observations and beliefs, each belief tied to what it derives from.',
  keywords: ['beliefs', 'observations', 'facts', 'generation', 'derivation'],
  config: z.object({
    ...worldModelConfigSchema.shape,
    statedFacts: z.boolean().default(true).meta({
      title: 'Believe what the message states',
      description: 'Facts that adaptive control found in the message of the turn.',
    }),
    trail: z.enum(['reference', 'always', 'never']).default('reference').meta({
      title: 'Believe “Completed: …” of a finished task',
      description: 'reference: when no fact came from it and the run has several tasks or more than LOW risk.',
    }),
    trailReliability: reliabilitySchema.default('MEDIUM').meta({ title: 'Reliability of “Completed: …”' }),
    derivations: z.boolean().default(true).meta({
      title: 'Tie each belief to what it derives from',
      description: 'Off in the reference, where verification strength therefore never changes.',
    }),
    extractFacts: checkSwitch('A model reads facts out of new evidence', 'Each fact cites the evidence it rests on and becomes a belief.'),
    factReliability: reliabilitySchema.default('MEDIUM').meta({ title: 'Reliability of an extracted fact' }),
    maxFacts: z.int().min(1).max(50).default(8).meta({ title: 'Most facts per visit' }),
    checkRole,
  }),
  ports: ['next'],
  outputs: z.object({
    generation_id: z.int().meta({ title: 'Generation' }),
    observed: z.int().meta({ title: 'New observations' }),
    believed: z.array(z.object({ id: z.string(), statement: z.string(), confidence: z.number() })).meta({ title: 'New beliefs' }),
    beliefs: z.int().meta({ title: 'Beliefs in all' }),
  }),
  reads: [
    'evidenceStore',
    'worldModel',
    'beliefDepGraph',
    'turnPolicy',
    'taskResults',
    'taskGraph',
    'goal',
    'progress',
    'memoryState',
    'currentTask',
  ],
  writes: ['worldModel', 'evidenceStore', 'beliefDepGraph'],
  model: (config) => (config.extractFacts === true ? config.checkRole : null),
  fields: {
    confidenceHigh: { section: 'Confidence', widget: 'slider', step: 0.05 },
    confidenceMedium: { section: 'Confidence', widget: 'slider', step: 0.05 },
    confidenceLow: { section: 'Confidence', widget: 'slider', step: 0.05 },
    statedFacts: { section: 'Beliefs' },
    trail: { section: 'Beliefs' },
    trailReliability: { section: 'Beliefs', when: { field: 'trail', is: ['reference', 'always'] } },
    derivations: { section: 'Beliefs' },
    extractFacts: { section: 'Model check' },
    factReliability: { section: 'Model check', when: { field: 'extractFacts', is: true } },
    maxFacts: { section: 'Model check', when: { field: 'extractFacts', is: true } },
    checkRole: { section: 'Model check', widget: 'model-role', when: { field: 'extractFacts', is: true } },
  },
  preview: (config) => (config.extractFacts === true ? 'facts by a model' : 'facts of the message and of finished tasks'),
});
