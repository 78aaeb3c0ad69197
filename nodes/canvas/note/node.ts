import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { firstLine } from '../../support/config';

export const note = defineNode({
  id: 'note',
  version: 1,
  category: 'canvas',
  layer: 'flow',
  authority: 'human',
  role: 'annotation',
  title: 'Note',
  icon: 'sticky-note',
  summary: 'Text for the people who read the flow; it does not run.',
  keywords: ['comment', 'text', 'documentation', 'sticky'],
  config: z.object({
    text: z.string().max(20_000).default('').meta({ title: 'Text', description: 'Markdown.' }),
    color: z.enum(['neutral', 'amber', 'blue', 'green', 'red', 'violet']).default('amber').meta({ title: 'Colour' }),
  }),
  ports: [],
  outputs: z.null(),
  fields: { text: { rows: 6, placeholder: 'Why is it drawn this way?' }, color: { widget: 'color' } },
  preview: (config) => firstLine(config.text),
});
