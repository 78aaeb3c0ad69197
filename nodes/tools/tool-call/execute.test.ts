import { expect, test } from 'vitest';
import type { ToolOutcome } from '@/harness/contract/execute';
import type { JsonObject } from '@/harness/contract/json';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeToolCall } from './execute';
import { toolCall } from './node';

const calling = (outcome: ToolOutcome, config: JsonObject = {}) =>
  fakeContext(toolCall, { config: { tool: 't', ...config }, input: { n: 2, s: 'x' }, tools: [{ name: 't', run: () => outcome }] });

test('a number or list in the input arrived as text', async () => {
  const fake = calling(
    { status: 'ok', output: 'done' },
    { input: { n: '{{input.n}}', all: ['{{[input.n, 3]}}'], s: 'say {{input.s}}', k: true } },
  );
  expect(await executeToolCall.execute(fake.context)).toEqual({ output: 'done' });
  expect(fake.calls).toEqual([{ tool: 't', input: { n: 2, all: [[2, 3]], s: 'say x', k: true } }]);
});

test('a refused or failed call counted as success', async () => {
  expect(await codeOf(() => executeToolCall.execute(calling({ status: 'denied', message: 'no' }).context))).toBe('TOOL_DENIED');
  expect(await codeOf(() => executeToolCall.execute(calling({ status: 'failed', code: 'TOOL_TIMEOUT', message: 'slow' }).context))).toBe(
    'TOOL_TIMEOUT',
  );
});

test('going on after a refusal lost the reason', async () => {
  const fake = calling({ status: 'denied', message: 'read only' }, { onRefusal: 'continue' });
  expect(await executeToolCall.execute(fake.context)).toEqual({ output: { status: 'denied', output: null, message: 'read only' } });
  expect(fake.decisions).toMatchObject([{ outcome: 'denied' }]);
});
