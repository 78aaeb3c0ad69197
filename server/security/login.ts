import type { Environment } from '../env';
import { accessCookie, checkOrigin, cookieValue, tokenMatches } from './access';

type Rules = Pick<Environment, 'host' | 'token' | 'allowHosts'>;

/** How long a browser stays let in, in seconds. */
const cookieAge = 30 * 24 * 3600;

const page = (message: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bridle</title>
<style>body{font:16px/1.5 system-ui;max-width:24rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}input,button{font:inherit;padding:.5rem;width:100%;box-sizing:border-box;margin:.25rem 0}</style>
<form method="post" action="/api/login"><h1>Bridle</h1><p>${message}</p>
<label>Token <input name="token" type="password" autocomplete="current-password" autofocus required></label><button>Enter</button></form></html>`;

const html = (status: number, message: string): Response =>
  new Response(page(message), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    },
  });

/** The form that asks for the token. */
export function loginForm(rules: Rules): Response {
  if (rules.token === null) return new Response(null, { status: 303, headers: { location: '/' } });
  return html(200, 'This server asks for its token, the value of BRIDLE_TOKEN.');
}

/** Takes the token and lets the browser in by a cookie that scripts cannot read and other sites cannot send. */
export async function login(request: Request, rules: Rules): Promise<Response> {
  if (rules.token === null) return new Response(null, { status: 303, headers: { location: '/' } });
  const origin = checkOrigin(request.headers, rules);
  if (!origin.allowed) return html(403, origin.message);
  const form = await request.formData().catch(() => null);
  const given = form?.get('token');
  if (typeof given !== 'string' || !tokenMatches(given.trim(), rules.token)) return html(401, 'That is not the token.');
  const secure = request.headers.get('origin')?.startsWith('https:') === true ? '; Secure' : '';
  const cookie = `${accessCookie}=${cookieValue(rules.token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${cookieAge}${secure}`;
  return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': cookie, 'cache-control': 'no-store' } });
}
