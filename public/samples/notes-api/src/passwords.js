import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt);
const KEY_BYTES = 32;
const COST = { N: 2 ** 11, r: 8, p: 1 };

export const SHORTEST_PASSWORD = 10;

/** `salt:key`, both in hex. */
export async function hashPassword(password) {
  const salt = randomBytes(16);
  const key = await derive(password, salt, KEY_BYTES, COST);
  return `${salt.toString('hex')}:${key.toString('hex')}`;
}

export async function verifyPassword(password, hash) {
  const [salt, key] = hash.split(':').map((part) => Buffer.from(part, 'hex'));
  return timingSafeEqual(await derive(password, salt, KEY_BYTES, COST), key);
}
