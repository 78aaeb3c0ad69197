import { expect, test } from 'vitest';
import { z } from 'zod';
import { operationalError, userError } from '@/harness/contract/errors';
import { llmCall } from '../../agent/llm-call/node';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { currentTask, messageOf } from './helpers';
import { modelCheck } from './model-check';
import { channelValues, stateOf } from './state';
import { writesOf } from './writes';

const writer = (type: string, state = {}) => ({ state: channelValues(state), node: { type, label: 'N' } });
const belief = { id: 'b1', statement: 's', confidence: 1, derived_from: ['o1'], recorded_at: '2026-01-01T00:00:00.000Z' };

test('a channel that nobody wrote was undefined', () => {
  const state = stateOf({ state: {} });
  expect(state.goal.max_steps).toBe(50);
  expect(state.worldModel.generation_id).toBe(0);
  expect(currentTask(state)).toBeNull();
  expect(currentTask(stateOf(writer('act', { currentTask: 't', taskGraph: { tasks: [{ id: 't', description: 'd' }] } })))?.id).toBe('t');
});

test('a node other than control-state wrote control state (INV-06)', async () => {
  const { controlState } = stateOf({ state: {} });
  const write = (type: string) => () => writesOf(writer(type), { controlState: { ...controlState, permission: 'DENY' } });
  expect(await codeOf(write('act'))).toBe('INV_06');
  expect(await codeOf(write('control-state'))).toBeNull();
});

test('a belief without derivation, a falling generation or a finished task reopened went through', async () => {
  const worldModel = stateOf({ state: {} }).worldModel;
  const rootless = { ...worldModel, beliefs: [{ ...belief, supporting_evidence: [], reliability: '', derived_from: [] }] };
  expect(await codeOf(() => writesOf(writer('world-model'), { worldModel: rootless }))).toBe('INV_01');
  expect(await codeOf(() => writesOf(writer('world-model', { worldModel: { generation_id: 3 } }), { worldModel }))).toBe('INV_03');
  const done = { taskGraph: { tasks: [{ id: 't', description: 'd', status: 'COMPLETE' }] } };
  const { taskGraph } = stateOf(writer('planning', done));
  const again = { ...taskGraph, tasks: taskGraph.tasks.map((task) => ({ ...task, status: 'PENDING' as const })) };
  expect(await codeOf(() => writesOf(writer('planning', done), { taskGraph: again }))).toBe('INV_17');
  expect(await codeOf(() => writesOf(writer('reviewer-pass', done), { taskGraph: again }))).toBeNull();
});

test('a channel that did not change was written again', () => {
  const context = writer('diagnostics', { worldModel: { generation_id: 2 } });
  const { worldModel } = stateOf(context);
  expect(writesOf(context, { worldModel, proposal: undefined, currentTask: 't' })).toEqual({ currentTask: 't' });
});

const check = { what: 'is it so', role: 'worker' as const, schema: z.object({ yes: z.boolean() }), system: 's', prompt: 'p' };

test('a failing model check failed the run, or nothing said that the rule stands', async () => {
  const broken = [[operationalError('MODEL_UNAVAILABLE', 'down')], [{ text: 'hm' }, { text: 'hm' }]];
  for (const replies of broken) {
    const fake = fakeContext(llmCall, { config: { prompt: 'x' }, replies });
    expect(await modelCheck(fake.context, check)).toBeNull();
    expect(fake.decisions.at(-1)).toMatchObject({
      rule: 'model check failed',
      outcome: 'the deterministic rule stands',
      because: [{ name: 'check', value: 'is it so' }, { name: 'error' }],
    });
  }
  const good = fakeContext(llmCall, { config: { prompt: 'x' }, replies: [{ object: { yes: true } }] });
  expect(await modelCheck(good.context, check)).toEqual({ yes: true });
  expect(good.requests[0]).toMatchObject({ role: 'worker', schemaName: 'is-it-so', schema: { required: ['yes'] } });
});

test('a used-up budget was taken for a model check that failed', async () => {
  const fake = fakeContext(llmCall, { config: { prompt: 'x' }, replies: [userError('BUDGET_REACHED', 'no more')] });
  expect(await codeOf(() => modelCheck(fake.context, check))).toBe('BUDGET_REACHED');
});

test('an input without a message lost its content', () => {
  expect([messageOf({ message: 'hi' }), messageOf('hi'), messageOf({ a: 1 }), messageOf(null)]).toEqual(['hi', 'hi', '{"a":1}', '']);
});
