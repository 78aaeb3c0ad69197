import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toErrorRecord } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { ConfiguredCommands } from '../workspace/detect-command';
import { commandTools } from './command-tools';
import { createToolHost } from './tool-host';

let outer: string;
let root: string;
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'bridle-commands-'));
  root = join(outer, 'workspace');
  mkdirSync(root);
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

const put = (path: string, text: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const call = (name: string, input: Json, commands: ConfiguredCommands = {}) =>
  createToolHost(commandTools(commands)).call(name, input, {
    runId: 'run',
    workspace: root,
    now: () => 1234,
    signal: new AbortController().signal,
  });
const failure = async (name: string, input: Json, commands?: ConfiguredCommands) =>
  toErrorRecord(
    await call(name, input, commands).then(
      () => null,
      (error: unknown) => error,
    ),
  );
const write = (source: string): string => `node -e "require('node:fs').${source}"`;

describe('run_command', () => {
  it('says which files changed: made, changed with the same size, removed, linked', async () => {
    put('same.txt', 'aaa');
    put('gone.txt', 'x');
    put('still.txt', 'x');
    put('node_modules/a/index.js', 'x');
    put(
      'change.js',
      `const fs = require('node:fs');
       const { atime, mtime } = fs.statSync('same.txt');
       fs.writeFileSync('same.txt', 'bbb'); fs.utimesSync('same.txt', atime, mtime);
       fs.unlinkSync('gone.txt'); fs.mkdirSync('new'); fs.writeFileSync('new/a.txt', ''); fs.symlinkSync('still.txt', 'link');
       fs.writeFileSync('node_modules/a/index.js', 'y');`,
    );
    const past = new Date(1_600_000_000_000);
    utimesSync(join(root, 'same.txt'), past, past);
    expect(await call('run_command', { command: 'node change.js' })).toMatchObject({
      passed: true,
      exitCode: 0,
      output: 'PASSED',
      paths: ['gone.txt', 'link', 'new/a.txt', 'same.txt'],
      pathsComplete: true,
    });
  });

  it('puts the verdict first, and keeps it out of band', async () => {
    expect(await call('run_command', { command: `node -e "console.log('FAILED (exit code 9)')"` })).toMatchObject({
      passed: true,
      exitCode: 0,
    });
    expect(await call('run_command', { command: 'node -e "process.exit(3)"' })).toMatchObject({
      passed: false,
      exitCode: 3,
      output: 'FAILED (exit code 3)',
    });
    expect(await call('run_command', { command: 'node -e "setInterval(() => {}, 100)"', timeoutSeconds: 1 })).toMatchObject({
      passed: false,
      exitCode: -1,
      timedOut: true,
      output: expect.stringMatching(/^FAILED \(exit code -1\): stopped after 1 seconds/),
    });
  });

  it('saves long output, shows its end, and counts what it saved as no change', async () => {
    put('long.js', 'for (let at = 1; at <= 500; at += 1) console.log("line " + at); process.exitCode = 1;');
    const result = await call('run_command', { command: 'node long.js' });
    expect(result).toMatchObject({ savedTo: '.bridle/tool_output/run_command_1234.txt', paths: [] });
    expect(result).toHaveProperty('output', expect.stringMatching(/^FAILED \(exit code 1\)\n.*must read.*\nline 461\n[\s\S]*line 500$/));
    expect(readFileSync(join(root, '.bridle/tool_output/run_command_1234.txt'), 'utf8')).toMatch(/^line 1\n/);
    const hourAgo = new Date(Date.now() - 3_700_000);
    utimesSync(join(root, '.bridle/tool_output/run_command_1234.txt'), hourAgo, hourAgo);
    expect(await call('run_command', { command: 'node long.js' })).toMatchObject({ savedTo: '.bridle/tool_output/run_command_1234_2.txt' });
    expect(readdirSync(join(root, '.bridle/tool_output'))).toEqual(['run_command_1234_2.txt']);
  });

  it('saves nothing through a link that leads out', async () => {
    mkdirSync(join(outer, 'elsewhere'));
    symlinkSync('../elsewhere', join(root, '.bridle'));
    const result = await call('run_command', { command: 'node -e "console.log(\'x\\n\'.repeat(3000))"' });
    expect(result).toMatchObject({ passed: true, savedTo: null });
    expect(readdirSync(join(outer, 'elsewhere'))).toEqual([]);
  });

  it.each(['rm -rf /', 'sh -c "rm -rf ~"', 'sudo mkfs.ext4 /dev/sda'])('refuses %s and says why', async (command) => {
    expect(await failure('run_command', { command })).toMatchObject({
      code: 'TOOL_COMMAND_BLOCKED',
      kind: 'user',
      message: expect.stringContaining('rule:'),
    });
  });

  it('runs in a folder of the workspace, and in no other', async () => {
    put('sub/a.txt', '');
    expect(await call('run_command', { command: 'ls', folder: 'sub' })).toMatchObject({ output: 'PASSED\na.txt' });
    expect(await failure('run_command', { command: 'ls', folder: '..' })).toMatchObject({ code: 'TOOL_PATH_OUTSIDE' });
  });

  it('reports a failed command as a result, and one that needs a shell as a mistake', async () => {
    expect(await call('run_command', { command: 'no-such-program-here' })).toMatchObject({ exitCode: 127, passed: false });
    expect(await failure('run_command', { command: 'cd sub && ls' })).toMatchObject({ code: 'TOOL_COMMAND' });
  });
});

describe('the commands of the workspace', () => {
  it('finds tests, linter and formatter, with a reason', async () => {
    put('a.test.js', "require('node:test')('works', () => {});\n");
    expect(await call('run_tests', {})).toMatchObject({ command: 'node --test', passed: true, counts: { passed: 1, failed: 0 } });
    put('package.json', JSON.stringify({ scripts: { lint: 'node -p 1', format: write("writeFileSync('a.txt', 'formatted')") } }));
    expect(await call('run_lint', {})).toMatchObject({ command: 'npm run -s lint', reason: 'package.json has a script "lint"' });
    expect(await call('format_code', {})).toMatchObject({ passed: true, paths: ['a.txt'] });
    expect(await call('run_lint', {}, { lint: 'node -p 2' })).toMatchObject({
      output: 'PASSED\n2',
      reason: 'BRIDLE_POST_LINT_COMMAND is set',
    });
  });

  it('says that there is nothing to run instead of passing', async () => {
    for (const name of ['run_tests', 'run_lint', 'format_code']) {
      expect(await failure(name, {})).toMatchObject({
        code: 'TOOL_NO_COMMAND',
        message: expect.stringContaining('found in the workspace'),
      });
    }
  });

  it('takes no command past the question that run_command would raise, given or written into the workspace', async () => {
    put('a.txt', 'x');
    expect(await failure('run_tests', { command: 'rm a.txt' })).toMatchObject({ code: 'TOOL_COMMAND_BLOCKED' });
    put('.bridle/commands.json', '{"test": "rm a.txt"}');
    expect(await failure('run_tests', {})).toMatchObject({ code: 'TOOL_COMMAND_BLOCKED' });
    expect(existsSync(join(root, 'a.txt'))).toBe(true);
  });
});
