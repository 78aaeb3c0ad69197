export const noteRoutes = ({ notes }) => [
  {
    method: 'GET',
    path: '/notes',
    handle: ({ session }) => ({ status: 200, json: { notes: notes.list(session.userId) } }),
  },
  {
    method: 'POST',
    path: '/notes',
    handle: ({ session, body }) => ({ status: 201, json: notes.create(session.userId, body) }),
  },
  {
    method: 'GET',
    path: '/notes/:id',
    handle: ({ session, params }) => ({ status: 200, json: notes.get(session.userId, params.id) }),
  },
  {
    method: 'PUT',
    path: '/notes/:id',
    handle: ({ session, params, body }) => ({ status: 200, json: notes.replace(session.userId, params.id, body) }),
  },
  {
    method: 'DELETE',
    path: '/notes/:id',
    handle({ session, params }) {
      notes.remove(session.userId, params.id);
      return { status: 204 };
    },
  },
];
