import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';

const names = z.array(z.string().min(1).max(200)).max(200);

export const toolGuard = defineNode({
  id: 'tool-guard',
  version: 1,
  category: 'policy',
  layer: 'around',
  authority: 'deterministic',
  role: 'policy',
  title: 'Tool guard',
  icon: 'shield-check',
  summary: 'Decides which tools the guarded node may call, and which need a person’s approval.',
  keywords: ['permission', 'allow list', 'read only', 'approval', 'security', 'tools'],
  config: z.object({
    readOnly: z.boolean().default(false).meta({ title: 'Read only', description: 'Only tools that change nothing may be called.' }),
    allow: names
      .nullable()
      .default(null)
      .meta({ title: 'Allowed tools', description: 'Names of the only tools that may be called. Empty allows all that the rest permits.' }),
    deny: names.default([]).meta({ title: 'Denied tools', description: 'Names of tools that may never be called.' }),
    approval: names.default([]).meta({
      title: 'Needs approval',
      description: 'Names of tools, or the effects read, idempotent and write. A person sees the arguments and decides each call.',
    }),
    hide: z.boolean().default(false).meta({
      title: 'Hide refused tools',
      description:
        'The model is not offered tools it may not call. Off: it is offered them, and each refusal stands in the trace with its rule.',
    }),
    message: z
      .string()
      .max(2000)
      .default('')
      .meta({ title: 'Message on refusal', description: 'What the caller is told; empty uses a plain sentence naming the rule.' }),
  }),
  ports: [],
  outputs: z.null(),
  attaches: { to: ['agent', 'tool-call', 'container'] },
  fields: {
    allow: { widget: 'tools' },
    deny: { widget: 'tools' },
    approval: { widget: 'tools' },
    message: { rows: 2 },
  },
  preview: (config) => {
    const parts: string[] = [];
    if (config.readOnly) parts.push('read only');
    if (Array.isArray(config.allow)) parts.push(`${config.allow.length} allowed`);
    if (config.deny?.length) parts.push(`${config.deny.length} denied`);
    if (config.approval?.length) parts.push(`approval for ${config.approval.join(', ')}`);
    return parts.length === 0 ? 'every tool' : parts.join(' · ');
  },
});
