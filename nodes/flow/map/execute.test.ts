import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeMap } from './execute';
import { map } from './node';

const failing = (item: unknown) =>
  item === 2
    ? { outcome: 'failed' as const, output: null, error: { code: 'ODD', message: 'two is bad' } }
    : { outcome: 'done' as const, output: Number(item) * 10 };

test('results moved up when an item failed, so they no longer matched their items', async () => {
  const fake = fakeContext(map, { config: { list: 'input', onError: 'collect', concurrency: 7 }, input: [1, 2, 3], body: failing });
  expect(await executeMap.execute(fake.context)).toEqual({
    output: { results: [10, null, 30], errors: [{ index: 1, code: 'ODD', message: 'two is bad' }], count: 3 },
  });
  expect(fake.bodies).toEqual([{ items: [1, 2, 3], options: { concurrency: 7, onError: 'collect' } }]);
});

test('an empty list opened a body, or hung', async () => {
  const fake = fakeContext(map, { config: { list: '[]' } });
  expect(await executeMap.execute(fake.context)).toEqual({ output: { results: [], errors: [], count: 0 } });
  expect(fake.bodies).toEqual([]);
});

test('a failed item was passed over although the map is set to stop', async () => {
  expect(
    await codeOf(() => executeMap.execute(fakeContext(map, { config: { list: 'input' }, input: [1, 2], body: failing }).context)),
  ).toBe('MAP_ITEM_FAILED');
});

test('a list that is none, or is too long, began to run', async () => {
  expect(await codeOf(() => executeMap.execute(fakeContext(map, { config: { list: '"abc"' } }).context))).toBe('MAP_NOT_A_LIST');
  const long = fakeContext(map, { config: { list: 'input', maxItems: 2 }, input: [1, 2, 3], body: failing });
  expect(await codeOf(() => executeMap.execute(long.context))).toBe('MAP_TOO_LONG');
  expect(long.bodies).toEqual([]);
  expect(long.decisions).toMatchObject([{ outcome: 'refuse', because: [{ value: 3, threshold: 2, distance: 1, holds: false }] }]);
});
