import { randomUUID } from 'node:crypto';
import { HttpError } from './http.js';

const LONGEST_TITLE = 120;

function checkNote({ title, text = '' }) {
  if (typeof title !== 'string' || title.trim() === '' || title.length > LONGEST_TITLE)
    throw new HttpError(422, 'invalid_input', `A title has 1 to ${LONGEST_TITLE} characters.`);
  if (typeof text !== 'string') throw new HttpError(422, 'invalid_input', 'The text of a note is a string.');
  return { title: title.trim(), text };
}

export function createNotes({ now }) {
  const byId = new Map();
  const own = (userId, id) => {
    const note = byId.get(id);
    if (note?.userId !== userId) throw new HttpError(404, 'not_found', 'There is no such note.');
    return note;
  };
  const shown = ({ userId, ...note }) => note;

  return {
    list: (userId) =>
      [...byId.values()]
        .filter((note) => note.userId === userId)
        .sort((a, b) => b.updatedAt - a.updatedAt)
        .map(shown),
    get: (userId, id) => shown(own(userId, id)),
    create(userId, input) {
      const note = { id: randomUUID(), userId, ...checkNote(input), updatedAt: now() };
      byId.set(note.id, note);
      return shown(note);
    },
    replace(userId, id, input) {
      const note = own(userId, id);
      Object.assign(note, checkNote(input), { updatedAt: now() });
      return shown(note);
    },
    remove(userId, id) {
      byId.delete(own(userId, id).id);
    },
  };
}
