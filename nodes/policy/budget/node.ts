import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { duration, plural } from '../../support/config';

const cap = (title: string, description: string) => z.int().min(1).max(1_000_000_000).nullable().default(null).meta({ title, description });

export const budget = defineNode({
  id: 'budget',
  version: 1,
  category: 'policy',
  layer: 'around',
  authority: 'deterministic',
  role: 'policy',
  title: 'Budget',
  icon: 'gauge',
  summary: 'Caps what the guarded node may use: visits, calls, tokens, money, time.',
  keywords: ['limit', 'cap', 'cost', 'tokens', 'timeout', 'spend', 'quota'],
  config: z.object({
    steps: cap('Visits', 'How often the guarded node, or the nodes in a guarded container, may run.'),
    modelCalls: cap('Model calls', 'Calls to models.'),
    toolCalls: cap('Tool calls', 'Calls of tools.'),
    tokens: cap('Tokens', 'Input and output tokens together.'),
    cost: z
      .number()
      .min(0)
      .max(1_000_000)
      .nullable()
      .default(null)
      .meta({ title: 'Cost (USD)', description: 'Money spent on model calls whose price is known.' }),
    unknownPrice: z.enum(['allow', 'stop']).default('allow').meta({
      title: 'A call of unknown price',
      description: 'With a cost cap: let it pass and count it apart, or treat it as the cap being reached.',
    }),
    elapsedMs: cap('Time in all (ms)', 'From the first visit on.'),
    timeoutMs: z.int().min(1).max(86_400_000).nullable().default(null).meta({
      title: 'Time per attempt (ms)',
      description: 'One attempt of the guarded node that takes longer is stopped and fails.',
    }),
    onReached: z.enum(['limit', 'refuse']).default('limit').meta({
      title: 'When a cap is reached',
      description: 'End the run with the outcome limit, or refuse what was about to happen so that the flow can go on.',
    }),
  }),
  ports: [],
  outputs: z.null(),
  attaches: { to: ['*'] },
  fields: {
    cost: { step: 0.01 },
    elapsedMs: { widget: 'duration', section: 'Time' },
    timeoutMs: { widget: 'duration', section: 'Time' },
    onReached: { section: 'When reached' },
    unknownPrice: { section: 'When reached' },
  },
  preview: (config) => {
    const parts: string[] = [];
    if (typeof config.steps === 'number') parts.push(plural(config.steps, 'visit'));
    if (typeof config.modelCalls === 'number') parts.push(plural(config.modelCalls, 'model call'));
    if (typeof config.toolCalls === 'number') parts.push(plural(config.toolCalls, 'tool call'));
    if (typeof config.tokens === 'number') parts.push(plural(config.tokens, 'token'));
    if (typeof config.cost === 'number') parts.push(`$${config.cost}`);
    if (typeof config.elapsedMs === 'number') parts.push(duration(config.elapsedMs));
    if (typeof config.timeoutMs === 'number') parts.push(`${duration(config.timeoutMs)} per attempt`);
    return parts.length === 0 ? 'no cap set' : parts.join(' · ');
  },
});
