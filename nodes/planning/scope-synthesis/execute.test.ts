import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import { codeOf, fakeContext, type Scripted } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executeScopeSynthesis } from './execute';
import { scopeSynthesis } from './node';

const state = planningValues({ planTask: { task: `Add links. ${'x'.repeat(5000)}`, context: 'c'.repeat(9000) } });
const fakeOf = (replies: Scripted[]) => fakeContext(scopeSynthesis, { state, replies });

test('L13: two unusable replies blocked the pipeline, or the fallback was not the task', async () => {
  const fake = fakeOf([{ text: 'no json' }, { text: '{"deliverables": []}' }]);
  const { output, writes } = await executeScopeSynthesis.execute(fake.context);
  expect(output).toMatchObject({
    synthesized: false,
    scope: { deliverables: [], risks: [expect.any(String)], assumptions: [expect.anything()] },
  });
  expect(writes).toMatchObject({ scopeDocument: { problem: `Add links. ${'x'.repeat(3989)}` }, planWarnings: [expect.any(String)] });
  expect(fake.requests[1]?.messages.at(-1)?.content).toContain('could not be used');
  const rules = fake.decisions.map(({ rule }) => rule);
  expect(rules.filter((rule) => rule.startsWith('scope_'))).toEqual(['scope_retry', 'scope_fallback']);
});

test('a model that failed once was not asked again, or the context was not cut', async () => {
  const fake = fakeOf([operationalError('MODEL_UNAVAILABLE', 'busy'), { object: { problem: 'Links are missing.' } }]);
  const { output, writes } = await executeScopeSynthesis.execute(fake.context);
  expect(output).toMatchObject({ synthesized: true, scope: { problem: 'Links are missing.', risks: [] } });
  expect(writes).not.toHaveProperty('planWarnings');
  expect(fake.requests[0]?.messages[1]?.content.match(/c{100,}/)?.[0]).toHaveLength(8000);
});

test('a gateway that had sent the reply back itself was asked two more times', async () => {
  const fake = fakeOf([operationalError('MODEL_BAD_REPLY', 'no JSON')]);
  expect((await executeScopeSynthesis.execute(fake.context)).output).toMatchObject({ synthesized: false });
  expect(fake.requests).toHaveLength(1);
});

test('a used-up budget became a fallback scope', async () => {
  const fake = fakeOf([operationalError('BUDGET_EXCEEDED', 'spent')]);
  expect(await codeOf(() => executeScopeSynthesis.execute(fake.context))).toBe('BUDGET_EXCEEDED');
});
