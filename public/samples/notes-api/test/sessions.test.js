import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SESSION_MS } from '../src/sessions.js';
import { startApp } from '../testing/start-app.js';

test('signing in gives a token that works until it is deleted', async (t) => {
  const app = await startApp(t);
  await app.register('ada@example.org');
  const token = await app.signIn('ada@example.org');
  assert.equal((await app.call('GET', '/users/me', { token })).json.email, 'ada@example.org');
  assert.equal((await app.call('DELETE', '/sessions/current', { token })).status, 204);
  assert.equal((await app.call('GET', '/users/me', { token })).status, 401);
});

test('a wrong password does not sign in', async (t) => {
  const app = await startApp(t);
  await app.register('ada@example.org');
  const body = { email: 'ada@example.org', password: 'wrong horse battery' };
  assert.equal((await app.call('POST', '/sessions', { body })).status, 401);
});

test('a session ends after twelve hours', async (t) => {
  const app = await startApp(t);
  await app.register('ada@example.org');
  const token = await app.signIn('ada@example.org');
  app.pass(SESSION_MS - 1);
  assert.equal((await app.call('GET', '/notes', { token })).status, 200);
  app.pass(1);
  assert.equal((await app.call('GET', '/notes', { token })).status, 401);
});

test('a user ends all sessions at once and nobody else’s', async (t) => {
  const app = await startApp(t);
  const { json: ada } = await app.register('ada@example.org');
  await app.register('bob@example.org');
  const token = await app.signIn('ada@example.org');
  const other = await app.signIn('bob@example.org');
  app.sessions.endAll(ada.id);
  assert.equal((await app.call('GET', '/notes', { token })).status, 401);
  assert.equal((await app.call('GET', '/notes', { token: other })).status, 200);
});
