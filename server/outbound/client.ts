import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { operationalError, userError } from '@/harness/contract/errors';
import type { OutboundRequest, OutboundResponse } from '@/harness/contract/execute';
import { isListed, isPublicAddress } from './addresses';
import { exchange, type PinnedAddress } from './exchange';
import { checkHeaders, redirected } from './request-rules';

export type Resolver = (hostname: string) => Promise<PinnedAddress[]>;

export interface OutboundOptions {
  /** Hosts (`host` or `host:port`) that may be reached although their address is not public, such as a service on this machine. */
  allowPrivate?: readonly string[];
  /** When given, no other host may be reached at all. */
  only?: readonly string[];
  /** Looks names up; tests bring their own. */
  resolver?: Resolver;
  maxRedirects?: number;
  /** Upper bounds, whatever a request asks for. */
  maxTimeoutMs?: number;
  maxBytes?: number;
}

/** The one way out (design §10). Throws `OUTBOUND_REFUSED` (user), `OUTBOUND_TIMEOUT`, `OUTBOUND_UNREACHABLE` (operational), `CANCELLED`. */
export interface OutboundClient {
  fetch(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse>;
}

const systemResolver: Resolver = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

const refused = (message: string): Error => userError('OUTBOUND_REFUSED', message, { retryable: false });

/** Parses and checks everything that can be told from the address itself. */
function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw refused(`"${text.slice(0, 200)}" is not a complete address. Write it with http:// or https://.`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused(`Only http and https may be used, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw refused('An address must not carry a user name or password. Send credentials in a header.');
  if (url.hostname === '') throw refused('The address names no host.');
  return url;
}

const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port));

export function createOutboundClient(options: OutboundOptions = {}): OutboundClient {
  const { allowPrivate = [], only, resolver = systemResolver, maxRedirects = 5, maxTimeoutMs = 300_000, maxBytes = 50_000_000 } = options;

  /** The address to connect to, checked. It is resolved once and pinned: a name cannot answer differently the second time. */
  async function pin(url: URL): Promise<PinnedAddress> {
    const port = portOf(url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (only !== undefined && !isListed(only, host, port)) {
      throw refused(`${url.host} is not on the list of hosts that may be reached. An administrator can add it.`);
    }
    const literal = isIP(host);
    const found: PinnedAddress[] = literal === 0 ? await resolveName(host) : [{ address: host, family: literal === 6 ? 6 : 4 }];
    const first = found[0];
    if (first === undefined) throw unreachable(url, 'its name has no address');
    if (isListed(allowPrivate, host, port)) return first;
    // One bad address among several is enough: whoever controls the name controls which is used.
    if (!found.every(({ address }) => isPublicAddress(address))) {
      throw refused(
        `${url.host} leads to this machine or a private network, which flows may not reach. An administrator can allow the host.`,
      );
    }
    return first;
  }

  async function resolveName(host: string): Promise<PinnedAddress[]> {
    try {
      return await resolver(host);
    } catch {
      throw operationalError('OUTBOUND_UNREACHABLE', `The name ${host} cannot be resolved. Check the spelling and the network.`, {
        retryable: true,
      });
    }
  }

  return {
    async fetch(request, signal) {
      const timeoutMs = Math.max(1, Math.min(request.timeoutMs, maxTimeoutMs));
      const timeout = AbortSignal.timeout(timeoutMs);
      const both = AbortSignal.any([signal, timeout]);
      let url = parseUrl(request.url);
      let current = { method: request.method.toUpperCase(), headers: checkHeaders(request.headers), body: request.body };
      try {
        for (let hop = 0; ; hop += 1) {
          const address = await untilAborted(pin(url), both);
          const answer = await exchange({ ...current, url, address, maxBytes: Math.min(request.maxBytes, maxBytes) }, both);
          const location = answer.headers.location;
          if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return { ...answer, url: url.href };
          if (hop >= maxRedirects) throw refused(`${request.url} redirects more than ${maxRedirects} times.`);
          if (!URL.canParse(location, url)) throw refused(`${url.host} redirects to something that is not an address.`);
          const next = parseUrl(new URL(location, url).href);
          if (url.protocol === 'https:' && next.protocol === 'http:') throw refused(`${url.host} redirects from https to http.`);
          current = redirected(current, answer.status, next.origin === url.origin);
          url = next;
        }
      } catch (error) {
        if (signal.aborted) throw operationalError('CANCELLED', 'The request was cancelled.', { retryable: false });
        if (timeout.aborted) {
          throw operationalError('OUTBOUND_TIMEOUT', `${url.host} did not answer within ${timeoutMs} ms.`, { retryable: true });
        }
        if (error instanceof Error && 'code' in error && typeof error.code === 'string' && !('kind' in error))
          throw unreachable(url, error.code);
        throw error;
      }
    },
  };
}

const unreachable = (url: URL, why: string): Error =>
  operationalError('OUTBOUND_UNREACHABLE', `${url.host} cannot be reached (${why}).`, { retryable: true });

/** A name lookup cannot be cancelled; whoever waits for it can stop waiting. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
