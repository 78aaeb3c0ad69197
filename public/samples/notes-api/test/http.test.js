import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../testing/start-app.js';

test('an address that does not exist is 404', async (t) => {
  const app = await startApp(t);
  assert.equal((await app.call('GET', '/nothing')).status, 404);
});

test('a body that is no object is 400, one that is too large is 413', async (t) => {
  const app = await startApp(t);
  assert.equal((await app.call('POST', '/users', { body: [1, 2] })).status, 400);
  assert.equal((await app.call('POST', '/users', { body: { email: 'x'.repeat(17 * 1024) } })).status, 413);
});
