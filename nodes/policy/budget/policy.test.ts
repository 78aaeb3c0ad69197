import { expect, test } from 'vitest';
import { fakePolicy } from '../../testing/fake-policy';
import { budget } from './node';
import { budgetPolicy } from './policy';

const { hooks } = budgetPolicy;
const visit = (config: object, usage: object) => hooks.beforeVisit?.(fakePolicy(budget, { config: { ...config }, usage }));
const model = (config: object, usage: object) => hooks.beforeModel?.(fakePolicy(budget, { config: { ...config }, usage }));
const tool = (config: object, usage: object) =>
  hooks.beforeTool?.(fakePolicy(budget, { config: { ...config }, usage }), {
    tool: { name: 't', title: 't', description: '', effect: 'read', ceiling: 'HIGH', untrusted: false, inputSchema: {}, outputSchema: {} },
    input: {},
  });

test('a cap of three visits let a fourth through, or stopped the third', () => {
  expect(visit({ steps: 3 }, { steps: 3 })).toMatchObject({ verdict: 'allow' });
  expect(visit({ steps: 3 }, { steps: 4 })).toMatchObject({ verdict: 'limit', cap: 'policy.steps' });
});

test('a cap on calls let one call too many through, or one too few', () => {
  expect(model({ modelCalls: 2 }, { modelCalls: 1 })).toMatchObject({ verdict: 'allow' });
  expect(model({ modelCalls: 2 }, { modelCalls: 2 })).toMatchObject({ verdict: 'limit' });
  expect(tool({ toolCalls: 1 }, { toolCalls: 0 })).toMatchObject({ verdict: 'allow' });
  expect(tool({ toolCalls: 1 }, { toolCalls: 1 })).toMatchObject({ verdict: 'limit' });
});

test('the message named neither the cap nor the numbers nor the way out', () => {
  const verdict = model({ tokens: 1000, onReached: 'refuse' }, { tokens: 1200 });
  expect(verdict).toMatchObject({
    verdict: 'deny',
    message: 'The budget "Budget" of "Guarded" is used up: 1200 tokens, cap 1000. Raise the cap in the budget, or ask for less.',
    decision: {
      rule: 'cap on tokens',
      outcome: 'refuse',
      because: [{ name: 'tokens', value: 1200, operator: '<', threshold: 1000, distance: 200, holds: false }],
    },
  });
});

test('a call of unknown price passed a cost cap that is set to stop at it', () => {
  expect(model({ cost: 1 }, { unpricedCalls: 3 })).toMatchObject({ verdict: 'allow' });
  expect(model({ cost: 1, unknownPrice: 'stop' }, { unpricedCalls: 1 })).toMatchObject({ verdict: 'limit', cap: 'policy.cost' });
  expect(model({ unknownPrice: 'stop' }, { unpricedCalls: 1 })).toEqual({ verdict: 'allow' });
});

test('a cost cap of zero allowed a first call that costs', () => {
  expect(model({ cost: 0 }, { cost: 0 })).toMatchObject({ verdict: 'limit' });
});

test('time that is up was noticed only at the next visit', () => {
  for (const verdict of [visit, model, tool].map((hook) => hook({ elapsedMs: 500 }, { elapsedMs: 500 })))
    expect(verdict).toMatchObject({ verdict: 'limit' });
});

test('a budget without caps filled the trace with decisions', () => {
  expect(visit({}, { steps: 1e6 })).toEqual({ verdict: 'allow' });
});

test('the time of one attempt was not passed on', () => {
  expect(hooks.timeoutMs?.(budget.config.parse({ timeoutMs: 250 }))).toBe(250);
  expect(hooks.timeoutMs?.(budget.config.parse({}))).toBe(null);
});
