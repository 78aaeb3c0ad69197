import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeFork } from './execute';
import { fork } from './node';

const branches = [
  { id: 'always', when: '' },
  { id: 'urgent', when: 'input.urgent' },
];

test('a branch started although its condition does not hold', async () => {
  const fake = fakeContext(fork, { config: { branches }, input: { urgent: false } });
  expect(await executeFork.execute(fake.context)).toMatchObject({ ports: ['always'] });
  expect(fake.decisions).toMatchObject([{ outcome: 'always', alternatives: [{ outcome: 'urgent' }] }]);
});

test('a fork of no branches ended the token silently', async () => {
  const fake = fakeContext(fork, { config: { branches: [{ id: 'a', when: 'false' }] } });
  expect(await codeOf(() => executeFork.execute(fake.context))).toBe('FORK_EMPTY');
});
