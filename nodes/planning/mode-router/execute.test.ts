import { expect, test } from 'vitest';
import type { JsonObject } from '@/harness/contract/json';
import { fakeContext, type Scripted } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executeModeRouter } from './execute';
import { modeRouter } from './node';

const sessionWork = { task: 'Add links', scratchpad: 'half', journal: [{ text: 'Wrote a.ts' }] };

async function route(message: string, options: { config?: JsonObject; replies?: Scripted[]; earlier?: boolean } = {}) {
  const { earlier = false, ...rest } = options;
  const fake = fakeContext(modeRouter, { input: { message }, state: earlier ? planningValues({ sessionWork }) : {}, ...rest });
  return executeModeRouter.execute(fake.context);
}

test.each([
  ['/fix it crashes', 'fix', 'it crashes'],
  ['/request  What is this?', 'request', 'What is this?'],
  ['/PLAN add links', 'plan', 'add links'],
])('the command %s was put to a model, or stayed in the task', async (message, mode, task) => {
  const result = await route(message);
  expect(result).toMatchObject({ port: mode, output: { mode, task }, writes: { planTask: { task }, sessionWork: { task } } });
});

test('a path at the beginning was taken for a command', async () => {
  expect(await route('/fixtures/a.ts is outdated', { config: { decideBy: 'rules' } })).toMatchObject({ port: 'plan' });
});

test('the model’s word was not followed, or one that makes no sense was', async () => {
  expect(await route('It throws', { replies: [{ object: { mode: 'fix', reason: 'an exception' } }] })).toMatchObject({ port: 'fix' });
  const nonsense = { object: { mode: 'resume' } };
  expect(await route('It throws', { replies: [nonsense, nonsense] })).toMatchObject({ port: 'plan' });
});

test.each([
  ['The tests fail since yesterday', 'fix'],
  ['Add a debugger', 'plan'],
  ['Stack trace: …', 'fix'],
])('by rules "%s" went elsewhere than %s', async (message, mode) => {
  expect(await route(message, { config: { decideBy: 'rules' } })).toMatchObject({ port: mode });
});

test('taking up earlier work lost its task, journal or scratchpad', async () => {
  const result = await route('/resume with the tests', { earlier: true });
  expect(result.port).toBe('resume');
  expect(result.output).toMatchObject({ task: 'Add links\n\nGo on with: with the tests' });
  expect(result.writes).toMatchObject({ scratchpad: 'half', journal: [{ text: 'Wrote a.ts' }] });
  expect(result.writes?.planTask).toHaveProperty('context', expect.stringContaining('Wrote a.ts'));
  expect(result.writes).not.toHaveProperty('sessionWork');
});

test('with nothing to take up the run went nowhere', async () => {
  expect(await route('/resume')).toMatchObject({ port: 'plan', output: { reason: 'there is no earlier task in this session' } });
});
