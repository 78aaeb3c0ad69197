import { z } from 'zod';
import { lexiconSchema, referenceLexicon } from '../shared/lexicon';

const unit = (title: string, initial: number) => z.number().min(0).max(1).default(initial).meta({ title });

export const contradictionConfigSchema = z.object({
  lexical: z.boolean().default(true).meta({ title: 'Compare by words', description: 'Pairwise, set-level and granularity detectors.' }),
  recordOnce: z.boolean().default(true).meta({
    title: 'Record a conflict once',
    description: 'Only new beliefs are compared. Off in the reference, which records again every time.',
  }),
  skipBelow: unit('Pairs with both confidences below this are skipped', 0.5),
  highFrom: unit('Confidence from which a belief counts HIGH', 0.8),
  mediumFrom: unit('Confidence from which a belief counts MEDIUM', 0.5),
  setLevelFrom: unit('Least confidence in a set-level conflict', 0.6),
  lowFactor: unit('Confidence factor of a LOW conflict', 0.9),
  mediumFactor: unit('Confidence factor of a MEDIUM conflict', 0.75),
  maxPerCheck: z.number().int().min(0).default(100).meta({
    title: 'Conflicts recorded per check and detector',
    description: '0 = no limit, as in the reference. The rest is counted in the trace.',
  }),
  earlierChanges: z.boolean().default(false).meta({
    title: 'Changes before a belief count against it',
    description: 'As HIGH. On in the reference; off, a belief drawn after a change counts as drawn from what is there now.',
  }),
  coarseLevels: z.array(z.string()).default(['module', 'component', 'system']).meta({ title: 'Levels too coarse for line-level beliefs' }),
  lexicon: lexiconSchema.prefault({}).meta({ title: 'Words' }),
});
export type ContradictionConfig = z.output<typeof contradictionConfigSchema>;
export const defaultContradictionConfig: ContradictionConfig = contradictionConfigSchema.parse({});
export const referenceContradictionConfig: ContradictionConfig = {
  ...defaultContradictionConfig,
  recordOnce: false,
  earlierChanges: true,
  lexicon: referenceLexicon,
};
