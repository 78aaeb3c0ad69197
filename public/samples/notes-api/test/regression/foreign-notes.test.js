// An earlier version looked notes up by id alone, so a guessed id opened the note of somebody else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../testing/start-app.js';

test('the note of somebody else is answered as one that does not exist', async (t) => {
  const app = await startApp(t);
  await app.register('ada@example.org');
  await app.register('bob@example.org');
  const ada = await app.signIn('ada@example.org');
  const bob = await app.signIn('bob@example.org');
  const { json: note } = await app.call('POST', '/notes', { token: ada, body: { title: 'Diary' } });
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { title: 'Mine now' } : undefined;
    const foreign = await app.call(method, `/notes/${note.id}`, { token: bob, body });
    const absent = await app.call(method, '/notes/none', { token: bob, body });
    assert.equal(foreign.status, 404);
    assert.deepEqual(foreign, absent);
  }
  assert.equal((await app.call('GET', `/notes/${note.id}`, { token: ada })).json.title, 'Diary');
});
