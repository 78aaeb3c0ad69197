import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { scopeDocumentSchema } from '@/harness/planning/artefacts/scope-document';
import { scopeSynthesisConfigSchema } from '@/harness/planning/scope/fallback';
import { plural } from '../../support/config';
import { debugPlanning, roleField } from '../support/config';

export const scopeSynthesis = defineNode({
  id: 'scope-synthesis',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Scope synthesis',
  icon: 'scan-text',
  summary: 'Writes down what the task is and is not; falls back on the task itself when the model cannot.',
  keywords: ['phase 1a', 'scope', 'deliverables', 'assumptions', 'success criteria', 'fallback'],
  config: z.object({ role: roleField('primary'), ...scopeSynthesisConfigSchema.shape, debugPlanning }),
  ports: ['next'],
  outputs: z.object({
    scope: scopeDocumentSchema.meta({ title: 'Scope' }),
    synthesized: z.boolean().meta({ title: 'Synthesised', description: 'False when the fallback stands in.' }),
    warnings: z.array(z.string()).meta({ title: 'Warnings' }),
    markdown: z.string().meta({ title: 'As text' }),
  }),
  reads: ['planTask', 'phase1Summary'],
  writes: ['scopeDocument', 'planWarnings'],
  model: (config) => config.role,
  tools: (config) => (config.debugPlanning === true ? ['create_file'] : []),
  fields: { role: { widget: 'model-role' } },
  preview: (config) => (typeof config.retries === 'number' ? `${plural(config.retries, 'retry', 'retries')}, then the task itself` : ''),
});
