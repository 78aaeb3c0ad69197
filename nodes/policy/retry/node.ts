import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { duration, plural } from '../../support/config';

export const retry = defineNode({
  id: 'retry',
  version: 1,
  category: 'policy',
  layer: 'around',
  authority: 'deterministic',
  role: 'policy',
  title: 'Retry',
  icon: 'rotate-cw',
  summary: 'Tries the guarded node again when it fails.',
  keywords: ['again', 'backoff', 'attempts', 'error', 'resilience'],
  config: z.object({
    attempts: z.int().min(1).max(100).default(3).meta({ title: 'Attempts', description: 'In all, the first one included.' }),
    delayMs: z.int().min(0).max(3_600_000).default(1000).meta({ title: 'First delay (ms)' }),
    factor: z.number().min(1).max(10).default(2).meta({ title: 'Growth', description: 'Each delay is the one before times this.' }),
    maxDelayMs: z
      .int()
      .min(0)
      .max(3_600_000)
      .default(30_000)
      .meta({ title: 'Longest delay (ms)', description: 'Also caps what a server asks for.' }),
    on: z.enum(['operational', 'any', 'codes']).default('operational').meta({
      title: 'Which failures',
      description: 'Failures of the outside world that may pass, every failure, or only the codes listed.',
    }),
    codes: z
      .array(z.string().min(1).max(100))
      .max(50)
      .default([])
      .meta({ title: 'Codes to retry', description: 'Such as TOOL_FAILED. Retried whatever their kind.' }),
    never: z.array(z.string().min(1).max(100)).max(50).default([]).meta({ title: 'Codes never to retry' }),
    honourRetryAfter: z.boolean().default(true).meta({
      title: 'Wait as long as the server asks',
      description: 'Uses the server’s retry-after when it is longer than the computed delay.',
    }),
  }),
  ports: [],
  outputs: z.null(),
  attaches: { to: ['*'] },
  fields: {
    delayMs: { widget: 'duration', section: 'Delay' },
    factor: { step: 0.1, section: 'Delay' },
    maxDelayMs: { widget: 'duration', section: 'Delay' },
    honourRetryAfter: { section: 'Delay' },
    on: { section: 'Failures' },
    codes: { section: 'Failures' },
    never: { section: 'Failures' },
  },
  preview: (config) =>
    [
      typeof config.attempts === 'number' ? plural(config.attempts, 'attempt') : '',
      typeof config.factor === 'number' ? `${duration(config.delayMs)} × ${config.factor}`.trim() : duration(config.delayMs),
    ]
      .filter(Boolean)
      .join(' · '),
});
