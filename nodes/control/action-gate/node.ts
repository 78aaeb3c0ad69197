import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';

export const actionGate = defineNode({
  id: 'action-gate',
  version: 1,
  category: 'control',
  layer: 'execution',
  authority: 'deterministic',
  role: 'step',
  title: 'Action gate',
  icon: 'door-closed-locked',
  summary: 'The last gate before anything is done: the control state alone says pass, block, or a person.',
  keywords: ['permission', 'block', 'escalate', 'approve', 'deny', 'staleness'],
  config: z.object({
    requiredResources: z.array(z.string().min(1).max(200)).max(50).default([]).meta({
      title: 'Required dimensions',
      description: 'Blocks also when one of these is in the block mask while the rest is allowed.',
    }),
    approvalFrom: z.enum(['never', 'HIGH', 'MEDIUM', 'LOW']).default('never').meta({
      title: 'Ask a person from this risk on',
      description: 'A change of a task of this risk or a higher one is put to a person before it passes.',
    }),
    whenStale: z.enum(['fail', 'block']).default('fail').meta({
      title: 'When the control state is behind the world model',
      description: 'Fail the run, as such a drawing is wrong, or block so that the loop resolves it again.',
    }),
  }),
  ports: [
    { id: 'pass', title: 'Pass' },
    { id: 'block', title: 'Block' },
    { id: 'escalate', title: 'Escalate' },
  ],
  outputs: z.object({
    result: z.enum(['PASS', 'BLOCK', 'ESCALATE']).meta({ title: 'Result' }),
    task_id: z.string().meta({ title: 'Task' }),
    kind: z.enum(['task', 'tool']).meta({ title: 'Kind', description: 'Whether the task as a whole or one call of a tool was gated.' }),
    proposal: z.string().meta({ title: 'Proposal', description: 'What is about to be done, with its change.' }),
    reason: z.string().meta({ title: 'Reason' }),
  }),
  reads: ['controlState', 'worldModel', 'proposal', 'currentTask', 'taskGraph', 'conversation', 'progress', 'goal'],
  writes: ['proposal', 'progress', 'taskGraph', 'conversation'],
  fields: {
    approvalFrom: { section: 'Approval' },
    whenStale: { section: 'Staleness' },
  },
  preview: (config) =>
    [
      config.approvalFrom === undefined || config.approvalFrom === 'never' ? 'control state decides' : `asks from ${config.approvalFrom}`,
      Array.isArray(config.requiredResources) && config.requiredResources.length > 0 ? `needs ${config.requiredResources.join(', ')}` : '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
});
