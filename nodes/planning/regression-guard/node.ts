import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { guardConfigSchema } from '@/harness/planning/guards/guard-config';

export const regressionGuard = defineNode({
  id: 'regression-guard',
  version: 1,
  category: 'planning',
  layer: 'execution',
  authority: 'deterministic',
  role: 'policy',
  title: 'Regression guard',
  icon: 'shield-alert',
  summary: 'Keeps regression tests from before this run as they are, whichever tool tries to change them.',
  keywords: ['regression', 'tests', 'immutable', 'guard', 'protect', 'overwrite'],
  config: guardConfigSchema
    .pick({
      regressionPattern: true,
      guardCreateOverwrite: true,
      ignoreSession: true,
      createTools: true,
      editTools: true,
      pathFields: true,
    })
    .extend({
      checkAfterwards: z.boolean().default(true).meta({
        title: 'Put regression tests back after commands',
        description:
          'A command, a formatter or a rename that changes a guarded regression test is refused afterwards and the file restored.',
      }),
    }),
  ports: [],
  outputs: z.null(),
  reads: ['executionPlan', 'stepResults', 'createdRegressionFiles'],
  attaches: { to: ['*'] },
  fields: {
    createTools: { section: 'Tools', widget: 'tools' },
    editTools: { section: 'Tools', widget: 'tools' },
    pathFields: { section: 'Tools' },
  },
  preview: (config) =>
    [config.guardCreateOverwrite === false ? 'edits' : 'edits and overwriting', config.checkAfterwards === false ? '' : 'and commands']
      .filter(Boolean)
      .join(' '),
});
