import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeBranch } from './execute';
import { branch } from './node';

const cases = [
  { id: 'big', when: 'input.amount > 100' },
  { id: 'mine', when: 'input.owner == "me" && !input.closed' },
];

test('a later case won over an earlier one that holds', async () => {
  const fake = fakeContext(branch, { config: { cases }, input: { amount: 101, owner: 'me', closed: false }, received: 'x' });
  expect(await executeBranch.execute(fake.context)).toEqual({ port: 'big', output: 'x' });
});

test('the decision did not name the value, the threshold and how far it was', async () => {
  const fake = fakeContext(branch, { config: { cases }, input: { amount: 93, owner: 'you', closed: false } });
  expect(await executeBranch.execute(fake.context)).toMatchObject({ port: 'else' });
  expect(fake.decisions).toMatchObject([
    {
      rule: 'no case holds',
      outcome: 'else',
      because: [
        { name: 'case big', holds: false },
        { name: 'input.amount', value: 93, operator: '>', threshold: 100, distance: 7, holds: false },
        { name: 'case mine', holds: false },
        { name: 'input.owner', value: 'you', operator: '==', threshold: 'me', holds: false },
        { name: 'not input.closed', value: false, holds: true },
      ],
      alternatives: [{ outcome: 'big' }, { outcome: 'mine' }],
    },
  ]);
});

test('explaining a condition failed on a side that && had never reached', async () => {
  const fake = fakeContext(branch, {
    config: { cases: [{ id: 'deep', when: 'received != null && received.score > 1' }] },
    received: null,
  });
  expect(await executeBranch.execute(fake.context)).toMatchObject({ port: 'else' });
  expect(fake.decisions[0]?.because).toContainEqual({ name: 'received.score', value: null, operator: '>', threshold: 1 });
});

test('a number was taken for true', async () => {
  const fake = fakeContext(branch, { config: { cases: [{ id: 'a', when: 'input.amount' }] }, input: { amount: 1 } });
  expect(await codeOf(() => executeBranch.execute(fake.context))).toBe('CONDITION_NOT_BOOLEAN');
});
