import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { verificationSchema } from '@/harness/layers/verification/state';
import { verificationConfigSchema } from '@/harness/layers/verification/verify';
import { checkRole, checkSwitch } from '../support/config';

/** The checks that a command of the workspace stands behind. */
export const commandChecks = ['syntax', 'unit', 'integration'] as const;
export type CommandCheck = (typeof commandChecks)[number];

const how = (title: string, initial: 'off' | 'detected' = 'detected') =>
  z.enum(['off', 'detected', 'command']).default(initial).meta({
    title,
    description: 'Off, the command that the workspace itself defines, or the one given here. The exit code decides.',
  });
const command = (title: string) =>
  z.string().max(4000).default('').meta({ title, description: 'One program and its arguments, run in the workspace without a shell.' });

export const verification = defineNode({
  id: 'verification',
  version: 1,
  category: 'control',
  layer: 'verification',
  authority: 'deterministic',
  role: 'step',
  title: 'Verification',
  icon: 'badge-check',
  summary: 'Runs nine checks on a result; what nothing stands behind is skipped and never counts as passed.',
  keywords: ['check', 'test', 'lint', 'criteria', 'evidence', 'contract', 'pass', 'fail'],
  config: z.object({
    ...verificationConfigSchema.shape,
    syntax: how('Syntax'),
    syntaxCommand: command('Syntax command'),
    unit: how('Unit tests'),
    unitCommand: command('Unit test command'),
    integration: how('Integration tests', 'off'),
    integrationCommand: command('Integration test command'),
    when: z.enum(['changed', 'always']).default('changed').meta({
      title: 'Run commands',
      description: 'Only after work that wrote files, or after every task.',
    }),
    timeoutSeconds: z.int().min(1).max(1800).default(120).meta({ title: 'Seconds per command' }),
    judgeRequirements: checkSwitch('Judge requirements', 'A model judges the result against the success criteria and cites evidence.'),
    judgeAssumptions: checkSwitch('Judge assumptions', 'A model judges whether the assumptions held and cites evidence.'),
    judgeGoal: checkSwitch('Judge the goal', 'A model judges whether the result does what the task asks and cites evidence.'),
    role: checkRole,
    judgeEvidence: z
      .int()
      .min(1)
      .max(500)
      .default(30)
      .meta({ title: 'Pieces of evidence a judge is shown', description: 'The newest ones.' }),
  }),
  ports: [
    { id: 'pass', title: 'Pass' },
    { id: 'fail', title: 'Fail' },
  ],
  outputs: verificationSchema,
  reads: [
    'currentTask',
    'taskGraph',
    'taskResults',
    'progress',
    'goal',
    'callerState',
    'outputContract',
    'evidenceStore',
    'worldModel',
    'hypothesisSet',
    'beliefDepGraph',
  ],
  writes: ['verification', 'evidenceStore', 'beliefDepGraph', 'progress'],
  model: (config) => (config.judgeRequirements || config.judgeAssumptions || config.judgeGoal ? config.role : null),
  tools: (config) => (commandChecks.some((check) => config[check] === 'command') ? ['run_check'] : []),
  fields: {
    scope: { section: 'Evidence' },
    localEvidence: { section: 'Evidence', when: { field: 'scope', is: 'local' } },
    globalEvidence: { section: 'Evidence', when: { field: 'scope', is: 'global' } },
    syntax: { section: 'Commands' },
    syntaxCommand: { section: 'Commands', when: { field: 'syntax', is: 'command' } },
    unit: { section: 'Commands' },
    unitCommand: { section: 'Commands', when: { field: 'unit', is: 'command' } },
    integration: { section: 'Commands' },
    integrationCommand: { section: 'Commands', when: { field: 'integration', is: 'command' } },
    when: { section: 'Commands' },
    timeoutSeconds: { section: 'Commands' },
    judgeRequirements: { section: 'Model checks' },
    judgeAssumptions: { section: 'Model checks' },
    judgeGoal: { section: 'Model checks' },
    role: { section: 'Model checks', widget: 'model-role' },
    judgeEvidence: { section: 'Model checks' },
    disabled: { section: 'Left out' },
  },
  preview: (config) => {
    const commands = commandChecks.filter((check) => config[check] === 'detected' || config[check] === 'command');
    const judges = [config.judgeRequirements, config.judgeAssumptions, config.judgeGoal].filter(Boolean).length;
    return [commands.length > 0 ? commands.join(', ') : 'no commands', judges > 0 ? `${judges} judged` : 'no judge'].join(' · ');
  },
});
