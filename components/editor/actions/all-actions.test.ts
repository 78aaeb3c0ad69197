import { expect, test } from 'vitest';
import { allActions } from './all-actions';

test('no two commands share an id or a shortcut, or the keyboard would do the wrong one', () => {
  const ids = allActions.map((action) => action.id);
  expect(new Set(ids).size).toBe(ids.length);
  const shortcuts = allActions.flatMap((action) => action.shortcuts ?? []);
  expect(shortcuts.filter((shortcut, at) => shortcuts.indexOf(shortcut) !== at)).toEqual([]);
});

test('a command that works while writing needs a modifier, or it would swallow letters', () => {
  for (const action of allActions) {
    if (!action.whileWriting) continue;
    for (const shortcut of action.shortcuts ?? []) expect(shortcut, action.id).toMatch(/^Mod\+/);
  }
});
