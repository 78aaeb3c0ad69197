// An earlier version answered 404 for an unknown email, so anybody could find out who has an account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../testing/start-app.js';

test('signing in does not tell an unknown email from a wrong password', async (t) => {
  const app = await startApp(t);
  await app.register('ada@example.org');
  const known = await app.call('POST', '/sessions', { body: { email: 'ada@example.org', password: 'wrong horse battery' } });
  const unknown = await app.call('POST', '/sessions', { body: { email: 'eve@example.org', password: 'wrong horse battery' } });
  assert.equal(unknown.status, 401);
  assert.deepEqual(unknown, known);
});
