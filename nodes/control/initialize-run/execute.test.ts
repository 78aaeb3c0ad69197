import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeInitializeRun } from './execute';
import { initializeRun } from './node';

const tool = { name: 'read_file', run: () => ({ status: 'ok' as const, output: '' }) };
const run = async (config: Record<string, unknown> = {}, given: Record<string, unknown> = {}) => {
  const fake = fakeContext(initializeRun, {
    input: { message: 'Fix it' },
    config: config as never,
    state: channelValues(given),
    tools: [tool],
  });
  return { ...fake, result: await executeInitializeRun.execute(fake.context) };
};
const seeded = {
  tasks: [
    { id: 'look', description: 'Look into {{input.message}}' },
    { id: 'mend', description: 'Mend', depends_on: ['look'], risk: 'HIGH' },
  ],
};
const decomposed = {
  goal: { objective: 'Do both' },
  taskGraph: {
    tasks: [
      { id: 'task-0', description: 'one' },
      { id: 'task-1', description: 'two' },
    ],
  },
};

test('tasks came from the wrong place: plan, then the judged message, then criteria, then the message', async () => {
  const ids = async (...given: Parameters<typeof run>) => (await run(...given)).result.output;
  expect(await ids({ ...seeded, criteria: ['c'] }, decomposed)).toMatchObject({ tasks: ['look', 'mend'] });
  expect(await ids({ criteria: ['c'] }, decomposed)).toMatchObject({ tasks: ['task-0', 'task-1'] });
  const { result } = await run({ criteria: ['first', 'second'], taskRisk: 'LOW' });
  expect(result.writes).toMatchObject({ taskGraph: { tasks: [{ description: 'first', risk_level: 'LOW' }, { description: 'second' }] } });
  expect((await run()).result).toMatchObject({
    output: { objective: 'Fix it' },
    writes: { taskGraph: { tasks: [{ id: 'task-0', description: 'Fix it' }] } },
  });
});

test('a seeded plan lost its words, risks or order', async () => {
  expect((await run(seeded)).result.writes).toMatchObject({
    taskGraph: { tasks: [{ description: 'Look into Fix it' }, { risk_level: 'HIGH', depends_on: ['look'] }] },
  });
  expect(await codeOf(() => run({ tasks: [{ id: 'a', description: 'x', depends_on: ['gone'] }] }))).toBe('TASK_GRAPH_INVALID');
});

test('a tool’s ceiling was not taken over, or what the inspector says did not override it', async () => {
  const { result } = await run({ sources: ['crawler'], ceilings: { read_file: 'LOW' } });
  expect(result.writes).toMatchObject({
    evidenceStore: {
      tool_availability_manifest: { execution_engine: { available: true }, read_file: { available: true }, crawler: { available: true } },
      tool_reliability_envelopes: { read_file: { max_conclusion_reliability: 'LOW' } },
    },
  });
  expect((await run()).result.writes).toMatchObject({
    evidenceStore: { tool_reliability_envelopes: { read_file: { max_conclusion_reliability: 'HIGH' } } },
  });
});

test('constraints of the message were lost, lifted ones stayed, or "required:" made no field required', async () => {
  const turnPolicy = { riskLevel: 'LOW', statedConstraints: ['do not use tabs', 'required: summary'], liftedConstraints: ['be brief'] };
  const { result } = await run({ constraints: ['be brief', 'be kind'] }, { turnPolicy });
  expect(result.writes).toMatchObject({
    callerState: { current_constraints: ['be kind', 'do not use tabs', 'required: summary'] },
    outputContract: {
      required_interface_fields: ['summary'],
      caller_specific_constraints: ['be kind', 'do not use tabs', 'required: summary'],
    },
  });
});

test('a doubled node set the run up again and undid its work', async () => {
  const first = await run(seeded);
  const fake = fakeContext(initializeRun, { input: { message: 'Fix it' }, state: { ...first.result.writes }, tools: [tool] });
  const second = await executeInitializeRun.execute(fake.context);
  expect(second.writes).toBeUndefined();
  expect(second.output).toMatchObject({ tasks: ['look', 'mend'] });
  expect(fake.decisions[0]).toMatchObject({ rule: 'initialise once' });
});

test('facts that were believed before were dropped, or the generation fell (INV-03)', async () => {
  const belief = { id: 'f', statement: 's', confidence: 1, derived_from: ['m'], recorded_at: '2026-01-01T00:00:00.000Z' };
  const { result } = await run({}, { worldModel: { generation_id: 5, beliefs: [belief] } });
  expect(result.writes).toMatchObject({ worldModel: { generation_id: 6, beliefs: [{ id: 'f' }] } });
});

test('it wrote control state, which is for one node alone (INV-06)', async () => {
  expect((await run()).result.writes).not.toHaveProperty('controlState');
});

test('limits and library of the inspector did not reach the channels', async () => {
  const library = [{ id: 'p', failure_class: 'C', symptoms: ['x'], strategy_affinity: 'REIMPLEMENT' }];
  const { result } = await run({ maxSteps: 7, library, tokenBudget: 99, journal: { max_passing_verbatim: 1 } });
  expect(result.writes).toMatchObject({
    goal: { max_steps: 7 },
    failureDiagnostics: { failure_mode_library: { entries: [{ id: 'p' }] } },
    memoryState: { token_budget: { total: 99 }, journal_retention_policy: { max_passing_verbatim: 1 } },
  });
});

test('an experience store that is not there changed the run (INV-10)', async () => {
  const { result, decisions } = await run();
  expect(result.writes).not.toHaveProperty('strategyState');
  expect(decisions[0]?.because).toContainEqual({ name: 'experience', value: 'none' });
});
