import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeSubflow } from './execute';
import { subflow } from './node';

const body = (item: unknown) => ({ outcome: 'done' as const, output: JSON.parse(JSON.stringify({ got: item })) });

test('a mapped number arrived as text', async () => {
  const fake = fakeContext(subflow, {
    config: { flow: 'other', input: { n: '{{input.n}}', list: ['{{input.n}}', 'n is {{input.n}}'], kept: 3 } },
    input: { n: 5 },
    body,
  });
  expect(await executeSubflow.execute(fake.context)).toEqual({ output: { got: { n: 5, list: [5, 'n is 5'], kept: 3 } } });
});

test('without a mapping the flow got nothing instead of what was received', async () => {
  const fake = fakeContext(subflow, { config: { flow: 'other' }, received: { message: 'hi' }, body });
  expect(await executeSubflow.execute(fake.context)).toEqual({ output: { got: { message: 'hi' } } });
});

test('a failed flow counted as done', async () => {
  const fake = fakeContext(subflow, {
    config: { flow: 'other' },
    body: () => ({ outcome: 'failed', output: null, error: { code: 'X', message: 'no' } }),
  });
  expect(await codeOf(() => executeSubflow.execute(fake.context))).toBe('SUBFLOW_FAILED');
});
