import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '@/harness/contract/json';
import type { ConfiguredCommands } from '../workspace/detect-command';
import { createRunCheck } from './run-check';
import { createToolHost } from './tool-host';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridle-run-check-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text: string, mode = 0o644): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text, { mode });
};
const check = (input: Json, commands: ConfiguredCommands = {}) =>
  createToolHost([createRunCheck(commands)]).call('run_check', input, {
    runId: 'run',
    workspace: root,
    now: () => 0,
    signal: new AbortController().signal,
  });
const passing = "require('node:test')('works', () => {});\n";
const failing = "require('node:test')('breaks', () => { throw new Error('no'); });\n";

describe('run_check', () => {
  it('runs the test files of a project without a manifest, and counts what they say', async () => {
    put('a.test.js', passing);
    put('b.test.js', failing);
    expect(await check({ kind: 'unit' })).toMatchObject({
      found: true,
      command: 'node --test',
      reason: 'there are test files such as a.test.js',
      exitCode: 1,
      timedOut: false,
      counts: { passed: 1, failed: 1 },
    });
  });

  it('takes commands.json first, the environment second, the manifest third', async () => {
    put('package.json', JSON.stringify({ scripts: { test: 'node -e "console.log(3)"' } }));
    expect(await check({ kind: 'unit' })).toMatchObject({ command: 'npm run -s test', output: '3\n', exitCode: 0, counts: null });
    const environment = { test: 'node -p 2' };
    expect(await check({ kind: 'unit' }, environment)).toMatchObject({ output: '2\n', reason: 'BRIDLE_POST_TEST_COMMAND is set' });
    put('.bridle/commands.json', '{"test": "node -p 1", "lint": ""}');
    expect(await check({ kind: 'unit' }, environment)).toMatchObject({ output: '1\n', reason: '.bridle/commands.json gives it as "test"' });
    expect(await check({ kind: 'syntax' }, { lint: 'node -p 4' })).toMatchObject({ output: '4\n' });
  });

  it('passes over what cannot run here, and says so', async () => {
    put('package.json', JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }));
    put('.bridle/commands.json', '{"test": "no-such-program-here --all"}');
    put('x.test.mjs', "import test from 'node:test';\ntest('x', () => {});\n");
    const result = await check({ kind: 'unit' }, { test: 'npm test | tee log' });
    expect(result).toMatchObject({ command: 'node --test', exitCode: 0, counts: { passed: 1, failed: 0 } });
    expect(result).toHaveProperty(
      'reason',
      expect.stringMatching(/no-such-program-here is not installed here; .*"\|" has no meaning.*placeholder/),
    );
  });

  it('says that it found nothing rather than passing', async () => {
    for (const kind of ['syntax', 'unit', 'integration']) {
      expect(await check({ kind })).toMatchObject({ found: false, command: null, exitCode: null, output: '', counts: null });
    }
  });

  it('goes on with a broken manifest', async () => {
    put('package.json', '{"scripts": ');
    put('.bridle/commands.json', '[]');
    put('a.test.js', passing);
    expect(await check({ kind: 'unit' })).toMatchObject({
      found: true,
      reason: expect.stringContaining('package.json is not a JSON object'),
    });
  });

  it('ends a check that takes too long', async () => {
    expect(await check({ kind: 'unit', command: 'node -e "setInterval(() => {}, 100)"', timeoutSeconds: 1 })).toMatchObject({
      timedOut: true,
      exitCode: null,
    });
  });

  it('gives the last 4000 characters of the output', async () => {
    const result = await check({ kind: 'unit', command: "node -e \"console.log('x'.repeat(9000)); console.log('the end')\"" });
    expect(result).toHaveProperty('output.length', 4000);
    expect(result).toHaveProperty('output', expect.stringMatching(/the end\n$/));
  });

  it.each(['npm test && rm x', 'npm test > log', 'echo $HOME', 'echo "unfinished'])('refuses %j, which needs a shell', async (command) => {
    await expect(check({ kind: 'unit', command })).rejects.toMatchObject({ code: 'TOOL_COMMAND' });
  });
});

describe('syntax without a linter', () => {
  it('finds a mistake in a script, in a module, and in a module that is named as a script', async () => {
    put('ok.js', 'module.exports = 1;\n');
    expect(await check({ kind: 'syntax' })).toMatchObject({ command: 'node --check', exitCode: 0 });
    for (const [path, text] of [
      ['bad.js', 'const x = ;\n'],
      ['bad.mjs', 'import a from "a"; const x = ;\n'],
      ['sneaky.js', 'import a from "a";\nconst x = ;\n'],
    ] as const) {
      put(path, text);
      const result = await check({ kind: 'syntax', paths: [path, 'ok.js'] });
      expect(result).toMatchObject({ exitCode: 1, output: expect.stringContaining('SyntaxError') });
      expect(result).toHaveProperty('output', expect.stringContaining(path));
    }
    expect(await check({ kind: 'syntax', paths: ['ok.js'] })).toMatchObject({ exitCode: 0 });
  });

  it('does not follow a link out of the workspace', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'bridle-outside-'));
    writeFileSync(join(outside, 'x.js'), 'const CANARY = ;');
    symlinkSync(join(outside, 'x.js'), join(root, 'x.js'));
    symlinkSync(outside, join(root, 'folder'));
    expect(await check({ kind: 'syntax' })).toMatchObject({ found: false });
    rmSync(outside, { recursive: true });
  });

  it('compiles Python without leaving anything behind', async () => {
    put('a.py', 'x = 1\n');
    put('b.py', 'def f(:\n');
    expect(await check({ kind: 'syntax' })).toMatchObject({
      command: 'python3 -m py_compile',
      exitCode: 1,
      output: expect.stringContaining('b.py'),
    });
    expect(await check({ kind: 'syntax', paths: ['a.py'] })).toMatchObject({ exitCode: 0 });
    expect(readdirSync(root)).toEqual(['a.py', 'b.py']);
  });
});
