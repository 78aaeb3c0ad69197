import { hashToken, newToken } from './tokens.js';

export const SESSION_MS = 12 * 60 * 60 * 1000;

export function createSessions({ now }) {
  const byHash = new Map();

  return {
    create(userId) {
      const token = newToken();
      const expiresAt = now() + SESSION_MS;
      byHash.set(hashToken(token), { userId, expiresAt });
      return { token, expiresAt };
    },

    /** The session of an `Authorization` header, or undefined when it is missing, unknown or over. */
    of(header) {
      const [scheme, token] = (header ?? '').split(' ');
      if (scheme !== 'Bearer' || !token) return undefined;
      const hash = hashToken(token);
      const session = byHash.get(hash);
      if (!session) return undefined;
      if (session.expiresAt > now()) return { ...session, hash };
      byHash.delete(hash);
      return undefined;
    },

    end(hash) {
      byHash.delete(hash);
    },

    /** Ends every session of a user. */
    endAll(userId) {
      for (const [hash, session] of byHash) if (session.userId === userId) byHash.delete(hash);
    },
  };
}
