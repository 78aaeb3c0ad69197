import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeOutput } from './execute';
import { output } from './node';

const run = async (config: { value: string; as?: string }, received: unknown = null) =>
  (await executeOutput.execute(fakeContext(output, { config, received: JSON.parse(JSON.stringify(received)) }).context)).output;

test('a single expression lost its JSON type, or was parsed a second time', async () => {
  expect(await run({ value: '{{received}}' }, { a: [1] })).toEqual({ a: [1] });
  expect(await run({ value: '{{received}}' }, '42')).toBe('42');
  expect(await run({ value: ' {{received}} ' }, null)).toBe(null);
});

test('two expressions side by side were taken for one', async () => {
  expect(await run({ value: '{{received}}{{received}}', as: 'text' }, 'ab')).toBe('abab');
});

test('JSON written with expressions in it was put out as text', async () => {
  expect(await run({ value: '{"n": {{received}}}' }, 5)).toEqual({ n: 5 });
  expect(await codeOf(() => run({ value: 'n = {{received}}' }, 5))).toBe('OUTPUT_NOT_JSON');
});

test('text mode put out an object', async () => {
  expect(await run({ value: '{{received}}', as: 'text' }, { a: 1 })).toBe('{"a":1}');
});
