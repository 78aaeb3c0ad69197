import { HttpError } from '../http.js';

export const sessionRoutes = ({ users, sessions }) => [
  {
    method: 'POST',
    path: '/sessions',
    open: true,
    async handle({ body }) {
      const user = await users.authenticate(body);
      if (!user) throw new HttpError(401, 'wrong_credentials', 'Email or password is wrong.');
      const { token, expiresAt } = sessions.create(user.id);
      return { status: 201, json: { token, expiresAt: new Date(expiresAt).toISOString() } };
    },
  },
  {
    method: 'DELETE',
    path: '/sessions/current',
    handle({ session }) {
      sessions.end(session.hash);
      return { status: 204 };
    },
  },
];
