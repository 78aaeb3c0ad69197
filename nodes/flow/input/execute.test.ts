import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeInput } from './execute';
import { input } from './node';

const schema = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    options: { type: 'object', properties: { depth: { type: 'integer', default: 3 } }, default: {} },
    tags: { type: 'array', items: { type: 'object', properties: { weight: { type: 'number', default: 1 } } } },
  },
  required: ['message'],
};

test('a default inside a list item was not filled in', async () => {
  const { context } = fakeContext(input, { config: { schema }, input: { message: 'hi', options: {}, tags: [{ weight: 2 }, {}] } });
  expect(await executeInput.execute(context)).toEqual({
    output: { message: 'hi', options: { depth: 3 }, tags: [{ weight: 2 }, { weight: 1 }] },
  });
});

test('an input that does not fit went on into the flow, or the message did not say where it fails', async () => {
  const { context } = fakeContext(input, { config: { schema }, input: { message: 7 } });
  await expect(async () => executeInput.execute(context)).rejects.toThrow(/"Input": \/message/);
  expect(await codeOf(() => executeInput.execute(fakeContext(input, { input: 'just text' }).context))).toBe('INPUT_INVALID');
});

test('a null that the schema allows was overwritten by the default', async () => {
  const nullable = { type: 'object', properties: { limit: { type: ['integer', 'null'], default: 5 } } };
  const { context } = fakeContext(input, { config: { schema: nullable }, input: { limit: null } });
  expect(await executeInput.execute(context)).toEqual({ output: { limit: null } });
});

test('a schema that is no schema threw something without a code', async () => {
  const { context } = fakeContext(input, { config: { schema: { $ref: '#/nowhere' } }, input: {} });
  expect(await codeOf(() => executeInput.execute(context))).toBe('SCHEMA_INVALID');
});
