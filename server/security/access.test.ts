import { describe, expect, it } from 'vitest';
import { accessCookie, checkAccess, cookieValue } from './access';
import { assertSafeBinding, isOwnHost } from './addresses';

const local = { host: '127.0.0.1', token: null, allowHosts: [] };
const token = 'a-token-of-thirty-two-characters';
const open = { host: '0.0.0.0', token, allowHosts: ['bridle.example', 'proxy.example:8443'] };

const headers = (more: Record<string, string>) => new Headers({ host: '127.0.0.1:3000', ...more });

describe('binding', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'myhost', '10.0.0.1'])(
    'is refused on %s without a token (a machine open to its network)',
    (host) => {
      expect(() => assertSafeBinding({ host, token: null })).toThrow('BRIDLE_TOKEN');
      expect(() => assertSafeBinding({ host, token })).not.toThrow();
    },
  );
  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1', '[::1]'])('is fine on %s', (host) => {
    expect(() => assertSafeBinding({ host, token: null })).not.toThrow();
  });
});

describe('the host name', () => {
  it.each([
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '127.0.0.1@evil.example',
    'evil.example#127.0.0.1',
    '192.168.1.5:3000',
    '',
    ' ',
    '127.0.0.1:3000/path',
    'bridle.example',
  ])('%j is not ours (DNS rebinding)', (authority) => {
    expect(isOwnHost(authority, local)).toBe(false);
  });
  it.each(['127.0.0.1', '127.0.0.1:3000', 'LOCALHOST:80', '[::1]:3000', 'app.localhost:3000'])('%s is ours', (authority) => {
    expect(isOwnHost(authority, local)).toBe(true);
  });
  it('may be an address, or one that was allowed, where a token is asked for', () => {
    for (const authority of ['192.168.1.5:3000', 'bridle.example', 'bridle.example:443', 'proxy.example:8443'])
      expect(isOwnHost(authority, open)).toBe(true);
    for (const authority of ['other.example', 'proxy.example:1']) expect(isOwnHost(authority, open)).toBe(false);
  });
});

describe('access', () => {
  it('needs no token on loopback, and refuses other sites there (a web page that drives the local server)', () => {
    expect(checkAccess(headers({}), local)).toEqual({ allowed: true });
    expect(checkAccess(headers({ origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' }), local)).toEqual({ allowed: true });
    const foreigns: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:3001' },
      { origin: 'http://localhost:3000' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { host: 'evil.example' },
    ];
    for (const foreign of foreigns) {
      expect(checkAccess(headers(foreign), local)).toMatchObject({ allowed: false, code: 'FORBIDDEN' });
    }
  });

  it('takes the token by bearer or cookie, whole and unchanged (BR-77)', () => {
    expect(checkAccess(headers({ authorization: `Bearer ${token}` }), open)).toEqual({ allowed: true });
    expect(checkAccess(headers({ cookie: `a=b; ${accessCookie}=${cookieValue(token)}` }), open)).toEqual({ allowed: true });
    const wrongs: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${token}x` },
      { authorization: `Bearer ${token.slice(1)}` },
      { authorization: `Basic ${token}` },
      { authorization: 'Bearer ' },
      { cookie: `${accessCookie}=${token}` },
      { cookie: `${accessCookie}=` },
      { 'x-middleware-subrequest': 'middleware:middleware:middleware' },
      { 'x-forwarded-host': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
    ];
    for (const wrong of wrongs) {
      expect(checkAccess(headers(wrong), open)).toMatchObject({ allowed: false, code: 'UNAUTHORIZED' });
    }
  });
});
