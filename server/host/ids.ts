import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new id that nobody can guess: `run_3kq…`, 100 bits. */
export function newId(prefix: 'flow' | 'run' | 'session' | 'message'): string {
  let text = '';
  for (const byte of randomBytes(20)) text += alphabet[byte % 32];
  return `${prefix}_${text}`;
}
