import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

const sign = (body: string, secret: string, seconds: number): string =>
  createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');

/** One `v1` entry for each secret: two while a secret is being rotated. */
export function signatureHeader(body: string, secrets: readonly string[], now: number): string {
  const seconds = Math.floor(now / 1000);
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${sign(body, secret, seconds)}`)].join(',');
}

export function isSigned(header: string, body: string, secret: string, now: number): boolean {
  const seconds = Number(/t=(\d+)/.exec(header)?.[1]);
  if (!Number.isFinite(seconds) || Math.abs(now / 1000 - seconds) > toleranceSeconds) return false;
  const expected = Buffer.from(sign(body, secret, seconds));
  return [...header.matchAll(/v1=([0-9a-f]+)/g)].some((entry) => {
    const given = Buffer.from(entry[1] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
