import { describe, expect, test } from 'vitest';
import { changesLine, countWords, outcomeWords, readChanges } from './change-words';
import { readDiff } from './diff-lines';

const diff = (...lines: string[]): string => `--- a/x\n+++ b/x\n${lines.join('\n')}\n`;

describe('a diff', () => {
  test('counts by the hunk, not by looks (bug: a removed "-- note" and an added "++ x" are taken for file headers)', () => {
    const read = readDiff(diff('@@ -1,3 +1,3 @@', '--- note', ' same', '-old', '+++ x', '+new'));
    expect(read).toMatchObject({ added: 2, removed: 2, whole: true });
    expect(read.lines.map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
      ['hunk', '@@ -1,3 +1,3 @@', null, null],
      ['removed', '-- note', 1, null],
      ['same', 'same', 2, 1],
      ['removed', 'old', 3, null],
      ['added', '++ x', null, 2],
      ['added', 'new', null, 3],
    ]);
  });

  test('a context line that reads like a hunk head stays context (bug: line numbers jump)', () => {
    const read = readDiff(diff('@@ -5,2 +5,2 @@', ' @@ -1,9 +1,9 @@', '-a', '+b'));
    expect(read.lines[1]).toEqual({ kind: 'same', text: '@@ -1,9 +1,9 @@', before: 5, after: 5 });
    expect(read.lines[3]).toMatchObject({ kind: 'added', after: 6 });
  });

  test('a head without counts means one line; a missing end of line is a note, not a line', () => {
    const read = readDiff(diff('@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+b'));
    expect(read).toMatchObject({ added: 1, removed: 1, whole: true });
    expect(read.lines.map(({ kind }) => kind)).toEqual(['hunk', 'removed', 'note', 'added']);
  });

  test('a cut diff and one that was given up are not whole (bug: "+1 −0" is shown for a file with 5,000 new lines)', () => {
    const cut = readDiff(diff('@@ -0,0 +1,5000 @@', '+a', '(the rest of the diff is cut)'));
    expect(cut).toMatchObject({ added: 1, whole: false });
    expect(cut.lines.at(-1)).toMatchObject({ kind: 'note', text: 'the rest of the diff is cut' });
    expect(readDiff(diff('@@ -0,0 +1,3 @@', '+a')).whole).toBe(false);
    const givenUp = readDiff(diff('(the files differ in more than 4000 lines)'));
    expect(givenUp).toMatchObject({ added: 0, removed: 0, whole: false });
    expect(givenUp.lines).toHaveLength(1);
  });
});

describe('words', () => {
  const change = (text: string) => ({ path: 'x', kind: 'changed' as const, diff: text, hash: 'h' });
  const words = (text: string) => readChanges([change(text)]).map(countWords)[0];

  test('counts are exact, at least, or not given (bug: a picture is shown as "+0 −0")', () => {
    expect(words(diff('@@ -1 +1 @@', '-a', '+b'))).toEqual({ added: '+1', removed: '−1' });
    expect(words(diff('@@ -0,0 +1,9 @@', '+a', '(the rest of the diff is cut)'))).toEqual({ added: '≥ +1', removed: '≥ −0' });
    expect(words('')).toBeNull();
    expect(words(diff('(the files differ in more than 4000 lines)'))).toBeNull();
  });

  test('the line under a reply says where, and nothing when nothing was written', () => {
    const changes = [change(''), change('')];
    expect(changesLine({ mode: 'copy', changes, complete: true })).toBe('2 files changed in a copy');
    expect(changesLine({ mode: 'folder', changes: changes.slice(1), complete: true })).toBe('1 file changed in the folder itself');
    expect(changesLine({ mode: 'worktree', changes, complete: false })).toBe('At least 2 files changed in a git worktree');
    expect(changesLine({ mode: 'copy', changes: [], complete: true })).toBeNull();
    expect(changesLine({ mode: null, changes: [], complete: true })).toBeNull();
  });

  test('refused files are told (bug: "2 files taken over" while one was left alone)', () => {
    expect(outcomeWords('take-over', { done: ['a', 'b'], refused: [] })).toBe('2 files taken over.');
    expect(outcomeWords('undo', { done: ['a'], refused: [{}] })).toBe('1 file undone, 1 left as it is:');
  });
});
