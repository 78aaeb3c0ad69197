import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '@/harness/contract/json';
import { commandTools } from '../tools/command-tools';
import { createFile } from '../tools/create-file';
import { editFile } from '../tools/edit-file';
import { readFileTool } from '../tools/read-file';
import { createToolHost } from '../tools/tool-host';
import { copyLimits } from './copy-tree';
import { applyChanges, changesOf, diffOf, undoChanges } from './folder-changes';
import { openRunFolder, type RunFolderMode, removeRunFolder, reopenRunFolder } from './run-folder';
import { inRunFolder, RunFolders } from './run-folders';

let outer: string;
let source: string;
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'bridle-run-folder-'));
  source = join(outer, 'project');
  put('a.txt', 'one\ntwo\n');
  put('src/run.sh', 'exit 1\n');
  chmodSync(join(source, 'src/run.sh'), 0o755);
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

const write = (root: string, path: string, text: string | Buffer): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const put = (path: string, text: string | Buffer): void => write(source, path, text);
const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
const open = (mode: RunFolderMode = 'copy', limits = copyLimits) => openRunFolder({ source, place: join(outer, 'place'), mode, limits });
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: source, stdio: 'pipe' });

describe('a copy', () => {
  it('holds the work of the person, and nothing that tools make or that leads out', async () => {
    writeFileSync(join(outer, 'secret.txt'), 'CANARY');
    put('node_modules/x/index.js', '');
    put('.git/config', '');
    put('target/CACHEDIR.TAG', '');
    put('src/target/mine.txt', 'kept');
    put('.gitignore', '*.big\n');
    put('data.big', Buffer.alloc(2_000_000));
    put('wanted.bin', Buffer.alloc(2_000_000));
    symlinkSync('a.txt', join(source, 'inside'));
    symlinkSync('../secret.txt', join(source, 'outside'));
    symlinkSync(outer, join(source, 'folder'));
    execFileSync('mkfifo', [join(source, 'pipe')]);
    const folder = await open();
    expect(readdirSync(folder.work).sort()).toEqual(['.gitignore', 'a.txt', 'inside', 'src', 'wanted.bin']);
    expect(read(folder.work, 'src/target/mine.txt')).toBe('kept');
    expect(statSync(join(folder.work, 'src/run.sh')).mode & 0o777).toBe(0o755);
    expect(folder.skipped.map(({ path }) => path)).toEqual(['data.big', 'folder', 'outside', 'pipe']);
    expect(await changesOf(folder)).toEqual({ changes: [], complete: true });
  });

  it('refuses a folder that is too large, before it has filled the disk', async () => {
    await expect(open('copy', { ...copyLimits, maxFiles: 1 })).rejects.toMatchObject({ code: 'WORKSPACE_TOO_LARGE' });
    expect(existsSync(join(outer, 'place', 'work'))).toBe(false);
    await expect(open('copy', { ...copyLimits, maxBytes: 10 })).rejects.toMatchObject({ code: 'WORKSPACE_TOO_LARGE' });
    await expect(open()).resolves.toMatchObject({ mode: 'copy' });
  });

  it('is found again after a restart with what was done in it, and one half made is made anew', async () => {
    write(join(outer, 'place', 'work'), 'half.txt', 'left by a crash');
    const folder = await open();
    expect(existsSync(join(folder.work, 'half.txt'))).toBe(false);
    write(folder.work, 'new.txt', 'x');
    put('later.txt', 'the person goes on');
    const again = await open();
    expect(again).toEqual(folder);
    expect(existsSync(join(again.work, 'later.txt'))).toBe(false);
    expect((await changesOf(again)).changes).toMatchObject([{ path: 'new.txt', kind: 'added' }]);
    await removeRunFolder(join(outer, 'place'));
    expect(await reopenRunFolder(join(outer, 'place'))).toBeNull();
    expect(read(source, 'a.txt')).toBe('one\ntwo\n');
  });
});

describe('changes', () => {
  const work = (folder: { work: string }): void => {
    write(folder.work, 'a.txt', 'one\n2\n');
    write(folder.work, 'deep/new/b.txt', 'new\n');
    write(folder.work, 'image.bin', Buffer.from([0, 1, 2]));
    unlinkSync(join(folder.work, 'src/run.sh'));
    rmSync(join(folder.work, 'src'), { recursive: true });
  };

  it('are shown as a diff, by content and not by time', async () => {
    put('same.txt', 'same');
    const folder = await open();
    work(folder);
    write(folder.work, 'same.txt', 'same');
    const found = await changesOf(folder);
    expect(found.changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'changed a.txt',
      'added deep/new/b.txt',
      'added image.bin',
      'removed src/run.sh',
    ]);
    expect(diffOf(found)).toBe(
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n--- /dev/null\n+++ b/deep/new/b.txt\n@@ -0,0 +1,1 @@\n+new\nimage.bin: added, no text\n--- a/src/run.sh\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-exit 1\n',
    );
    expect(read(source, 'a.txt')).toBe('one\ntwo\n');
  });

  it('are undone with the modes of files, and folders that are empty then go', async () => {
    const folder = await open('folder');
    work(folder);
    const { changes } = await changesOf(folder);
    expect(await undoChanges(folder, changes)).toMatchObject({ refused: [] });
    expect(readdirSync(source).sort()).toEqual(['a.txt', 'src']);
    expect(read(source, 'a.txt')).toBe('one\ntwo\n');
    expect(statSync(join(source, 'src/run.sh')).mode & 0o777).toBe(0o755);
    expect(await changesOf(folder)).toEqual({ changes: [], complete: true });
  });

  it('are not undone over what a person wrote meanwhile', async () => {
    const folder = await open('folder');
    write(source, 'a.txt', 'by the run');
    const { changes } = await changesOf(folder);
    write(source, 'a.txt', 'by the person');
    expect(await undoChanges(folder, changes)).toMatchObject({ done: [], refused: [{ path: 'a.txt' }] });
    expect(read(source, 'a.txt')).toBe('by the person');
  });

  it('that are links are removed as links, and nothing is written where they lead', async () => {
    writeFileSync(join(outer, 'secret.txt'), 'untouched');
    mkdirSync(join(outer, 'elsewhere'));
    const folder = await open('folder');
    unlinkSync(join(source, 'a.txt'));
    symlinkSync('../secret.txt', join(source, 'a.txt'));
    rmSync(join(source, 'src'), { recursive: true });
    symlinkSync('../elsewhere', join(source, 'src'));
    writeFileSync(join(outer, 'elsewhere/run.sh'), 'CANARY');
    const { changes } = await changesOf(folder);
    expect(JSON.stringify(changes)).not.toContain('CANARY');
    const result = await undoChanges(folder, changes);
    expect(lstatSync(join(source, 'a.txt')).isSymbolicLink()).toBe(false);
    expect(read(source, 'a.txt')).toBe('one\ntwo\n');
    expect(readFileSync(join(outer, 'secret.txt'), 'utf8')).toBe('untouched');
    expect(read(join(outer, 'elsewhere'), 'run.sh')).toBe('CANARY');
    expect(result.refused.map(({ path }) => path)).toEqual([]);
    expect(read(source, 'src/run.sh')).toBe('exit 1\n');
  });

  it('are taken over into the folder, but not over what changed there', async () => {
    const folder = await open();
    work(folder);
    put('src/run.sh', 'by the person');
    const { changes } = await changesOf(folder);
    expect(await applyChanges(folder, changes)).toMatchObject({
      done: ['a.txt', 'deep/new/b.txt', 'image.bin'],
      refused: [{ path: 'src/run.sh', reason: expect.stringContaining('since the run began') }],
    });
    expect(read(source, 'a.txt')).toBe('one\n2\n');
    expect(read(source, 'src/run.sh')).toBe('by the person');
    expect((await applyChanges(folder, changes)).done).toContain('a.txt');
  });
});

describe('a worktree', () => {
  it('stands at the last commit, runs no hook, and is taken out of the repository again', async () => {
    git('init', '-q');
    put('.git/hooks/post-checkout', '#!/bin/sh\ntouch "$GIT_DIR/hook-ran"\n');
    chmodSync(join(source, '.git/hooks/post-checkout'), 0o755);
    git('add', '.');
    git('commit', '-qm', 'first');
    put('a.txt', 'not committed');
    const folder = await open('worktree');
    expect(read(folder.work, 'a.txt')).toBe('one\ntwo\n');
    write(folder.work, 'a.txt', 'changed\n');
    expect((await changesOf(folder)).changes.map(({ path }) => path)).toEqual(['a.txt']);
    expect(read(source, 'a.txt')).toBe('not committed');
    expect(execFileSync('find', ['.git', '-name', 'hook-ran'], { cwd: source }).toString()).toBe('');
    await removeRunFolder(join(outer, 'place'));
    expect(git('worktree', 'list').toString().trim().split('\n')).toHaveLength(1);
  });

  it('says that a folder without git has none', async () => {
    await expect(open('worktree')).rejects.toMatchObject({ code: 'WORKSPACE_NO_GIT' });
  });
});

describe('tools in the folder of a run', () => {
  const tools = createToolHost([readFileTool, createFile, editFile, ...commandTools({})]);
  const call = (name: string, input: Json, { runId = 'run_1', sessionId = null as string | null, mode = 'copy' as RunFolderMode } = {}) =>
    inRunFolder(tools, new RunFolders(join(outer, 'runs')), { runId, sessionId, mode }).call(name, input, {
      runId,
      workspace: source,
      now: () => 0,
      signal: new AbortController().signal,
    });

  it('read the chosen folder until something is written, and see what was written afterwards', async () => {
    expect(await call('read_file', { path: 'a.txt' })).toMatchObject({ content: '1: one\n2: two' });
    expect(existsSync(join(outer, 'runs'))).toBe(false);
    await call('edit_file', { path: 'a.txt', find: 'two', replace: '2' });
    expect(await call('read_file', { path: 'a.txt' })).toMatchObject({ content: '1: one\n2: 2' });
    expect(await call('run_command', { command: 'cat a.txt' })).toMatchObject({ output: 'PASSED\none\n2' });
    expect(read(source, 'a.txt')).toBe('one\ntwo\n');
    expect(await call('read_file', { path: 'a.txt' }, { runId: 'run_2' })).toMatchObject({ content: '1: one\n2: two' });
  });

  it('share one folder within a chat session, and make one for calls that come at once', async () => {
    const folders = new RunFolders(join(outer, 'runs'));
    const host = inRunFolder(tools, folders, { runId: 'run_1', sessionId: 'session_1', mode: 'copy' });
    const context = { runId: 'run_1', workspace: source, now: () => 0, signal: new AbortController().signal };
    await Promise.all(['x', 'y', 'z'].map((name) => host.call('create_file', { path: name, content: name }, context)));
    expect(await call('read_file', { path: 'y' }, { runId: 'run_2', sessionId: 'session_1' })).toMatchObject({ content: '1: y' });
    const owned = { owner: { runId: 'run_9', sessionId: 'session_1' }, source };
    expect((await folders.changes(owned)).changes.map(({ path }) => path)).toEqual(['x', 'y', 'z']);
    await folders.remove(owned.owner);
    expect((await folders.changes(owned)).changes).toEqual([]);
    expect(readdirSync(source).sort()).toEqual(['a.txt', 'src']);
  });

  it('turn from the folder itself to a copy within one chat (bug: the folder is written to although a copy was chosen)', async () => {
    const turn = { sessionId: 'session_2' };
    await call('edit_file', { path: 'a.txt', find: 'two', replace: '2' }, { ...turn, mode: 'folder' });
    await call('edit_file', { path: 'a.txt', find: 'one', replace: '1' }, { ...turn, runId: 'run_2' });
    expect(read(source, 'a.txt')).toBe('one\n2\n');
    const owned = { owner: { runId: 'run_2', sessionId: 'session_2' }, source };
    const folders = new RunFolders(join(outer, 'runs'));
    expect((await folders.changes(owned)).changes.map(({ diff }) => diff)).toEqual([
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n 2\n',
    ]);
    expect(await folders.changes({ ...owned, mode: 'folder' })).toMatchObject({ mode: 'folder', changes: [{ path: 'a.txt' }] });
  });

  it('work in the folder itself only when that was asked for', async () => {
    await call('create_file', { path: 'here.txt', content: 'x' }, { mode: 'folder' });
    expect(read(source, 'here.txt')).toBe('x');
  });

  it('take no id for a path', async () => {
    await expect(call('create_file', { path: 'x', content: '' }, { runId: '../escape' })).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
  });
});
