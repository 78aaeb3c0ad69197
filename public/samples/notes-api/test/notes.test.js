import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../testing/start-app.js';

async function signedIn(t) {
  const app = await startApp(t);
  await app.register('ada@example.org');
  return { app, token: await app.signIn('ada@example.org') };
}

test('a note is written, read, replaced and removed', async (t) => {
  const { app, token } = await signedIn(t);
  const { status, json: note } = await app.call('POST', '/notes', { token, body: { title: ' Milk ', text: 'two bottles' } });
  assert.equal(status, 201);
  assert.equal(note.title, 'Milk');
  app.pass(1000);
  const replaced = await app.call('PUT', `/notes/${note.id}`, { token, body: { title: 'Milk and tea' } });
  assert.deepEqual(replaced.json, { id: note.id, title: 'Milk and tea', text: '', updatedAt: note.updatedAt + 1000 });
  assert.equal((await app.call('DELETE', `/notes/${note.id}`, { token })).status, 204);
  assert.equal((await app.call('GET', `/notes/${note.id}`, { token })).status, 404);
});

test('the list begins with the latest note', async (t) => {
  const { app, token } = await signedIn(t);
  for (const title of ['first', 'second', 'third']) {
    await app.call('POST', '/notes', { token, body: { title } });
    app.pass(1000);
  }
  const { json } = await app.call('GET', '/notes', { token });
  assert.deepEqual(json.notes.map((note) => note.title), ['third', 'second', 'first']);
});

test('a note without a title is refused', async (t) => {
  const { app, token } = await signedIn(t);
  assert.equal((await app.call('POST', '/notes', { token, body: { title: '  ' } })).status, 422);
  assert.equal((await app.call('POST', '/notes', { token, body: { title: 'x', text: 7 } })).status, 422);
});

test('notes are not shown without a session', async (t) => {
  const { app } = await signedIn(t);
  assert.equal((await app.call('GET', '/notes')).json.error.code, 'unauthorized');
});
