import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { contradictionConfigSchema } from '@/harness/layers/contradiction/config';
import { planningConfigSchema } from '@/harness/layers/planning/config';
import { mergeConfigSchema } from '@/harness/layers/planning/merge';
import { controlChannels } from '../channels';

/** Everything of the loop but the control state, which only its resolver writes (INV-06), and what outlives the run. */
const merged = controlChannels.map(({ id }) => id).filter((id) => id !== 'controlState' && id !== 'experienceStore');

export const mergeBranches = defineNode({
  id: 'merge-branches',
  version: 1,
  category: 'control',
  layer: 'planning',
  authority: 'deterministic',
  role: 'merge',
  title: 'Merge branches',
  icon: 'git-merge',
  summary: 'Brings the two tasks that ran side by side together again: one world model, one task graph.',
  keywords: ['join', 'parallel', 'pair', 'unite', 'branches', 'concurrent'],
  config: z.object({
    ...mergeConfigSchema.shape,
    mergeDecay: planningConfigSchema.shape.mergeDecay,
    recheck: z.boolean().default(true).meta({
      title: 'Look for contradictions between the branches',
      description: 'What one branch believes has not been compared with what the other believes.',
    }),
    contradiction: contradictionConfigSchema.prefault({}).meta({ title: 'Contradiction check' }),
  }),
  ports: ['next'],
  outputs: jsonSchema.meta({
    title: 'Merged',
    description: 'After a pair: its tasks and the conflicts found. A token that came alone is passed on with what it carried.',
  }),
  reads: [...merged, 'controlState'],
  writes: merged,
  fields: {
    unite: { section: 'Merge' },
    mergeDecay: { section: 'Merge', widget: 'slider', step: 0.05 },
    recheck: { section: 'Contradictions' },
    contradiction: { section: 'Contradictions', when: { field: 'recheck', is: true } },
  },
  preview: (config) => (config.unite === false ? 'drops what only one branch saw' : 'unites all branches'),
});
