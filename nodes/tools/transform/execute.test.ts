import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeTransform } from './execute';
import { transform } from './node';

test('a mode used the field of another mode', async () => {
  const all = { expression: 'input.n + 1', template: 'n = {{input.n}}', fields: { double: 'input.n * 2', name: '"x"' } };
  const run = (mode: string) => executeTransform.execute(fakeContext(transform, { config: { mode, ...all }, input: { n: 2 } }).context);
  expect(await run('expression')).toEqual({ output: 3 });
  expect(await run('template')).toEqual({ output: 'n = 2' });
  expect(await run('object')).toEqual({ output: { double: 4, name: 'x' } });
});

test('a reference that does not exist gave null', async () => {
  const fake = fakeContext(transform, { config: { expression: 'nowhere.field' } });
  expect(await codeOf(() => executeTransform.execute(fake.context))).toBe('REFERENCE_UNKNOWN');
});
