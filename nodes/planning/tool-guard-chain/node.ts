import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { guardConfigSchema, guardTitles } from '@/harness/planning/guards/guard-config';

export const toolGuardChain = defineNode({
  id: 'tool-guard-chain',
  version: 1,
  category: 'planning',
  layer: 'execution',
  authority: 'deterministic',
  role: 'policy',
  title: 'Tool guard chain',
  icon: 'shield',
  summary:
    'Holds every tool call against ordered guards: parameters, file scope, test lock, regression tests, outside paths, dangerous commands.',
  keywords: ['guard', 'safety', 'permission', 'approval', 'regression', 'tdd', 'command', 'scope', 'rm'],
  config: guardConfigSchema.extend({
    allowedFiles: z.enum(['node', 'plan', 'list', 'off']).default('node').meta({
      title: 'Existing files that may be changed (G1)',
      description:
        'Those the guarded node names (the fix loop names the files of the plan), those of the plan for every node, a list, or all. New files may be created in any case.',
    }),
    files: z
      .array(z.string().min(1))
      .max(1000)
      .default([])
      .meta({ title: 'Files', description: 'One that ends with / means all beneath it.' }),
    tddLock: z.enum(['state', 'on', 'off']).default('state').meta({
      title: 'Test files are locked (G2)',
      description: 'While the TDD controller implements, always, or never.',
    }),
    checkAfterwards: z.boolean().default(true).meta({
      title: 'Put regression tests back after commands',
      description: 'A command, a formatter or a rename that changes a guarded regression test is refused afterwards and the file restored.',
    }),
  }),
  ports: [],
  outputs: z.null(),
  reads: ['executionPlan', 'stepResults', 'createdRegressionFiles', 'tddState', 'controlState'],
  attaches: { to: ['*'] },
  fields: {
    files: { when: { field: 'allowedFiles', is: 'list' } },
    allowedFiles: { section: 'Files' },
    scopeFromContract: { section: 'Files' },
    tddLock: { section: 'Files' },
    external: { section: 'Files' },
    regressionPattern: { section: 'Regression tests' },
    guardCreateOverwrite: { section: 'Regression tests' },
    ignoreSession: { section: 'Regression tests' },
    checkAfterwards: { section: 'Regression tests' },
    blockCommands: { section: 'Commands' },
    askCommands: { section: 'Commands' },
    timeoutSeconds: { section: 'Commands' },
    createTools: { section: 'Tools', widget: 'tools' },
    editTools: { section: 'Tools', widget: 'tools' },
    commandTools: { section: 'Tools', widget: 'tools' },
    runTools: { section: 'Tools' },
    pathFields: { section: 'Tools' },
    commandFields: { section: 'Tools' },
    blankAllowed: { section: 'Tools', widget: 'json' },
    unknownTarget: { section: 'Tools' },
  },
  preview: (config) => {
    const order = Array.isArray(config.order) ? config.order : Object.keys(guardTitles);
    const parts = [`${order.length} guards`];
    if (config.readOnly === true) parts.push('read only');
    if (config.external === 'deny') parts.push('nothing outside');
    if (config.tddLock === 'on') parts.push('tests locked');
    return parts.join(' · ');
  },
});
