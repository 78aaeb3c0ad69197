import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { loopConfigSchema } from '@/harness/planning/control-loop/config';

const own = 'Empty leaves it to the node.';

export const controlLoop = defineNode({
  id: 'control-loop',
  version: 1,
  category: 'planning',
  layer: 'around',
  authority: 'deterministic',
  role: 'policy',
  title: 'Control loop',
  icon: 'iteration-cw',
  summary: 'Sets when a model with tools is nudged, reminded, rebuilt from what is on record, or stopped.',
  keywords: ['turn', 'loop', 'nudge', 'reminder', 'refresh', 'supervisor', 'turns', 'claim'],
  config: z.object({
    ...loopConfigSchema.shape,
    maxTurns: z
      .int()
      .min(0)
      .nullable()
      .default(null)
      .meta({ title: 'Most turns', description: `0 = no limit. ${own}` }),
    textOnlyExit: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .meta({ title: 'Replies in a row without a tool call that end the loop', description: own }),
    reminderInterval: z
      .int()
      .min(0)
      .nullable()
      .default(null)
      .meta({ title: 'Turns between task reminders', description: `0 = off. ${own}` }),
  }),
  ports: [],
  outputs: z.null(),
  attaches: { to: ['grounded-chat', 'clarify', 'explore', 'design', 'verification-steps', 'step-executor', 'fix-loop', 'container'] },
  fields: {
    maxTurns: { section: 'Turns' },
    textOnlyExit: { section: 'Turns' },
    textOnlyNudge: { section: 'Turns' },
    truncationExit: { section: 'Turns' },
    truncationNudge: { section: 'Turns' },
    reasoningInterrupts: { section: 'Turns' },
    loopDetection: { section: 'Turns' },
    reminderInterval: { section: 'Turns' },
    pressure: { section: 'Context' },
    preRefreshWarning: { section: 'Context' },
    refreshMinMessages: { section: 'Context' },
    claimVerification: { section: 'Claims' },
    claimFailures: { section: 'Claims', when: { field: 'claimVerification', is: true } },
    claims: { section: 'Claims', when: { field: 'claimVerification', is: true } },
    confidenceCheck: { section: 'Claims' },
    checkTools: { section: 'Tools' },
    searchTools: { section: 'Tools' },
    readTools: { section: 'Tools' },
    completionTool: { section: 'Tools' },
    texts: { section: 'Wording' },
  },
  preview: (config) =>
    [
      typeof config.maxTurns === 'number' && config.maxTurns > 0 ? `${config.maxTurns} turns at most` : '',
      typeof config.loopDetection === 'number' && config.loopDetection > 0 ? `loop after ${config.loopDetection} same calls` : '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
});
