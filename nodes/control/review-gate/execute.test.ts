import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import { type FakeOptions, fakeContext } from '../../testing/fake-context';
import { type ControlChannelId, channelValues } from '../support/state';
import { toolProposal } from '../support/work';
import { executeReviewGate } from './execute';
import { reviewGate } from './node';

type State = { [K in ControlChannelId]?: unknown };
const base = (state: State = {}): State => ({
  taskGraph: { tasks: [{ id: 't', description: 'Mend the sum', status: 'RUNNING', risk_level: 'LOW' }] },
  currentTask: 't',
  ...state,
});
const reviewing = (state: State = {}, options: Omit<FakeOptions, 'state'> = {}) =>
  fakeContext(reviewGate, { ...options, state: channelValues(base(state)) });
const edit = (find: string, replace: string, path = 'src/sum.js') =>
  toolProposal('t', { id: 'w', name: 'edit_file', arguments: { path, find, replace } });
const waiting = (find: string, replace: string, path?: string): State => ({
  proposal: edit(find, replace, path),
  conversation: {
    t: [{ role: 'assistant', tool_calls: [{ id: 'w', name: 'edit_file', arguments: edit(find, replace, path).arguments }] }],
  },
});
const believes = (statement: string, confidence = 0.9): State => ({
  worldModel: { beliefs: [{ id: 'b', statement, confidence, derived_from: ['o'], recorded_at: '2026-01-01T00:00:00Z' }] },
});

test('D13: the words of the task were judged instead of the concrete change', async () => {
  const belief = believes('negative numbers are rejected');
  // the task's own words negate the belief; the change does not
  const graph = { taskGraph: { tasks: [{ id: 't', description: 'negative numbers are not rejected here', status: 'RUNNING' }] } };
  const task = await executeReviewGate.execute(reviewing({ ...belief, ...graph }).context);
  expect(task).toMatchObject({ port: 'revise', output: { failed: [{ dimension: 'world_model_consistency' }] } });
  const change = await executeReviewGate.execute(reviewing({ ...belief, ...graph, ...waiting('a', 'b') }).context);
  expect(change.port).toBe('pass');
  const guilty = await executeReviewGate.execute(reviewing({ ...belief, ...waiting('x', '// negative numbers are not rejected') }).context);
  expect(guilty.port).toBe('revise');
  const reference = reviewing({ ...belief, ...graph, ...waiting('a', 'b') }, { config: { subject: 'description' } });
  expect((await executeReviewGate.execute(reference.context)).port).toBe('revise');
});

test('the confidence from which a belief binds changed nothing', async () => {
  const state = { ...believes('negative numbers are rejected', 0.7), ...waiting('x', '// negative numbers are not rejected') };
  expect((await executeReviewGate.execute(reviewing(state).context)).port).toBe('pass');
  expect((await executeReviewGate.execute(reviewing(state, { config: { beliefFrom: 0.6 } }).context)).port).toBe('revise');
});

test('a refused write stayed open, so the next pass of a gate would have carried it out', async () => {
  const fake = reviewing({ outputContract: { required_sections: ['summary'] }, ...waiting('x', 'delete summary') });
  expect(await executeReviewGate.execute(fake.context)).toMatchObject({
    port: 'revise',
    writes: {
      proposal: null,
      taskGraph: { tasks: [{ status: 'PENDING' }] },
      progress: { consecutive_review_failures: { t: 1 } },
      conversation: { t: [{}, { role: 'tool', tool_call_id: 'w', content: expect.stringContaining('output_contract_precheck') }] },
    },
  });
  expect(fake.decisions.at(-1)).toMatchObject({
    outcome: 'revise',
    because: expect.arrayContaining([{ name: 'task_alignment', value: 'pass', holds: true }]),
  });
});

test('D11: the second refusal in a row did not stop for a person, or the first one did', async () => {
  const refused = { outputContract: { required_sections: ['summary'] }, ...waiting('x', 'delete summary') };
  const second = { ...refused, progress: { consecutive_review_failures: { t: 1 } } };
  const fake = reviewing(second);
  expect(await executeReviewGate.execute(fake.context)).toMatchObject({
    port: 'halt',
    output: { consecutive_failures: 2 },
    writes: {
      progress: {
        blocker: { reason: 'review_failure' },
        escalations: [{ dimension: 'review_failure' }],
        consecutive_review_failures: { t: 0 },
      },
    },
  });
  const patient = await executeReviewGate.execute(reviewing(second, { config: { maxFailures: 3 } }).context);
  expect(patient.port).toBe('revise');
  const quiet = await executeReviewGate.execute(reviewing(second, { config: { callPerson: false } }).context);
  expect(quiet).toMatchObject({ port: 'halt' });
  expect(JSON.stringify(quiet.writes)).not.toContain('escalations');
});

test('a pass did not set the count back, so refusals far apart halted', async () => {
  const result = await executeReviewGate.execute(reviewing({ progress: { consecutive_review_failures: { t: 1, u: 1 } } }).context);
  expect(result).toMatchObject({ port: 'pass', writes: { progress: { consecutive_review_failures: { t: 0, u: 1 } } } });
});

test('the review of the task between two refused calls set the count back, so no refusal was ever the second in a row', async () => {
  const answered = [
    { role: 'assistant', tool_calls: [{ id: 'w', name: 'edit_file', arguments: {} }] },
    { role: 'tool', content: 'Not carried out', tool_call_id: 'w' },
  ];
  const state = { progress: { consecutive_review_failures: { t: 1 } }, conversation: { t: answered } };
  const task = await executeReviewGate.execute(reviewing(state).context);
  expect(task.port).toBe('pass');
  expect(task.writes).not.toHaveProperty('progress');
  const call = await executeReviewGate.execute(reviewing({ ...state, ...waiting('a', 'b') }).context);
  expect(call).toMatchObject({ port: 'pass', writes: { progress: { consecutive_review_failures: { t: 0 } } } });
});

test('D10: a large change left its task as harmless as before', async () => {
  const lines = Array.from({ length: 600 }, (_, index) => `const f${index} = () => ${index};`).join('\n');
  const state = waiting('x', lines);
  const raised = await executeReviewGate.execute(reviewing(state).context);
  expect(raised).toMatchObject({ output: { risk: 'HIGH' }, writes: { taskGraph: { tasks: [{ risk_level: 'HIGH' }] } } });
  const off = await executeReviewGate.execute(reviewing(state, { config: { raiseRisk: false } }).context);
  expect(off.writes).not.toHaveProperty('taskGraph');
  const higher = await executeReviewGate.execute(reviewing(state, { config: { risk: { high: 0.9 } } }).context);
  expect(higher).toMatchObject({ output: { risk: 'MEDIUM' } });
});

test('a migration or a HIGH goal counted as an ordinary change', async () => {
  const migration = await executeReviewGate.execute(reviewing(waiting('a', 'b', 'db/migrations/1.sql')).context);
  expect(migration.output).toMatchObject({ risk: 'HIGH' });
  const goal = { goal: { risk: 'HIGH' }, ...waiting('a', 'b') };
  expect((await executeReviewGate.execute(reviewing(goal).context)).output).toMatchObject({ risk: 'HIGH' });
  expect((await executeReviewGate.execute(reviewing(goal, { config: { kind: { highGoal: false } } }).context)).output).toMatchObject({
    risk: 'LOW',
  });
});

test('a model’s advice refused the change, or its binding objection did not', async () => {
  const object = { objects: true, advice: 'This drops the rounding.' };
  const advice = reviewing(waiting('a', 'b'), { config: { modelReview: 'advice' }, replies: [{ object }] });
  expect(await executeReviewGate.execute(advice.context)).toMatchObject({
    port: 'pass',
    output: { advice: object.advice },
    writes: { conversation: { t: [{}, { role: 'user', content: 'A reviewer notes: This drops the rounding.' }] } },
  });
  const binding = reviewing(waiting('a', 'b'), { config: { modelReview: 'binding' }, replies: [{ object }] });
  expect(await executeReviewGate.execute(binding.context)).toMatchObject({
    port: 'revise',
    output: { failed: [{ dimension: 'model_review' }] },
  });
});

test('a model that could not be asked decided all the same', async () => {
  const down = reviewing(waiting('a', 'b'), {
    config: { modelReview: 'binding' },
    replies: [operationalError('MODEL_UNAVAILABLE', 'down')],
  });
  expect((await executeReviewGate.execute(down.context)).port).toBe('pass');
  expect(down.decisions.some(({ rule }) => rule === 'model check failed')).toBe(true);
});
