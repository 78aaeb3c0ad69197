import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../testing/start-app.js';

test('a user registers and is told so by mail', async (t) => {
  const app = await startApp(t);
  const { status, json } = await app.register('Ada@Example.org');
  assert.equal(status, 201);
  assert.equal(json.email, 'ada@example.org');
  assert.deepEqual(app.outbox.sentTo('ada@example.org').map((mail) => mail.subject), ['Welcome']);
});

test('an email is taken whatever its case', async (t) => {
  const app = await startApp(t);
  await app.register('ada@example.org');
  const { status, json } = await app.register('ADA@example.org');
  assert.equal(status, 409);
  assert.equal(json.error.code, 'email_taken');
});

test('a short password and a broken email are refused', async (t) => {
  const app = await startApp(t);
  assert.equal((await app.register('ada@example.org', 'short')).status, 422);
  assert.equal((await app.register('ada')).status, 422);
});

test('the password is not stored and not shown', async (t) => {
  const app = await startApp(t);
  const { json } = await app.register('ada@example.org');
  assert.deepEqual(Object.keys(json).sort(), ['email', 'id']);
  assert.ok(!JSON.stringify(app.users.byId(json.id)).includes(app.password));
});
