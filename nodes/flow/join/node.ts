import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';

export const join = defineNode({
  id: 'join',
  version: 1,
  category: 'flow',
  layer: 'flow',
  authority: 'deterministic',
  role: 'join',
  title: 'Join',
  icon: 'git-merge',
  summary: 'Waits for the branches of a fork and goes on once.',
  keywords: ['merge', 'wait', 'parallel', 'fan in', 'gather', 'race'],
  config: z.object({
    mode: z.enum(['all', 'any', 'n']).default('all').meta({
      title: 'Go on after',
      description: 'All live branches, the first one, or a number of them. A branch that ended or was not taken counts as resolved.',
    }),
    count: z.int().min(1).max(1000).default(2).meta({ title: 'How many', description: 'Branches that must arrive.' }),
    losers: z.enum(['cancel', 'finish']).default('cancel').meta({
      title: 'Branches that come too late',
      description: 'Cancel them at once, or let them finish without effect on the join.',
    }),
  }),
  ports: ['next'],
  canFail: false,
  outputs: z
    .record(z.string(), jsonSchema)
    .meta({ title: 'Branches', description: 'What the last node of each arrived branch put out, by node id.' }),
  fields: {
    count: { when: { field: 'mode', is: 'n' } },
    losers: { when: { field: 'mode', is: ['any', 'n'] } },
  },
  preview: (config) => {
    if (config.mode === 'any') return 'the first branch';
    return config.mode === 'n' ? `${config.count ?? 2} branches` : 'all branches';
  },
});
