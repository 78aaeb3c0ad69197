import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { userError } from '@/harness/contract/errors';
import type { Environment } from '../env';

const loopbackNames = new Set(['localhost', 'localhost.localdomain', 'ip6-localhost']);

/** An address without brackets, lower case. */
const plain = (host: string): string => host.replace(/^\[|\]$/g, '').toLowerCase();

const isLoopback = (host: string): boolean => {
  const name = plain(host);
  if (loopbackNames.has(name) || name.endsWith('.localhost')) return true;
  return isIP(name) !== 0 && ipaddr.process(name).range() === 'loopback';
};

/** Throws `TOKEN_REQUIRED` when the server would be reachable from other machines and nobody would be asked for a token. */
export function assertSafeBinding(environment: Pick<Environment, 'host' | 'token'>): void {
  if (isLoopback(environment.host) || environment.token !== null) return;
  throw userError(
    'TOKEN_REQUIRED',
    `Bridle does not listen on ${environment.host} without a token, because anyone who reaches it could run flows on this machine. Set BRIDLE_TOKEN to a long random text, or leave HOST unset.`,
  );
}

/** The host name of a `Host` header or an authority, without its port; null when it is not one. */
export function hostNameOf(authority: string): string | null {
  const url = `http://${authority}`;
  if (!/^[^\s/?#@\\]+$/.test(authority) || !URL.canParse(url)) return null;
  return plain(new URL(url).hostname);
}

/**
 * Whether the server may be called by this name. A page of somebody else can point its own name at 127.0.0.1 (DNS rebinding), so only names that
 * are known to be ours are let in; an address cannot be rebound, and is let in where a token is asked for.
 */
export function isOwnHost(authority: string, environment: Pick<Environment, 'host' | 'token' | 'allowHosts'>): boolean {
  const name = hostNameOf(authority);
  if (name === null) return false;
  if (isLoopback(name) || name === plain(environment.host)) return true;
  if (environment.allowHosts.some((allowed) => allowed === name || allowed === authority.toLowerCase())) return true;
  return environment.token !== null && isIP(name) !== 0;
}
