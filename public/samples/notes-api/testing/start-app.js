import { createServer } from 'node:http';
import { createApp } from '../src/app.js';

const PASSWORD = 'correct horse battery';

/** A running service with a clock that stands still until a test moves it. It stops with the test. */
export async function startApp(t) {
  let time = Date.UTC(2026, 0, 5, 9);
  const app = createApp({ now: () => time });
  const server = createServer(app.handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${server.address().port}`;

  async function call(method, path, { body, token } = {}) {
    const response = await fetch(base + path, {
      method,
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  }

  return {
    ...app,
    call,
    password: PASSWORD,
    /** Moves the clock on by some milliseconds. */
    pass: (milliseconds) => {
      time += milliseconds;
    },
    register: (email, password = PASSWORD) => call('POST', '/users', { body: { email, password } }),
    async signIn(email, password = PASSWORD) {
      return (await call('POST', '/sessions', { body: { email, password } })).json.token;
    },
  };
}
