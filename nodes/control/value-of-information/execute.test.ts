import { expect, test } from 'vitest';
import type { JsonObject } from '@/harness/contract/json';
import { fakeContext } from '../../testing/fake-context';
import { type ControlChannelId, channelValues } from '../support/state';
import { executeValueOfInformation } from './execute';
import { valueOfInformation } from './node';

type State = { [K in ControlChannelId]?: unknown };
const hypotheses = (count: number) => ({
  active: Array.from({ length: count }, (_, index) => ({ id: `h${index}`, explanation: `cause ${index}`, confidence: 0.5 })),
});
const uncertain: State = {
  hypothesisSet: hypotheses(4),
  diagnostics: { verification_health: { strength: 0.2 } },
  taskGraph: { tasks: [{ id: 't', description: 'Find it', status: 'RUNNING' }] },
  currentTask: 't',
};
const weighing = (state: State, config: JsonObject = {}) => fakeContext(valueOfInformation, { config, state: channelValues(state) });
const run = async (state: State, config?: JsonObject) => executeValueOfInformation.execute(weighing(state, config).context);
const manifest = (tools: Record<string, boolean>): State => ({
  evidenceStore: {
    tool_availability_manifest: Object.fromEntries(Object.entries(tools).map(([name, available]) => [name, { available }])),
  },
});

test('rival explanations without verification did not gather, or one explanation did', async () => {
  const fake = weighing(uncertain);
  expect(await executeValueOfInformation.execute(fake.context)).toMatchObject({
    port: 'gather',
    output: { voi: expect.closeTo(0.6), question: expect.stringContaining('cause 1') },
    writes: { progress: { should_gather: true } },
  });
  expect(fake.decisions[0]?.because[0]).toMatchObject({ name: 'value of information', value: 0.6, threshold: 0.5, holds: true });
  expect((await run({ ...uncertain, hypothesisSet: hypotheses(1) })).port).toBe('act');
});

test('the threshold changed nothing', async () => {
  expect((await run(uncertain, { gatherAbove: 0.7 })).port).toBe('act');
});

test('evidence was gathered for ever and nothing was done', async () => {
  const gathered = { ...uncertain, progress: { should_gather: true } };
  const fake = weighing(gathered);
  expect(await executeValueOfInformation.execute(fake.context)).toMatchObject({
    port: 'act',
    writes: { progress: { should_gather: false } },
  });
  expect(fake.decisions[1]).toMatchObject({ rule: 'gathered since the last turn', outcome: 'act' });
});

test('a later turn of the task gathered again although once is enough', async () => {
  const later = { ...uncertain, taskResults: { t: { status: 'continue', turns: 1 } } };
  expect((await run(later)).port).toBe('act');
  expect((await run(later, { oncePerTask: false })).port).toBe('gather');
});

test('tools that are gone counted as there because the harness has sources of its own', async () => {
  const state = {
    ...uncertain,
    hypothesisSet: hypotheses(1),
    ...manifest({ execution_engine: true, result_inspection: true, grep: false }),
  };
  expect(await run(state)).toMatchObject({
    port: 'gather',
    output: { adequacy: 0, unresolvable: true },
    writes: { diagnostics: { verification_health: { strength: 0 } } },
  });
  expect((await run(state, { countInternal: true })).output).toMatchObject({ unresolvable: false });
});
