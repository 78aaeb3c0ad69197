const shown = ({ id, email }) => ({ id, email });

export const userRoutes = ({ users, outbox }) => [
  {
    method: 'POST',
    path: '/users',
    open: true,
    async handle({ body }) {
      const user = await users.create(body);
      outbox.send({ to: user.email, subject: 'Welcome', text: 'Your notes are waiting for you.' });
      return { status: 201, json: shown(user) };
    },
  },
  {
    method: 'GET',
    path: '/users/me',
    handle: ({ session }) => ({ status: 200, json: shown(users.byId(session.userId)) }),
  },
];
