import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { requiredText } from '../../support/config';

export const toolCall = defineNode({
  id: 'tool-call',
  version: 1,
  category: 'tools',
  layer: 'execution',
  authority: 'deterministic',
  role: 'step',
  title: 'Tool call',
  icon: 'wrench',
  summary: 'Calls one tool with the input you give, no model involved.',
  keywords: ['function', 'action', 'workspace', 'file', 'search', 'command'],
  config: z.object({
    tool: requiredText('Choose a tool', 200).meta({ title: 'Tool' }),
    input: z.record(z.string(), jsonSchema).default({}).meta({
      title: 'Input',
      description: 'JSON with {{expressions}} in its texts; a text that is one {{expression}} keeps its JSON type.',
    }),
    onRefusal: z.enum(['fail', 'continue']).default('fail').meta({
      title: 'When the tool fails or is refused',
      description: 'Fail the node, or go on with the status in the output.',
    }),
  }),
  ports: ['next'],
  outputs: (config) =>
    config.onRefusal === 'continue'
      ? z.object({
          status: z.enum(['ok', 'denied', 'failed']).meta({ title: 'Status' }),
          output: jsonSchema.meta({ title: 'Output', description: 'The tool’s output; null unless the status is ok.' }),
          message: z.string().meta({ title: 'Message', description: 'Why it was refused or failed.' }),
        })
      : jsonSchema.meta({ title: 'Output', description: 'The tool’s output.' }),
  tools: (config) => (config.tool ? [config.tool] : []),
  fields: {
    tool: { widget: 'tools' },
    input: { widget: 'json', rows: 6, items: { widget: 'template' } },
  },
  preview: (config) => config.tool ?? '',
});
