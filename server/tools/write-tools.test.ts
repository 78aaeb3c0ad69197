import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toErrorRecord } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import { createFile } from './create-file';
import { editFile } from './edit-file';
import { createToolHost } from './tool-host';

let outer: string;
let root: string;
const host = createToolHost([createFile, editFile]);
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'bridle-write-'));
  root = join(outer, 'workspace');
  mkdirSync(root);
  writeFileSync(join(outer, 'outside.txt'), 'untouched');
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

const put = (path: string, text: string | Buffer, mode = 0o644): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
};
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const call = (name: string, input: Json) =>
  host.call(name, input, { runId: 'run', workspace: root, now: () => 0, signal: new AbortController().signal });
const failure = async (name: string, input: Json) =>
  toErrorRecord(
    await call(name, input).then(
      () => null,
      (error: unknown) => error,
    ),
  );

describe('create_file', () => {
  it('makes the file with its folders, and says what changed', async () => {
    expect(await call('create_file', { path: 'src/deep/a.txt', content: 'one\ntwo\n' })).toEqual({
      path: 'src/deep/a.txt',
      created: true,
      bytes: 8,
      paths: ['src/deep/a.txt'],
      diff: '--- /dev/null\n+++ b/src/deep/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
    });
    expect(read('src/deep/a.txt')).toBe('one\ntwo\n');
    expect(readdirSync(join(root, 'src/deep'))).toEqual(['a.txt']);
  });

  it('overwrites only when asked, and keeps mode and line endings', async () => {
    put('run.sh', '#!/bin/sh\r\nexit 1\r\n', 0o755);
    expect(await failure('create_file', { path: 'run.sh', content: 'x' })).toMatchObject({ code: 'TOOL_FILE_EXISTS' });
    expect(read('run.sh')).toContain('exit 1');
    const result = await call('create_file', { path: 'run.sh', content: '#!/bin/sh\nexit 0\n', overwrite: true });
    expect(result).toMatchObject({ created: false, paths: ['run.sh'], diff: expect.stringContaining('-exit 1') });
    expect(read('run.sh')).toBe('#!/bin/sh\r\nexit 0\r\n');
    expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(await call('create_file', { path: 'run.sh', content: '#!/bin/sh\nexit 0\n', overwrite: true })).toMatchObject({
      paths: [],
      diff: '',
    });
  });

  it('leaves binary files alone, and writes none', async () => {
    put('a.png', Buffer.from([0x89, 0x50, 0, 1]));
    put('latin.txt', Buffer.from([0x66, 0xfc, 0x72]));
    for (const path of ['a.png', 'latin.txt']) {
      expect(await failure('create_file', { path, content: 'x', overwrite: true })).toMatchObject({ code: 'TOOL_BINARY_FILE' });
      expect(await failure('edit_file', { path, find: 'f', replace: 'x' })).toMatchObject({ code: 'TOOL_BINARY_FILE' });
    }
    expect(await failure('create_file', { path: 'new', content: 'a\0b' })).toMatchObject({ code: 'TOOL_BINARY_FILE' });
    expect(existsSync(join(root, 'new'))).toBe(false);
  });

  it('does not change a file through another name of it outside', async () => {
    linkSync(join(outer, 'outside.txt'), join(root, 'hard.txt'));
    await call('create_file', { path: 'hard.txt', content: 'changed', overwrite: true });
    expect(readFileSync(join(outer, 'outside.txt'), 'utf8')).toBe('untouched');
  });
});

describe('where may be written', () => {
  it.each([
    '../outside.txt',
    '../new.txt',
    'a/../../new.txt',
    '/etc/bridle-test',
    'out/new.txt',
    'out/sub/new.txt',
    '../workspace-other/x',
  ])('not at %s', async (path) => {
    symlinkSync('..', join(root, 'out'));
    const error = await failure('create_file', { path, content: 'x', overwrite: true });
    expect(error).toMatchObject({ code: 'TOOL_PATH_OUTSIDE', message: expect.stringContaining(`"${path}"`) });
    expect(error.message).not.toContain(outer);
    expect(readdirSync(outer).sort()).toEqual(['outside.txt', 'workspace']);
    expect(readFileSync(join(outer, 'outside.txt'), 'utf8')).toBe('untouched');
  });

  it('never through a link, wherever it leads', async () => {
    put('real.txt', 'real');
    symlinkSync('real.txt', join(root, 'inside'));
    symlinkSync('../outside.txt', join(root, 'leads-out'));
    symlinkSync('../not-there.txt', join(root, 'to-nothing'));
    symlinkSync('../no-folder', join(root, 'folder-to-nothing'));
    for (const path of ['inside', 'leads-out', 'to-nothing', 'folder-to-nothing/x', 'real.txt/x']) {
      expect(['TOOL_PATH_LINK', 'TOOL_NOT_A_FOLDER']).toContain(
        (await failure('create_file', { path, content: 'x', overwrite: true })).code,
      );
    }
    expect(await failure('edit_file', { path: 'leads-out', find: 'untouched', replace: 'x' })).toMatchObject({ code: 'TOOL_PATH_LINK' });
    expect(readdirSync(outer).sort()).toEqual(['outside.txt', 'workspace']);
    expect(readFileSync(join(outer, 'outside.txt'), 'utf8')).toBe('untouched');
  });

  it("follows a folder's link that stays inside, and names the real place", async () => {
    mkdirSync(join(root, 'real'));
    symlinkSync('real', join(root, 'alias'));
    expect(await call('create_file', { path: 'alias/new/a.txt', content: 'x' })).toMatchObject({ path: 'real/new/a.txt' });
  });

  it('takes an absolute path that is inside', async () => {
    expect(await call('create_file', { path: join(root, 'a/b.txt'), content: 'x' })).toMatchObject({ path: 'a/b.txt' });
  });

  it.each(['.git/hooks/pre-commit', 'sub/.GIT/config', '.git'])('not into git at %s', async (path) => {
    expect(await failure('create_file', { path, content: 'x' })).toMatchObject({ code: 'TOOL_PATH_REFUSED' });
    expect(readdirSync(root)).toEqual([]);
  });

  it.each(['.', 'a/', ' ', 'folder', 'a\0b', 'x'.repeat(300)])('not at %j, which names no file', async (path) => {
    mkdirSync(join(root, 'folder'));
    expect(await failure('create_file', { path, content: 'x' })).toMatchObject({ kind: 'user' });
    expect(readdirSync(root)).toEqual(['folder']);
  });
});

describe('edit_file', () => {
  it('replaces the one place, takes the text as text, and shows the change', async () => {
    put('a.txt', 'one\n$1 two\nthree\n', 0o640);
    expect(await call('edit_file', { path: 'a.txt', find: '$1 two', replace: "$& $' two" })).toEqual({
      path: 'a.txt',
      line: 2,
      paths: ['a.txt'],
      diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-$1 two\n+$& $' two\n three\n",
    });
    expect(read('a.txt')).toBe("one\n$& $' two\nthree\n");
    expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o640);
  });

  it('shows the nearest lines when the text is not there', async () => {
    put('a.js', 'function login(user) {\n  return check(user.name);\n}\n');
    const error = await failure('edit_file', { path: 'a.js', find: 'return check(user.names);', replace: 'x' });
    expect(error).toMatchObject({ code: 'TOOL_EDIT_NOT_FOUND', message: expect.stringContaining('2:   return check(user.name);') });
    expect(await failure('edit_file', { path: 'a.js', find: '(((((((', replace: 'x' })).toMatchObject({
      message: expect.stringContaining('Read the file first'),
    });
  });

  it('says when only white space differs', async () => {
    put('a.py', 'x = 1\nif x:\n\treturn  1\n');
    expect(await failure('edit_file', { path: 'a.py', find: 'if x:\n    return 1', replace: 'y' })).toMatchObject({
      message: expect.stringContaining('only in white space from lines 2 to 3'),
    });
  });

  it('lists the lines when the text is there more than once, overlapping ones too', async () => {
    put('a.txt', 'x\naa\ny\nx\n');
    expect(await failure('edit_file', { path: 'a.txt', find: 'x', replace: 'z' })).toMatchObject({
      code: 'TOOL_EDIT_NOT_UNIQUE',
      message: expect.stringContaining('lines 1, 4'),
      details: { lines: [1, 4] },
    });
    put('b.txt', 'aaa');
    expect(await failure('edit_file', { path: 'b.txt', find: 'aa', replace: 'z' })).toMatchObject({ code: 'TOOL_EDIT_NOT_UNIQUE' });
    expect(read('a.txt')).toBe('x\naa\ny\nx\n');
  });

  it('keeps Windows lines and the byte order mark of a file', async () => {
    put('a.txt', '\uFEFFone\r\ntwo\r\nthree\r\n');
    await call('edit_file', { path: 'a.txt', find: 'one\ntwo', replace: '1\n2\n2b' });
    expect(read('a.txt')).toBe('\uFEFF1\r\n2\r\n2b\r\nthree\r\n');
  });

  it('says when there is no such file, or nothing would change', async () => {
    put('a.txt', 'same');
    expect(await failure('edit_file', { path: 'b.txt', find: 'x', replace: 'y' })).toMatchObject({ code: 'TOOL_PATH_MISSING' });
    expect(await failure('edit_file', { path: 'a.txt', find: 'same', replace: 'same' })).toMatchObject({ code: 'TOOL_EDIT_NOTHING' });
  });

  it('loses no edit when many come at once', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `<${at}>`);
    put('a.txt', names.join('\n'));
    await Promise.all(names.map((name) => call('edit_file', { path: 'a.txt', find: name, replace: `done ${name}` })));
    expect(read('a.txt')).toBe(names.map((name) => `done ${name}`).join('\n'));
  });

  it('changes nothing but the place, whatever is around it', async () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', ' ', '$&', 'ü', '😀'), maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(piece, piece, piece, async (before, after, replacement) => {
        put('p.txt', `${before}<here>${after}`);
        await call('edit_file', { path: 'p.txt', find: '<here>', replace: replacement });
        const text = read('p.txt');
        expect(text.startsWith(before) && text.endsWith(after)).toBe(true);
        const middle = text.slice(before.length, text.length - after.length);
        expect(middle.replaceAll('\r\n', '\n')).toBe(replacement.replaceAll('\r\n', '\n'));
      }),
      { numRuns: 60 },
    );
  });
});
