import { expect, test } from 'vitest';
import type { ErrorRecord } from '@/harness/contract/errors';
import type { JsonObject } from '@/harness/contract/json';
import { fakePolicy } from '../../testing/fake-policy';
import { retry } from './node';
import { retryPolicy } from './policy';

const down: ErrorRecord = { code: 'MODEL_UNAVAILABLE', kind: 'operational', message: 'down', details: { retryable: true } };
const on = (error: ErrorRecord, attempt: number, config: JsonObject = {}) =>
  retryPolicy.hooks.onError?.(fakePolicy(retry, { config, attempt }), error);

test('delays did not grow, or grew past the longest', () => {
  const delays = [1, 2, 3, 4].map((attempt) => on(down, attempt, { attempts: 9, delayMs: 100, factor: 3, maxDelayMs: 1000 }));
  expect(delays).toMatchObject([{ delayMs: 100 }, { delayMs: 300 }, { delayMs: 900 }, { delayMs: 1000 }]);
});

test('three attempts were four, or two', () => {
  expect(on(down, 2)).toMatchObject({ verdict: 'retry', decision: { outcome: 'attempt 3 of 3' } });
  expect(on(down, 3)).toMatchObject({
    verdict: 'give-up',
    decision: { rule: 'attempts used up', because: [{}, {}, {}, { name: 'attempt', value: 3, threshold: 3, distance: 0, holds: false }] },
  });
});

test('a fault that no retry can mend was tried again', () => {
  expect(on({ code: 'EXPRESSION_FAILED', kind: 'user', message: 'x' }, 1)).toMatchObject({ verdict: 'give-up' });
  expect(on({ ...down, details: { retryable: false } }, 1)).toMatchObject({ verdict: 'give-up' });
  expect(on({ code: 'X', kind: 'user', message: 'x' }, 1, { on: 'any' })).toMatchObject({ verdict: 'retry' });
});

test('a cap or a refusal was run into again and again', () => {
  for (const code of ['BUDGET_REACHED', 'POLICY_DENIED', 'TOOL_DENIED', 'CANCELLED']) {
    expect(on({ code, kind: 'user', message: 'x' }, 1, { on: 'any' })).toMatchObject({ verdict: 'give-up' });
  }
});

test('listed codes did not decide', () => {
  expect(on({ code: 'X', kind: 'user', message: 'x' }, 1, { codes: ['X'] })).toMatchObject({ verdict: 'retry' });
  expect(on(down, 1, { on: 'codes', codes: ['X'] })).toMatchObject({ verdict: 'give-up' });
  expect(on(down, 1, { on: 'any', never: ['MODEL_UNAVAILABLE'] })).toMatchObject({ verdict: 'give-up' });
});

test('the server’s retry-after was ignored, or waited out beyond the longest delay', () => {
  const busy: ErrorRecord = { ...down, code: 'MODEL_RATE_LIMIT', details: { retryable: true, retryAfterMs: 5000 } };
  expect(on(busy, 1)).toMatchObject({ delayMs: 5000 });
  expect(on(busy, 1, { maxDelayMs: 2000 })).toMatchObject({ delayMs: 2000 });
  expect(on(busy, 1, { honourRetryAfter: false })).toMatchObject({ delayMs: 1000 });
});
