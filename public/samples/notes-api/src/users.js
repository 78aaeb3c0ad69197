import { randomUUID } from 'node:crypto';
import { HttpError } from './http.js';
import { hashPassword, SHORTEST_PASSWORD, verifyPassword } from './passwords.js';

/** A hash that no password has, so that an unknown email takes as long as a wrong password. */
const NOBODY = `${'00'.repeat(16)}:${'00'.repeat(32)}`;

export function checkPassword(password) {
  if (typeof password === 'string' && password.length >= SHORTEST_PASSWORD) return;
  throw new HttpError(422, 'invalid_input', `A password has at least ${SHORTEST_PASSWORD} characters.`);
}

export function createUsers() {
  const byId = new Map();
  const idByEmail = new Map();
  const fold = (email) => String(email ?? '').trim().toLowerCase();

  return {
    byId: (id) => byId.get(id),
    byEmail: (email) => byId.get(idByEmail.get(fold(email))),

    async create({ email, password }) {
      const folded = fold(email);
      if (!/^[^@\s]+@[^@\s]+$/.test(folded)) throw new HttpError(422, 'invalid_input', 'An email has the form name@example.org.');
      checkPassword(password);
      if (idByEmail.has(folded)) throw new HttpError(409, 'email_taken', 'There is a user with this email.');
      const user = { id: randomUUID(), email: folded, passwordHash: await hashPassword(password) };
      byId.set(user.id, user);
      idByEmail.set(folded, user.id);
      return user;
    },

    /** The user whose email and password these are, or undefined. */
    async authenticate({ email, password }) {
      const user = this.byEmail(email);
      const right = await verifyPassword(String(password ?? ''), user?.passwordHash ?? NOBODY);
      return right ? user : undefined;
    },

    async setPassword(id, password) {
      checkPassword(password);
      byId.get(id).passwordHash = await hashPassword(password);
    },
  };
}
