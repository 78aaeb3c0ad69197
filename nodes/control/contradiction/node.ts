import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { contradictionConfigSchema } from '@/harness/layers/contradiction/config';
import { checkRole, checkSwitch } from '../support/config';

export const contradiction = defineNode({
  id: 'contradiction',
  version: 1,
  category: 'control',
  layer: 'contradiction',
  authority: 'deterministic',
  role: 'step',
  title: 'Contradictions',
  icon: 'swords',
  summary: 'Finds beliefs that cannot both be true, grades the conflict and lowers their confidence.',
  keywords: ['conflict', 'inconsistent', 'beliefs', 'opposite', 'severity'],
  config: z.object({
    ...contradictionConfigSchema.shape,
    lexical: z.enum(['auto', 'on', 'off']).default('auto').meta({
      title: 'Compare by words',
      description: 'Pairwise, set-level and granularity detectors. auto: when no model checks, or its check failed.',
    }),
    abstractionLevel: z.string().max(50).default('').meta({
      title: 'Level of the work',
      description: 'At a coarse level (module, component, system) beliefs about single lines conflict with it. Empty: not looked at.',
    }),
    semantic: checkSwitch('Check by meaning', 'A model reads beliefs that are new since the last look against the others.', true),
    grading: checkSwitch('Let the model grade', 'A model may call a conflict HIGH or LOW; otherwise each counts MEDIUM.'),
    maxBeliefs: z
      .int()
      .min(2)
      .max(500)
      .default(60)
      .meta({ title: 'Beliefs shown to the model', description: 'The new ones first, then the newest others.' }),
    role: checkRole,
  }),
  ports: ['next'],
  outputs: z.object({
    found: z
      .array(z.object({ id: z.string(), severity: z.string(), beliefs: z.array(z.string()), description: z.string() }))
      .meta({ title: 'Found now' }),
    total: z.int().meta({ title: 'On record' }),
  }),
  reads: ['worldModel', 'beliefDepGraph', 'hypothesisSet', 'progress'],
  writes: ['worldModel', 'beliefDepGraph', 'progress'],
  model: (config) => (config.semantic === true ? config.role : null),
  fields: {
    lexical: { section: 'By words' },
    recordOnce: { section: 'By words' },
    skipBelow: { section: 'Grades', widget: 'slider', step: 0.05 },
    highFrom: { section: 'Grades', widget: 'slider', step: 0.05 },
    mediumFrom: { section: 'Grades', widget: 'slider', step: 0.05 },
    setLevelFrom: { section: 'Grades', widget: 'slider', step: 0.05 },
    lowFactor: { section: 'What it does to confidence', widget: 'slider', step: 0.05 },
    mediumFactor: { section: 'What it does to confidence', widget: 'slider', step: 0.05 },
    maxPerCheck: { section: 'By words' },
    earlierChanges: { section: 'Grades' },
    abstractionLevel: { section: 'By words' },
    coarseLevels: { section: 'By words' },
    lexicon: { section: 'Words' },
    semantic: { section: 'Model check' },
    grading: { section: 'Model check', when: { field: 'semantic', is: true } },
    maxBeliefs: { section: 'Model check', when: { field: 'semantic', is: true } },
    role: { section: 'Model check', widget: 'model-role', when: { field: 'semantic', is: true } },
  },
  preview: (config) =>
    config.semantic
      ? `by meaning${config.lexical === 'on' ? ' and by words' : ''}`
      : config.lexical === 'off'
        ? 'changes of sources only'
        : 'by words',
});
