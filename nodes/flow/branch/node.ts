import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { firstLine, hasUniqueIds, plural, portId, requiredText } from '../../support/config';

export const branch = defineNode({
  id: 'branch',
  version: 1,
  category: 'flow',
  layer: 'flow',
  authority: 'deterministic',
  role: 'step',
  title: 'Branch',
  icon: 'split',
  summary: 'Takes the first case whose condition holds, or else.',
  keywords: ['if', 'condition', 'switch', 'case', 'else', 'decide'],
  config: z.object({
    cases: z
      .array(
        z.object({
          id: portId,
          title: z.string().max(100).default('').meta({ title: 'Title', description: 'What the port is called; empty shows the id.' }),
          when: requiredText('Write the condition').meta({
            title: 'Condition',
            description: 'A CEL expression that is true or false, such as input.amount > 100.',
          }),
        }),
        { error: 'Add at least one case' },
      )
      .min(1, 'Add at least one case')
      .max(50)
      .refine(hasUniqueIds, 'Two cases have the same id')
      .refine((cases) => cases.every((entry) => entry.id !== 'else'), 'The port "else" is taken: it is for when no case holds')
      .meta({ title: 'Cases', description: 'Asked in this order; the first that holds is taken.' }),
  }),
  ports: (config) => [
    ...(config.cases ?? []).map((entry) => ({ id: entry.id, title: entry.title || entry.id })),
    { id: 'else', title: 'Else' },
  ],
  outputs: jsonSchema.meta({ title: 'Received', description: 'What came in, passed on unchanged.' }),
  fields: { cases: { items: { when: { widget: 'expression', placeholder: 'input.amount > 100' } } } },
  preview: (config) => {
    const cases = config.cases ?? [];
    return cases.length === 1 ? firstLine(cases[0]?.when) : plural(cases.length, 'case');
  },
});
