import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { controlStateConfigSchema } from '@/harness/layers/control-state/config';

export const controlState = defineNode({
  id: 'control-state',
  version: 1,
  category: 'control',
  layer: 'control-state',
  authority: 'deterministic',
  role: 'step',
  title: 'Control state',
  icon: 'traffic-cone',
  summary: 'Decides in five tiers what may happen next: go on, go on with care, recover, or call a person.',
  keywords: ['gate', 'resolve', 'permission', 'block', 'tier', 'caution', 'escalate', 'health'],
  config: z
    .object({ ...controlStateConfigSchema.shape })
    .refine(({ recoveryClasses }) => Object.entries(recoveryClasses).every(([dimension, { needs }]) => !needs.includes(dimension)), {
      error: 'A recovery class needs the dimension that it is to repair',
      path: ['recoveryClasses'],
    }),
  ports: [
    { id: 'normal', title: 'Normal' },
    { id: 'cautious', title: 'Cautious' },
    { id: 'blocked', title: 'Blocked' },
    { id: 'human', title: 'Person needed' },
  ],
  outputs: z.object({
    permission: z.enum(['ALLOW', 'DENY']).meta({ title: 'Permission' }),
    mode: z.enum(['NORMAL', 'CAUTIOUS', 'RECOVERY']).meta({ title: 'Mode' }),
    escalation: z.enum(['NONE', 'HUMAN_REQUIRED', 'SYSTEM_BREAKING']).meta({ title: 'Escalation' }),
    blocked: z.array(z.string()).meta({ title: 'Blocked dimensions' }),
    recover_by: z.array(z.string()).meta({ title: 'Recovery classes' }),
    risk: z.number().meta({ title: 'Risk estimate', description: 'From 0 to 1.' }),
    confidence: z.number().meta({ title: 'Confidence estimate', description: 'From 0 to 1.' }),
    reason: z.string().meta({ title: 'Reason', description: 'Why a person is needed or what is noted; empty when all is well.' }),
    generation: z.int().meta({ title: 'Generation of the world model' }),
  }),
  reads: ['diagnostics', 'worldModel', 'failureDiagnostics', 'verdict', 'progress'],
  writes: ['controlState', 'verdict', 'progress'],
  fields: {
    critical: { section: 'Thresholds', widget: 'slider', step: 0.05 },
    caution: { section: 'Thresholds', widget: 'slider', step: 0.05 },
    elevation: { section: 'Thresholds', widget: 'slider', step: 0.01 },
    patternWeight: { section: 'Thresholds', widget: 'slider', step: 0.05 },
    blockFrom: { section: 'Recovery' },
    recoveryClasses: { section: 'Recovery', widget: 'json' },
  },
  preview: (config) =>
    typeof config.critical === 'number' && typeof config.caution === 'number'
      ? `blocks < ${config.critical}, cautious < ${config.caution}`
      : '',
});
