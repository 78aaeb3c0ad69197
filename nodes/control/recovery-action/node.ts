import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { recoveryActionConfigSchema } from '@/harness/layers/recovery/actions/types';
import { checkRole, checkSwitch } from '../support/config';

const toolName = (title: string, description: string, initial: string) => z.string().max(200).default(initial).meta({ title, description });

export const recoveryAction = defineNode({
  id: 'recovery-action',
  version: 1,
  category: 'control',
  layer: 'recovery',
  authority: 'deterministic',
  role: 'step',
  title: 'Recovery action',
  icon: 'wrench',
  summary: 'Repairs what blocks the run: runs the recovery class of every blocked dimension.',
  keywords: ['repair', 'unblock', 'refresh', 'consistency', 'coverage', 'retry', 'escalate'],
  config: z.object({
    ...recoveryActionConfigSchema.shape,
    fileTool: toolName(
      'Tool that reads files',
      'Called with a path to re-read what stale beliefs rest on. Empty: files are not re-read.',
      'read_file',
    ),
    urlTool: toolName('Tool that reads addresses', 'Called with a URL. Empty: addresses are not re-read.', 'fetch_url'),
    maxRereads: z.int().min(0).max(200).default(20).meta({ title: 'Most sources re-read at once' }),
    judgeConflicts: checkSwitch('Let a model settle conflicts', 'Asked about those that the evidence does not settle.'),
    role: checkRole,
    askPeople: checkSwitch('Ask a person about the rest', 'A question for each conflict that neither evidence nor a model settles.'),
    maxAsks: z.int().min(1).max(20).default(3).meta({ title: 'Most questions at once' }),
  }),
  ports: [
    { id: 'repaired', title: 'Repaired' },
    { id: 'unchanged', title: 'Unchanged' },
  ],
  outputs: z.object({
    dimensions: z.array(z.string()).meta({ title: 'Blocked dimensions' }),
    repaired: z.boolean().meta({ title: 'Repaired' }),
    wants: z.array(z.string()).meta({ title: 'What would help', description: 'Sources, evidence or answers that could not be had.' }),
    escalated: z.array(z.string()).meta({ title: 'Dimensions for which a person is needed' }),
  }),
  reads: [
    'controlState',
    'worldModel',
    'beliefDepGraph',
    'evidenceStore',
    'hypothesisSet',
    'taskGraph',
    'strategyState',
    'failureDiagnostics',
    'progress',
  ],
  writes: [
    'worldModel',
    'beliefDepGraph',
    'evidenceStore',
    'hypothesisSet',
    'taskGraph',
    'strategyState',
    'failureDiagnostics',
    'progress',
  ],
  model: (config) => (config.judgeConflicts === true ? config.role : null),
  tools: (config) => [config.fileTool, config.urlTool].filter((name) => typeof name === 'string' && name !== ''),
  fields: {
    unchangedToEscalate: { section: 'Limits' },
    maxNewHypotheses: { section: 'Hypotheses' },
    newHypothesisConfidence: { section: 'Hypotheses', widget: 'slider', step: 0.05 },
    fileTool: { section: 'Re-reading' },
    urlTool: { section: 'Re-reading' },
    maxRereads: { section: 'Re-reading' },
    judgeConflicts: { section: 'Conflicts' },
    role: { section: 'Conflicts', widget: 'model-role', when: { field: 'judgeConflicts', is: true } },
    askPeople: { section: 'Conflicts' },
    maxAsks: { section: 'Conflicts', when: { field: 'askPeople', is: true } },
  },
  preview: (config) =>
    typeof config.unchangedToEscalate === 'number' ? `a person after ${config.unchangedToEscalate} without effect` : '',
});
