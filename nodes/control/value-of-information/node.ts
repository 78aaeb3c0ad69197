import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { voiConfigSchema } from '@/harness/layers/execution/voi';

export const valueOfInformation = defineNode({
  id: 'value-of-information',
  version: 1,
  category: 'control',
  layer: 'execution',
  authority: 'deterministic',
  role: 'step',
  title: 'Value of information',
  icon: 'scale',
  summary: 'Decides whether to look further before acting: rival explanations times what is not verified.',
  keywords: ['gather', 'evidence', 'investigate', 'voi', 'hypotheses', 'tools', 'adequacy'],
  config: z.object({
    ...voiConfigSchema.shape,
    oncePerTask: z.boolean().default(true).meta({
      title: 'Gather once per task',
      description: 'Off: evidence may be gathered again before each later turn of the task, still once between two turns.',
    }),
    countInternal: z.boolean().default(false).meta({
      title: 'Count the harness’s own sources as tools',
      description: 'On in the reference; they are always available, so tools can then hardly ever count as lacking.',
    }),
  }),
  ports: [
    { id: 'act', title: 'Act' },
    { id: 'gather', title: 'Gather' },
  ],
  outputs: z.object({
    gather: z.boolean().meta({ title: 'Gather' }),
    voi: z.number().meta({ title: 'Value of information', description: 'From 0 to 1.' }),
    adequacy: z.number().meta({ title: 'Tool adequacy', description: 'Available tools over all tools; 1 without tools.' }),
    shortfall: z.number().meta({ title: 'Shortfall', description: 'How far the adequacy is below its threshold.' }),
    unresolvable: z.boolean().meta({ title: 'Unresolvable', description: 'No tool is available and none has a stand-in.' }),
    task_id: z.string().meta({ title: 'Task' }),
    question: z
      .string()
      .meta({ title: 'Question', description: 'What is worth finding out, in words: the task and its rival explanations.' }),
  }),
  reads: ['hypothesisSet', 'diagnostics', 'evidenceStore', 'progress', 'taskResults', 'currentTask', 'taskGraph', 'goal'],
  writes: ['progress', 'diagnostics'],
  fields: {
    gatherAbove: { widget: 'slider', step: 0.05 },
    adequacyBelow: { widget: 'slider', step: 0.05 },
  },
  preview: (config) =>
    typeof config.gatherAbove === 'number' && typeof config.adequacyBelow === 'number'
      ? `gathers > ${config.gatherAbove} · adequacy < ${config.adequacyBelow}`
      : '',
});
