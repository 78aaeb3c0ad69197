import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { duration, firstLine } from '../../support/config';

export const wait = defineNode({
  id: 'wait',
  version: 1,
  category: 'flow',
  layer: 'flow',
  authority: 'deterministic',
  role: 'step',
  title: 'Wait',
  icon: 'timer',
  summary: 'Pauses for a time or until a moment; the process may stop meanwhile.',
  keywords: ['sleep', 'delay', 'pause', 'until', 'schedule', 'timer'],
  config: z.object({
    mode: z.enum(['duration', 'until']).default('duration').meta({ title: 'Wait' }),
    milliseconds: z.int().min(0).max(31_536_000_000).default(1000).meta({ title: 'Duration (ms)', description: 'At most one year.' }),
    until: z.string().max(20_000).default('').meta({
      title: 'Until',
      description:
        'A CEL expression: milliseconds since the epoch, or a time such as timestamp("2030-01-01T00:00:00Z"). A moment that has passed does not wait.',
    }),
  }),
  ports: ['next'],
  outputs: z.object({
    waitedMs: z.number().meta({ title: 'Waited (ms)' }),
    until: z.number().meta({ title: 'Until', description: 'Milliseconds since the epoch.' }),
  }),
  fields: {
    milliseconds: { widget: 'duration', when: { field: 'mode', is: 'duration' } },
    until: { widget: 'expression', when: { field: 'mode', is: 'until' } },
  },
  preview: (config) => (config.mode === 'until' ? `until ${firstLine(config.until, 50)}` : duration(config.milliseconds)),
});
