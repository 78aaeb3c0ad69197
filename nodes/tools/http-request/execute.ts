import { operationalError, userError } from '@/harness/contract/errors';
import { type ExecuteContext, implementNode, type OutboundResponse } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { readJson } from '../../support/structured';
import { fillJson } from '../../support/templates';
import { httpRequest } from './node';

type Context = ExecuteContext<ConfigOf<typeof httpRequest>>;

export const executeHttpRequest = implementNode(httpRequest, async (context) => {
  const { method, url, timeoutMs, maxBytes } = context.config;
  const body = bodyOf(context);
  const response = await context.fetch({
    method,
    url: context.text(url).trim(),
    headers: headersOf(context),
    ...(body === undefined ? {} : { body }),
    timeoutMs,
    maxBytes,
  });
  refuseStatus(context, response);
  const { status, headers, truncated } = response;
  return { output: { status, headers, body: read(context, response), truncated, url: response.url } };
});

function headersOf(context: Context): Record<string, string> {
  const filled = Object.entries(context.config.headers).map(([name, value]): [string, string] => [name, context.text(value)]);
  const typed = filled.some(([name]) => name.toLowerCase() === 'content-type');
  if (context.config.bodyType === 'json' && !typed) filled.push(['content-type', 'application/json']);
  return Object.fromEntries(filled);
}

function bodyOf(context: Context): string | undefined {
  const { bodyType, body, bodyJson } = context.config;
  if (bodyType === 'none') return undefined;
  return bodyType === 'text' ? context.text(body) : JSON.stringify(fillJson(context, bodyJson));
}

const thresholds = { '400-and-above': 400, '500-and-above': 500 } as const;

function refuseStatus(context: Context, response: OutboundResponse): void {
  const { failOn, method } = context.config;
  if (failOn === 'never') return;
  const { status } = response;
  const threshold = thresholds[failOn];
  const fails = status >= threshold;
  context.decide({
    rule: 'status that counts as failure',
    outcome: fails ? 'fail' : 'go on',
    because: [{ name: 'status', value: status, operator: '>=', threshold, distance: Math.abs(status - threshold), holds: fails }],
  });
  if (!fails) return;
  const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
  throw operationalError('HTTP_STATUS', `${method} ${response.url} answered ${status}: ${response.body.slice(0, 200)}`, {
    status,
    retryable: status >= 500 || status === 429 || status === 408,
    ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}),
  });
}

function read(context: Context, response: OutboundResponse): Json {
  const { parse } = context.config;
  const declared = /[/+]json\b/i.test(response.headers['content-type'] ?? '');
  if (parse === 'text' || (parse === 'auto' && !declared)) return response.body;
  const value = readJson(response.body);
  if (value !== undefined) return value;
  if (parse === 'auto') return response.body;
  const reason = response.truncated ? 'it was cut at the longest length allowed' : 'it is not JSON';
  throw userError('HTTP_NOT_JSON', `The answer of ${response.url} cannot be read as JSON: ${reason}. Read it as text, or raise the limit.`);
}
