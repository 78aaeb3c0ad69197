import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { firstLine, requiredText } from '../../support/config';

export const code = defineNode({
  id: 'code',
  version: 1,
  category: 'tools',
  layer: 'flow',
  authority: 'deterministic',
  role: 'step',
  title: 'Code',
  icon: 'code',
  summary: 'Runs JavaScript in a sandbox without network, disk or clock.',
  keywords: ['javascript', 'script', 'function', 'sandbox', 'compute'],
  config: z.object({
    source: requiredText('Write the code', 200_000)
      .default('return received;')
      .meta({ title: 'JavaScript', description: 'The body of a function. What it returns is put out as JSON. Inputs are variables.' }),
    inputs: z
      .record(z.string().regex(/^[A-Za-z_$][A-Za-z0-9_$]*$/, 'An input is a JavaScript name'), z.string().max(20_000))
      .default({ received: 'received' })
      .meta({ title: 'Inputs', description: 'Each variable’s name and the CEL expression of its value.' }),
    timeoutMs: z
      .int()
      .min(1)
      .max(60_000)
      .default(1000)
      .meta({ title: 'Time limit (ms)', description: 'The code is stopped when it takes longer.' }),
    memoryMb: z.int().min(16).max(512).default(32).meta({ title: 'Memory limit (MB)', description: 'The sandbox itself needs 16.' }),
  }),
  ports: ['next'],
  outputs: jsonSchema.meta({ title: 'Value', description: 'What the code returned.' }),
  fields: {
    source: { widget: 'code', rows: 10 },
    inputs: { items: { widget: 'expression' } },
    timeoutMs: { widget: 'duration', section: 'Limits' },
    memoryMb: { section: 'Limits' },
  },
  preview: (config) => firstLine(config.source),
});
