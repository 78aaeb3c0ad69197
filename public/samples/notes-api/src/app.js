import { readJson, sendError, sendJson } from './http.js';
import { createNotes } from './notes.js';
import { createOutbox } from './outbox.js';
import { createRouter } from './router.js';
import { noteRoutes } from './routes/notes.js';
import { sessionRoutes } from './routes/sessions.js';
import { userRoutes } from './routes/users.js';
import { createSessions } from './sessions.js';
import { createUsers } from './users.js';

/** The service without a port: `now` gives the time in milliseconds, `outbox` takes the mails. */
export function createApp({ now = Date.now, outbox = createOutbox() } = {}) {
  const stores = { users: createUsers(), sessions: createSessions({ now }), notes: createNotes({ now }), outbox, now };
  const find = createRouter([...userRoutes(stores), ...sessionRoutes(stores), ...noteRoutes(stores)]);

  async function handler(request, response) {
    try {
      const { route, params } = find(request.method, request.url);
      const session = stores.sessions.of(request.headers.authorization);
      if (!route.open && !session) return sendError(response, 401, 'unauthorized', 'Sign in first.');
      const body = request.method === 'POST' || request.method === 'PUT' ? await readJson(request) : undefined;
      const { status, json } = await route.handle({ params, body, session });
      sendJson(response, status, json);
    } catch (error) {
      if (error.status) return sendError(response, error.status, error.code, error.message);
      sendError(response, 500, 'internal', 'Something failed on our side.');
    }
  }

  return { handler, ...stores };
}
