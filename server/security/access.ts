import { createHash, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../env';
import { isOwnHost } from './addresses';

export type Access = { allowed: true } | { allowed: false; code: 'UNAUTHORIZED' | 'FORBIDDEN'; message: string };

export const accessCookie = 'bridle_access';

type AccessRules = Pick<Environment, 'host' | 'token' | 'allowHosts'>;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** What the cookie holds: proof of the token, not the token. */
export const cookieValue = (token: string): string => createHash('sha256').update(`bridle access cookie\n${token}`).digest('base64url');

export const tokenMatches = (given: string, token: string): boolean => same(given, token);

function cookies(header: string | null): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0) found.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
  }
  return found;
}

const forbidden = (message: string): Access => ({ allowed: false, code: 'FORBIDDEN', message });

/** Refuses callers that come by a foreign name or from a foreign page; reading is guarded like changing (BR-77). */
export function checkOrigin(headers: Headers, rules: AccessRules): Access {
  const host = headers.get('host');
  if (host === null || !isOwnHost(host, rules)) {
    return forbidden('This server is not known by that name. Add the name to BRIDLE_ALLOW_HOSTS if it is yours.');
  }
  const origin = headers.get('origin');
  if (origin !== null) {
    const authority = URL.canParse(origin) ? new URL(origin).host : '';
    if (authority === '' || authority.toLowerCase() !== host.toLowerCase()) return forbidden('Requests from other sites are not answered.');
  }
  // browsers say where a request began even where they send no Origin
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return forbidden('Requests from other sites are not answered.');
  return { allowed: true };
}

/** Whether this caller may come in: by a name of ours, from a page of ours, with the token where one is set. */
export function checkAccess(headers: Headers, rules: AccessRules): Access {
  const origin = checkOrigin(headers, rules);
  if (!origin.allowed || rules.token === null) return origin;
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trim();
  if (bearer !== undefined && tokenMatches(bearer, rules.token)) return { allowed: true };
  const cookie = cookies(headers.get('cookie')).get(accessCookie);
  if (cookie !== undefined && same(cookie, cookieValue(rules.token))) return { allowed: true };
  return {
    allowed: false,
    code: 'UNAUTHORIZED',
    message: 'This server asks for a token. Open /api/login and enter the value of BRIDLE_TOKEN.',
  };
}
