import { userError } from '@/harness/contract/errors';

export interface OutgoingRequest {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Headers that belong to the connection; a flow that sets them could speak to another host or smuggle a second request. */
const ours = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'keep-alive',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
  'proxy-connection',
]);
/** What may follow to another origin; everything else could be a credential. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent', 'cache-control']);

/** Lower-case names; throws `OUTBOUND_REFUSED` for headers of the connection and for unsendable text. */
export function checkHeaders(headers: Record<string, string>): Record<string, string> {
  const checked: Record<string, string> = { 'user-agent': 'bridle', accept: '*/*', 'accept-encoding': 'gzip, deflate, br' };
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    // The value is not repeated: it may hold a secret.
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      throw userError('OUTBOUND_REFUSED', `"${name.slice(0, 60)}" is not a header name.`, { retryable: false });
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw userError('OUTBOUND_REFUSED', `The value of the header ${name} holds characters that cannot be sent.`, { retryable: false });
    }
    if (ours.has(lower))
      throw userError('OUTBOUND_REFUSED', `The header ${name} is set by Bridle and cannot be changed.`, { retryable: false });
    if (lower !== 'accept-encoding') checked[lower] = value;
  }
  return checked;
}

/** The request that follows a redirect: as a browser would send it, without credentials when the origin is another. */
export function redirected(request: OutgoingRequest, status: number, sameOrigin: boolean): OutgoingRequest {
  const becomesGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST');
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) => (sameOrigin || harmless.has(name) || name === 'accept-encoding') && !(becomesGet && name === 'content-type'),
    ),
  );
  if (!becomesGet) return { ...request, headers };
  return { method: request.method === 'HEAD' ? 'HEAD' : 'GET', headers, body: undefined };
}
