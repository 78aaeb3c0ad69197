import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { requiredText } from '../../support/config';

export const subflow = defineNode({
  id: 'subflow',
  version: 1,
  category: 'flow',
  layer: 'flow',
  authority: 'deterministic',
  role: 'container',
  title: 'Subflow',
  icon: 'workflow',
  summary: 'Runs another flow as one step.',
  keywords: ['call', 'reuse', 'nested', 'function', 'module'],
  config: z.object({
    flow: requiredText('Choose a flow', 300).meta({ title: 'Flow', description: 'Id of the flow to run.' }),
    version: z.int().min(1).nullable().default(null).meta({
      title: 'Version',
      description: 'A saved version of that flow. Empty takes the flow as it is when this one is compiled.',
    }),
    input: z.record(z.string(), jsonSchema).default({}).meta({
      title: 'Input',
      description:
        'JSON with {{expressions}} in its texts; a text that is one {{expression}} keeps its type. Empty passes on what was received.',
    }),
  }),
  ports: ['next'],
  outputs: jsonSchema.meta({ title: 'Output', description: 'The output of the flow that ran.' }),
  fields: {
    flow: { widget: 'flow' },
    input: { widget: 'json', rows: 6, items: { widget: 'template' } },
  },
  preview: (config) =>
    config.version === null || config.version === undefined ? `${config.flow ?? ''}` : `${config.flow ?? ''} · version ${config.version}`,
});
