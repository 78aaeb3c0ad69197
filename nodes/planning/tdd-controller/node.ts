import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { haltReasons, tddConfigSchema, tddStates } from '@/harness/planning/tdd/machine';
import { contextWindow } from '../support/config';
import { timeoutField } from '../support/validation';
import { detectTool } from '../support/workspace-commands';

export const tddControllerNode = defineNode({
  id: 'tdd-controller',
  version: 1,
  category: 'planning',
  layer: 'verification',
  authority: 'deterministic',
  role: 'step',
  title: 'TDD controller',
  icon: 'traffic-cone',
  summary: 'Tests first by real exit codes: a clean baseline, tests that fail, the change, tests that pass.',
  keywords: ['tdd', 'red', 'green', 'test first', 'baseline', 'exit code'],
  config: z.object({
    ...tddConfigSchema.pick({ smallWindow: true, runnerExitMap: true }).shape,
    // Whoever draws the node wants it; the specification's switch is off because there it is one of the whole pipeline.
    enabled: tddConfigSchema.shape.enabled
      .default(true)
      .meta({ title: 'Tests first', description: 'Off: the plan is carried out in one go.' }),
    contextWindow,
    timeoutSeconds: timeoutField,
  }),
  ports: [
    { id: 'tests', title: 'Write tests' },
    { id: 'implement', title: 'Implement' },
    { id: 'green', title: 'Green' },
    { id: 'halt', title: 'Halt' },
  ],
  outputs: z.object({
    state: z.enum(tddStates).meta({ title: 'State' }),
    halt: z.enum(haltReasons).nullable().meta({ title: 'Why it halted' }),
    problem: z.string().meta({ title: 'What is wrong' }),
    commands: z.array(z.object({ command: z.string(), exit_code: z.int().nullable() })).meta({ title: 'Commands of this visit' }),
  }),
  reads: ['executionPlan', 'commandSet', 'stepResults', 'tddState'],
  writes: ['tddState'],
  tools: () => ['run_tests', detectTool],
  fields: { contextWindow: { section: 'Context' }, smallWindow: { section: 'Context' }, runnerExitMap: { widget: 'json' } },
  preview: (config) => (config.enabled === false ? 'off' : 'red, then green'),
});
