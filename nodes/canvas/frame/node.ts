import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { firstLine } from '../../support/config';

export const frame = defineNode({
  id: 'frame',
  version: 1,
  category: 'canvas',
  layer: 'flow',
  authority: 'human',
  role: 'annotation',
  title: 'Frame',
  icon: 'frame',
  summary: 'A titled area that groups nodes for the eye; it changes nothing in a run.',
  keywords: ['group', 'lane', 'section', 'area', 'box'],
  config: z.object({
    description: z.string().max(2000).default('').meta({ title: 'Description', description: 'A line under the title.' }),
    color: z.enum(['neutral', 'amber', 'blue', 'green', 'red', 'violet']).default('neutral').meta({ title: 'Colour' }),
  }),
  ports: [],
  outputs: z.null(),
  fields: { description: { rows: 2 }, color: { widget: 'color' } },
  preview: (config) => firstLine(config.description),
});
