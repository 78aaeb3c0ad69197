import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import { type FakeOptions, fakeContext } from '../../testing/fake-context';
import { type ControlChannelId, channelValues } from '../support/state';
import { executeWorldModel } from './execute';
import { worldModel } from './node';

type State = { [K in ControlChannelId]?: unknown };
const at = '2026-01-01T00:00:00.000Z';
const observation = (id: string, over: object = {}) => ({
  id,
  obs: `seen ${id}`,
  reliability: 'HIGH',
  source: 'execution_engine',
  evidence_type: 'OBSERVATION',
  freshness: at,
  ...over,
});
const manifest = Object.fromEntries(
  ['execution_engine', 'result_inspection', 'fact_extraction', 'world_model_trail'].map((name) => [name, { available: true }]),
);
const store = (...observations: object[]): State => ({ evidenceStore: { observations, tool_availability_manifest: manifest } });
const taking = (state: State, options: Omit<FakeOptions, 'state'> = {}) =>
  fakeContext(worldModel, { now: 0, input: { message: 'The cache is off.' }, ...options, state: channelValues(state) });
const run = async (state: State, options?: Omit<FakeOptions, 'state'>) => executeWorldModel.execute(taking(state, options).context);

test('evidence did not become observations, or did so again on each visit', async () => {
  const first = await run(store(observation('e1', { task_id: 't' }), observation('e2', { evidence_type: 'SYSTEM_ERROR' })));
  expect(first).toMatchObject({
    output: { observed: 2 },
    writes: { worldModel: { observations: [{ id: 'e1', content: 'seen e1', task_id: 't' }, { id: 'e2' }] } },
  });
  const again = await run({ ...store(observation('e1')), worldModel: first.writes?.worldModel });
  expect(again.output).toMatchObject({ observed: 0 });
});

test('the generation stood still although something may have changed', async () => {
  expect(await run({ worldModel: { generation_id: 4 } })).toMatchObject({ writes: { worldModel: { generation_id: 5 } } });
});

test('an inference that was given up came back from the evidence', async () => {
  const result = await run(store(observation('f', { evidence_type: 'INFERENCE' })));
  expect(result).toMatchObject({ output: { observed: 0, beliefs: 0 } });
});

const policy = {
  riskLevel: 'LOW',
  statesDurableFacts: [
    { fact: 'The cache is off', confidence: 'high' },
    { fact: 'It was on', confidence: 'medium' },
  ],
};

test('what the message states was not believed, rested on nothing, or was believed twice', async () => {
  const first = await run({ turnPolicy: policy });
  expect(first).toMatchObject({
    output: {
      believed: [
        { id: 'fact-message-0', confidence: 1 },
        { id: 'fact-message-1', confidence: 0.5 },
      ],
    },
    writes: {
      worldModel: { observations: [{ id: 'message' }], beliefs: [{ statement: 'The cache is off', derived_from: ['message'] }, {}] },
      beliefDepGraph: { derived_from_edges: [{ from: 'message', to: 'fact-message-0' }, {}] },
      evidenceStore: { observations: [{ id: 'message' }, { id: 'fact-message-0' }, { id: 'fact-message-1' }] },
    },
  });
  const second = await run({ turnPolicy: policy, worldModel: first.writes?.worldModel, evidenceStore: first.writes?.evidenceStore });
  expect(second).toMatchObject({ output: { observed: 0, believed: [] } });
  expect((await run({ turnPolicy: policy }, { config: { statedFacts: false } })).output).toMatchObject({ believed: [] });
});

test('the confidence of a reliability, set in the inspector, changed nothing', async () => {
  const result = await run({ turnPolicy: policy }, { config: { confidenceHigh: 0.9, confidenceMedium: 0.3 } });
  expect(result.output).toMatchObject({ believed: [{ confidence: 0.9 }, { confidence: 0.3 }] });
});

const finished = (risk: string, count: number): State => ({
  ...store(observation('exec-t-2', { task_id: 't' }), observation('result-t-2', { task_id: 't' })),
  goal: { risk },
  taskGraph: { tasks: Array.from({ length: count }, (_, index) => ({ id: index === 0 ? 't' : `t${index}`, description: 'Mend the sum' })) },
  currentTask: 't',
  taskResults: { t: { status: 'done', step: 2, recorded: true } },
});

test('a finished task left no trail, or a single harmless one did', async () => {
  expect(await run(finished('MEDIUM', 1))).toMatchObject({
    output: { believed: [{ id: 'belief-t-2', statement: 'Completed: Mend the sum', confidence: 0.5 }] },
    writes: { worldModel: { beliefs: [{ derived_from: ['exec-t-2', 'result-t-2'] }] } },
  });
  expect((await run(finished('LOW', 2))).output).toMatchObject({ believed: [{}] });
  expect((await run(finished('LOW', 1))).output).toMatchObject({ believed: [] });
  expect((await run(finished('LOW', 1), { config: { trail: 'always' } })).output).toMatchObject({ believed: [{}] });
  expect((await run(finished('HIGH', 2), { config: { trail: 'never' } })).output).toMatchObject({ believed: [] });
});

test('D12: beliefs had no derivation edges, or switching them off changed nothing', async () => {
  const on = await run(finished('MEDIUM', 1));
  expect(on.writes).toMatchObject({ beliefDepGraph: { derived_from_edges: [{}, {}], unverified_edge_ratio: 1 } });
  const off = await run(finished('MEDIUM', 1), { config: { derivations: false } });
  expect(off.writes).not.toHaveProperty('beliefDepGraph');
});

test('a fact was believed that cites nothing, or its files could change without making it stale', async () => {
  const facts = [
    { statement: 'a.js adds instead of subtracting', evidence_ids: ['c1', 'made-up'] },
    { statement: 'The moon is round', evidence_ids: ['made-up'] },
  ];
  const fake = taking(
    {
      ...finished('MEDIUM', 1),
      ...store(observation('c1', { paths: ['a.js'], task_id: 't' }), observation('exec-t-2'), observation('result-t-2')),
      progress: { steps_used: 2 },
    },
    { config: { extractFacts: true }, replies: [{ object: { facts } }] },
  );
  const result = await executeWorldModel.execute(fake.context);
  expect(result).toMatchObject({
    output: { believed: [{ id: 'fact-t-2-0', confidence: 0.5 }] },
    writes: { worldModel: { beliefs: [{ derived_from: ['c1'], supporting_evidence: ['a.js'] }] } },
  });
  expect(fake.decisions.find(({ rule }) => rule === 'facts read by a model')).toMatchObject({ outcome: '1 of 2 facts are grounded' });
});

test('a model that could not read facts failed the run, or took the trail with it', async () => {
  const fake = taking(finished('MEDIUM', 1), { config: { extractFacts: true }, replies: [operationalError('MODEL_UNAVAILABLE', 'down')] });
  expect((await executeWorldModel.execute(fake.context)).output).toMatchObject({ believed: [{ id: 'belief-t-2' }] });
  const quiet = taking({}, { config: { extractFacts: true } });
  await executeWorldModel.execute(quiet.context);
  expect(quiet.requests).toHaveLength(0);
});

test('the same statement was believed over and over, or refused aloud on every visit', async () => {
  const belief = (statement: string) => ({ beliefs: [{ id: 'b', statement, confidence: 0.5, derived_from: ['x'], recorded_at: at }] });
  const trail = taking({ ...finished('MEDIUM', 1), worldModel: belief('completed: mend the sum') });
  expect((await executeWorldModel.execute(trail.context)).output).toMatchObject({ believed: [], beliefs: 1 });
  expect(trail.decisions.map(({ rule }) => rule)).toEqual(['observations', 'generation']);
  const stated = taking({ turnPolicy: policy, worldModel: belief('the cache is off') });
  expect((await executeWorldModel.execute(stated.context)).output).toMatchObject({ believed: [{ statement: 'It was on' }] });
  const facts = [{ statement: 'It leaks', evidence_ids: ['c1'] }];
  const read = taking(
    { ...store(observation('c1')), worldModel: belief('it leaks') },
    { config: { extractFacts: true }, replies: [{ object: { facts } }] },
  );
  expect((await executeWorldModel.execute(read.context)).output).toMatchObject({ believed: [] });
  expect(read.decisions.some(({ rule }) => rule === 'one belief for one statement')).toBe(true);
});
