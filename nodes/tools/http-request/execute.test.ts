import { expect, test } from 'vitest';
import { toErrorRecord } from '@/harness/contract/errors';
import type { OutboundResponse } from '@/harness/contract/execute';
import type { JsonObject } from '@/harness/contract/json';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeHttpRequest } from './execute';
import { httpRequest } from './node';

const json = { 'content-type': 'application/json; charset=utf-8' };
const requesting = (config: JsonObject, response: Partial<OutboundResponse> = {}) =>
  fakeContext(httpRequest, {
    config: { url: 'https://example.com/{{input.id}}', ...config },
    input: { id: 7 },
    secrets: { TOKEN: 'canary' },
    respond: () => response,
  });

test('templates, secrets or limits did not reach the request', async () => {
  const fake = requesting({
    method: 'POST',
    headers: { Authorization: 'Bearer {{secrets.TOKEN}}' },
    bodyType: 'json',
    bodyJson: { id: '{{input.id}}', key: '{{secrets.TOKEN}}' },
    timeoutMs: 5,
    maxBytes: 9,
  });
  await executeHttpRequest.execute(fake.context);
  expect(fake.fetches).toEqual([
    {
      method: 'POST',
      url: 'https://example.com/7',
      headers: { Authorization: 'Bearer canary', 'content-type': 'application/json' },
      body: '{"id":7,"key":"canary"}',
      timeoutMs: 5,
      maxBytes: 9,
    },
  ]);
});

test('a content type of one’s own was doubled, or a GET got a body', async () => {
  const own = requesting({ method: 'PUT', headers: { 'Content-Type': 'application/merge-patch+json' }, bodyType: 'json' });
  await executeHttpRequest.execute(own.context);
  expect(own.fetches[0]?.headers).toEqual({ 'Content-Type': 'application/merge-patch+json' });
  const plain = requesting({ body: 'left over from text mode' });
  await executeHttpRequest.execute(plain.context);
  expect(plain.fetches[0]).not.toHaveProperty('body');
});

test('a failing status went on, or the error could not be retried', async () => {
  const busy = requesting({}, { status: 503, headers: { 'retry-after': '2' }, body: 'busy' });
  try {
    await executeHttpRequest.execute(busy.context);
    expect.unreachable();
  } catch (thrown) {
    expect(toErrorRecord(thrown)).toMatchObject({
      code: 'HTTP_STATUS',
      kind: 'operational',
      details: { status: 503, retryable: true, retryAfterMs: 2000 },
    });
  }
  expect(busy.decisions).toMatchObject([{ outcome: 'fail', because: [{ value: 503, threshold: 400, distance: 103, holds: true }] }]);
  expect(await codeOf(() => executeHttpRequest.execute(requesting({}, { status: 404 }).context))).toBe('HTTP_STATUS');
  expect(await executeHttpRequest.execute(requesting({ failOn: '500-and-above' }, { status: 404 }).context)).toMatchObject({
    output: { status: 404 },
  });
  expect(await executeHttpRequest.execute(requesting({ failOn: 'never' }, { status: 500 }).context)).toMatchObject({
    output: { status: 500 },
  });
});

test('JSON was read as text, text as JSON, or a cut answer as whole', async () => {
  const body = async (config: JsonObject, response: Partial<OutboundResponse>) =>
    JSON.parse(JSON.stringify((await executeHttpRequest.execute(requesting(config, response).context)).output)).body;
  expect(await body({}, { headers: json, body: '{"a":1}' })).toEqual({ a: 1 });
  expect(await body({}, { headers: { 'content-type': 'application/problem+json' }, body: '[1]' })).toEqual([1]);
  expect(await body({}, { body: '{"a":1}' })).toBe('{"a":1}');
  expect(await body({ parse: 'json' }, { body: '{"a":1}' })).toEqual({ a: 1 });
  expect(await body({ parse: 'text' }, { headers: json, body: '1' })).toBe('1');
  expect(await body({}, { headers: json, body: '{"a":', truncated: true })).toBe('{"a":');
  expect(await codeOf(() => executeHttpRequest.execute(requesting({ parse: 'json' }, { body: '{"a":', truncated: true }).context))).toBe(
    'HTTP_NOT_JSON',
  );
});
