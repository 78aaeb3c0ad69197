import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toErrorRecord } from '@/harness/contract/errors';
import type { OutboundRequest } from '@/harness/contract/execute';
import { createOutboundClient, type OutboundOptions, type Resolver } from './client';

let server: Server;
let port: number;
let seen: IncomingMessage[];
let handle: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  seen = [];
  handle = (_request, response) => response.end('hello');
  server = createServer((request, response) => {
    seen.push(request);
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address object.
  port = (server.address() as AddressInfo).port;
});
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

const never = new AbortController().signal;
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeoutMs: 5000,
  maxBytes: 100_000,
  ...more,
});

const local = (options: OutboundOptions = {}) => createOutboundClient({ allowPrivate: [`127.0.0.1:${port}`], ...options });
const here = (path = '/') => `http://127.0.0.1:${port}${path}`;

const failure = async (work: Promise<unknown>) =>
  toErrorRecord(
    await work.then(
      () => null,
      (error: unknown) => error,
    ),
  );

const fixed =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('addresses that lead inside are refused before anything is sent', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://127.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://127.0.0.1./',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://198.18.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://localhost/',
  ])('%s', async (url) => {
    expect(await failure(createOutboundClient().fetch(get(url), never))).toMatchObject({ code: 'OUTBOUND_REFUSED' });
  });

  it.each([
    ['http://user@example.com/', 'user name'],
    ['http://user:CANARY-7f3a@example.com/', 'user name'],
    ['file:///etc/passwd', 'file:'],
    ['ftp://example.com/', 'ftp:'],
    ['gopher://127.0.0.1:6379/_INFO', 'gopher:'],
    ['data:text/plain,hello', 'data:'],
    ['//example.com/', 'complete address'],
    ['not an address', 'complete address'],
  ])('%s', async (url, part) => {
    const error = await failure(createOutboundClient({ resolver: fixed('8.8.8.8') }).fetch(get(url), never));
    expect(error.code).toBe('OUTBOUND_REFUSED');
    expect(error.message).toContain(part);
    expect(error.message).not.toContain('CANARY');
  });

  it.each([
    ['one of several is private', ['8.8.8.8', '10.0.0.1']],
    ['it is the metadata address', ['169.254.169.254']],
    ['it is mapped into IPv6', ['::ffff:10.0.0.1']],
    ['it is no address', ['localhost']],
  ])('a name is refused when %s', async (_name, addresses) => {
    const client = createOutboundClient({ resolver: fixed(...addresses) });
    expect(await failure(client.fetch(get('http://innocent.test/'), never))).toMatchObject({ code: 'OUTBOUND_REFUSED' });
  });
});

describe('a name that answers differently the second time', () => {
  it('is asked once: the connection goes to the first answer, which was the one checked', async () => {
    let asked = 0;
    const resolver: Resolver = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    let reached: string | undefined;
    handle = (request, response) => {
      reached = request.socket.localAddress;
      response.end();
    };
    const client = createOutboundClient({ allowPrivate: [`rebind.test:${port}`], resolver });
    expect((await client.fetch(get(`http://rebind.test:${port}/`), never)).status).toBe(200);
    expect({ asked, reached }).toEqual({ asked: 1, reached: '127.0.0.1' });
  });

  it('is refused when the second request finds it inside', async () => {
    let asked = 0;
    const resolver: Resolver = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '8.8.8.8' : '127.0.0.1', family: 4 }];
    };
    const client = createOutboundClient({ resolver });
    // Already aborted: the name passes the check, and nothing is sent to an address outside.
    expect(await failure(client.fetch(get(`http://rebind.test:${port}/`), AbortSignal.abort()))).not.toMatchObject({
      code: 'OUTBOUND_REFUSED',
    });
    expect(await failure(client.fetch(get(`http://rebind.test:${port}/`), never))).toMatchObject({ code: 'OUTBOUND_REFUSED' });
    expect({ asked, seen: seen.length }).toEqual({ asked: 2, seen: 0 });
  });

  it('really connects to the pinned address and sends the name as host', async () => {
    const client = createOutboundClient({ allowPrivate: [`pinned.test:${port}`], resolver: fixed('127.0.0.1') });
    expect(await client.fetch(get(`http://pinned.test:${port}/x`), never)).toMatchObject({ status: 200, body: 'hello' });
    expect(seen[0]?.headers.host).toBe(`pinned.test:${port}`);
  });

  it('is checked anew on every redirect', async () => {
    handle = (_request, response) => response.writeHead(302, { location: `http://inner.test:${port}/` }).end();
    const client = local({ resolver: fixed('127.0.0.1') });
    expect(await failure(client.fetch(get(here()), never))).toMatchObject({ code: 'OUTBOUND_REFUSED' });
    expect(seen).toHaveLength(1);
  });
});

describe('redirects', () => {
  it.each([
    ['loopback by number', () => `http://127.0.0.2:${port}/`],
    ['metadata', () => 'http://169.254.169.254/'],
    ['a file', () => 'file:///etc/passwd'],
    ['credentials', () => 'http://user:pass@example.com/'],
  ])('to %s are refused', async (_name, location) => {
    handle = (_request, response) => response.writeHead(302, { location: location() }).end();
    expect(await failure(local().fetch(get(here()), never))).toMatchObject({ code: 'OUTBOUND_REFUSED' });
    expect(seen).toHaveLength(1);
  });

  it('lose credentials when they lead to another origin, and keep them when not', async () => {
    handle = (request, response) => {
      if (request.url === '/same') response.writeHead(307, { location: '/next' }).end();
      else if (request.url === '/next') response.writeHead(302, { location: `http://other.test:${port}/end` }).end();
      else response.end('end');
    };
    const client = local({ allowPrivate: [`127.0.0.1:${port}`, `other.test:${port}`], resolver: fixed('127.0.0.1') });
    const headers = { Authorization: 'Bearer CANARY-7f3a', 'X-Api-Key': 'CANARY-7f3a', Cookie: 'a=CANARY-7f3a', Accept: 'text/plain' };
    await client.fetch(get(here('/same'), { headers }), never);
    expect(seen[1]?.headers.authorization).toBe('Bearer CANARY-7f3a');
    expect(JSON.stringify(seen[2]?.headers)).not.toContain('CANARY');
    expect(seen[2]?.headers.accept).toBe('text/plain');
  });

  it('turn a post into a get where a browser would, and stop after a few', async () => {
    handle = (request, response) => response.writeHead(request.url === '/post' ? 303 : 302, { location: '/loop' }).end();
    const error = await failure(local().fetch(get(here('/post'), { method: 'POST', body: '{}' }), never));
    expect(error.message).toContain('more than 5 times');
    expect(seen.map((request) => request.method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET', 'GET']);
  });
});

describe('what is sent and what comes back', () => {
  it('sends method, headers and body, and gives the answer whole', async () => {
    const bodies: string[] = [];
    handle = (request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.writeHead(201, { 'content-type': 'text/plain', 'x-a': 'b' }).end('grüße'));
    };
    const response = await local().fetch(get(here('/p?q=1'), { method: 'post', headers: { 'X-Test': 'yes' }, body: 'wörld' }), never);
    expect(response).toMatchObject({ status: 201, body: 'grüße', truncated: false, url: here('/p?q=1') });
    expect(response.headers['x-a']).toBe('b');
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/p?q=1' });
    expect(seen[0]?.headers['x-test']).toBe('yes');
    expect(bodies.join('')).toBe('wörld');
  });

  it('cuts a body at its limit', async () => {
    handle = (_request, response) => response.end('x'.repeat(50_000));
    const response = await local().fetch(get(here(), { maxBytes: 1000 }), never);
    expect(response.body).toHaveLength(1000);
    expect(response.truncated).toBe(true);
  });

  it('counts the unpacked bytes, so that a small file cannot unpack into a large one', async () => {
    handle = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('y'.repeat(5_000_000)));
    const response = await local().fetch(get(here(), { maxBytes: 2000 }), never);
    expect(response.body).toBe('y'.repeat(2000));
    expect(response.truncated).toBe(true);
  });

  it.each(['Host', 'connection', 'Transfer-Encoding', 'content-length'])('refuses the header %s', async (name) => {
    expect(await failure(local().fetch(get(here(), { headers: { [name]: 'x' } }), never))).toMatchObject({ code: 'OUTBOUND_REFUSED' });
    expect(seen).toHaveLength(0);
  });

  it('refuses a header with a line break without repeating its value', async () => {
    const error = await failure(local().fetch(get(here(), { headers: { 'x-a': 'CANARY-7f3a\r\nHost: evil' } }), never));
    expect(error.code).toBe('OUTBOUND_REFUSED');
    expect(error.message).not.toContain('CANARY');
  });
});

describe('limits', () => {
  it('gives up after its time, also while a body trickles', async () => {
    handle = (_request, response) => {
      response.write('a');
    };
    expect(await failure(local().fetch(get(here(), { timeoutMs: 100 }), never))).toMatchObject({
      code: 'OUTBOUND_TIMEOUT',
      details: { retryable: true },
    });
  });

  it('stops when it is cancelled, and the server sees it', async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      handle = (_request, response) => {
        response.on('close', resolve);
        controller.abort();
      };
    });
    expect(await failure(local().fetch(get(here()), controller.signal))).toMatchObject({ code: 'CANCELLED' });
    await closed;
  });

  it('does not wait for a name that never resolves', async () => {
    const client = createOutboundClient({ resolver: () => new Promise(() => undefined) });
    expect(await failure(client.fetch(get('http://slow.test/', { timeoutMs: 50 }), never))).toMatchObject({ code: 'OUTBOUND_TIMEOUT' });
  });

  it('reports a host that is not there as worth another try', async () => {
    const client = createOutboundClient({ allowPrivate: ['127.0.0.1:1'] });
    expect(await failure(client.fetch(get('http://127.0.0.1:1/'), never))).toMatchObject({
      code: 'OUTBOUND_UNREACHABLE',
      kind: 'operational',
      details: { retryable: true },
    });
  });

  it('reaches only listed hosts where there is a list', async () => {
    const client = local({ only: ['example.com'] });
    expect(await failure(client.fetch(get(here()), never))).toMatchObject({ code: 'OUTBOUND_REFUSED' });
  });
});
