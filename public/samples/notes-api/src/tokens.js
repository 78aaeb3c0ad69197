import { createHash, randomBytes } from 'node:crypto';

/** A secret for a client to hold: 256 bits, safe in a URL. */
export const newToken = () => randomBytes(32).toString('base64url');

/** What is stored in place of a token. */
export const hashToken = (token) => createHash('sha256').update(token).digest('hex');
