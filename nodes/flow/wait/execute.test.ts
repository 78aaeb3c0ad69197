import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeWait } from './execute';
import { wait } from './node';

const now = 1_767_225_600_000; // 2026-01-01T00:00:00Z
const until = async (expression: string) => {
  const fake = fakeContext(wait, { config: { mode: 'until', until: expression }, now });
  return { result: await executeWait.execute(fake.context), sleeps: fake.sleeps, decisions: fake.decisions };
};

test('a duration slept for something else', async () => {
  const fake = fakeContext(wait, { config: { milliseconds: 2500 }, now });
  expect(await executeWait.execute(fake.context)).toEqual({ output: { waitedMs: 2500, until: now + 2500 } });
  expect(fake.sleeps).toEqual([2500]);
});

test('a moment as number, time or text of a time was read differently', async () => {
  const minute = now + 60_000;
  for (const written of [String(minute), 'timestamp("2026-01-01T00:01:00Z")', '"2026-01-01T00:01:00Z"', '"2026-01-01T01:01:00+01:00"']) {
    expect((await until(written)).result).toEqual({ output: { waitedMs: 60_000, until: minute } });
  }
  expect((await until('"2026-01-01T00:00:00.250Z"')).sleeps).toEqual([250]);
});

test('a moment that has passed slept for a negative time', async () => {
  const { result, sleeps, decisions } = await until(String(now - 1));
  expect(result).toEqual({ output: { waitedMs: 0, until: now - 1 } });
  expect(sleeps).toEqual([]);
  expect(decisions).toMatchObject([{ outcome: 'go on', because: [{ distance: 1, holds: false }] }]);
});

test('something that is no moment waited for ever', async () => {
  for (const written of ['', '"soon"', 'true', '[1]']) expect(await codeOf(() => until(written))).toBe('WAIT_NO_MOMENT');
});
