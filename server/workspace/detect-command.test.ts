import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandPurpose } from './command-purpose';
import { detectCommand } from './detect-command';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridle-detect-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text = ''): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const detect = (purpose: CommandPurpose) => detectCommand(purpose, root, { environment: {}, signal: new AbortController().signal });
/** What is wanted, whether or not its program is installed on this machine. */
const wanted = async (purpose: CommandPurpose): Promise<string> => {
  const detected = await detect(purpose);
  return detected.found ? `${detected.command} | ${detected.reason}` : detected.reason;
};

describe('what a workspace suggests', () => {
  it.each<[string, Record<string, string>, CommandPurpose, RegExp]>([
    ['Python', { 'pyproject.toml': '[project]', 'tests/test_a.py': '' }, 'unit', /there is pyproject\.toml/],
    ['Rust', { 'Cargo.toml': '' }, 'unit', /there is Cargo\.toml/],
    ['Go', { 'go.mod': '' }, 'unit', /there is go\.mod/],
    ['PHP', { 'composer.json': '{"scripts":{"test":"phpunit"}}' }, 'unit', /there is composer\.json/],
    ['Ruby', { Gemfile: '', 'spec/a_spec.rb': '' }, 'unit', /there is Gemfile/],
    ['Gradle', { 'build.gradle.kts': '' }, 'unit', /there is build\.gradle\.kts/],
    ['Maven', { 'pom.xml': '' }, 'unit', /there is pom\.xml/],
    ['.NET', { 'src/App.csproj': '' }, 'unit', /there is src\/App\.csproj/],
    ['make', { Makefile: 'lint: x\n\ttrue\ntest:\n\ttrue\n' }, 'unit', /Makefile has a target "test"/],
  ])('%s', async (_name, files, purpose, expected) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    expect(await wanted(purpose)).toMatch(expected);
  });

  it('prefers the script for unit tests over all tests, and knows the package manager by its lock file', async () => {
    put('package.json', JSON.stringify({ scripts: { test: 'x', 'test:unit': 'y', 'test:integration': 'z', lint: 'l', typecheck: 't' } }));
    expect(await detect('unit')).toMatchObject({ command: 'npm run -s test:unit' });
    expect(await detect('integration')).toMatchObject({ command: 'npm run -s test:integration' });
    expect(await detect('syntax')).toMatchObject({ command: 'npm run -s lint', reason: 'package.json has a script "lint"' });
  });

  it('uses the virtual environment and the wrapper that a project brings', async () => {
    put('gradlew', '#!/bin/sh\nexit 0\n');
    chmodSync(join(root, 'gradlew'), 0o755);
    put('build.gradle');
    expect(await detect('unit')).toMatchObject({ found: true, command: './gradlew test' });
    put('pyproject.toml');
    put('test_a.py');
    put('.venv/bin/python', '#!/bin/sh\nexit 0\n');
    chmodSync(join(root, '.venv/bin/python'), 0o755);
    expect(await detect('unit')).toMatchObject({ command: '.venv/bin/python -m pytest -q' });
  });

  it.each<[string, Record<string, string>]>([
    ['an empty folder', {}],
    ['Python without tests', { 'pyproject.toml': '' }],
    ['a variable of make', { Makefile: 'test := x\n' }],
    ['tests of somebody else', { 'node_modules/x/a.test.js': '' }],
    ['a script that is no text', { 'package.json': '{"scripts":{"test":3}}' }],
    ['scripts that are no object', { 'package.json': '{"scripts":"test"}' }],
    ['commands that are no text', { '.bridle/commands.json': '{"test":["a"]}' }],
    ['names that only look like tests', { 'contest.js': '', 'latest.mjs': '' }],
  ])('finds nothing in %s', async (_name, files) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    expect(await detect('unit')).toMatchObject({ found: false, reason: expect.stringContaining('no unit test was found') });
  });

  it('does not take a manifest through a link that leads out', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'bridle-outside-'));
    writeFileSync(join(outside, 'package.json'), '{"scripts":{"test":"CANARY"}}');
    symlinkSync(join(outside, 'package.json'), join(root, 'package.json'));
    expect(await detect('unit')).toMatchObject({ found: false });
    rmSync(outside, { recursive: true });
  });

  it('says where a command comes from and which others it overrides', async () => {
    put('package.json', JSON.stringify({ scripts: { test: 'x' } }));
    put('.bridle/commands.json', '{"test":"node own.mjs"}');
    const options = { environment: { test: 'node given.mjs' }, signal: new AbortController().signal };
    expect(await detectCommand('unit', root, options)).toMatchObject({
      command: 'node own.mjs',
      source: 'commands.json',
      overridden: [
        { source: 'environment', command: 'node given.mjs' },
        { source: 'detected', command: 'npm run -s test' },
      ],
    });
    put('.bridle/commands.json', '{"test":""}');
    expect(await detectCommand('unit', root, options)).toMatchObject({ command: 'node given.mjs', source: 'environment' });
    expect(await detect('unit')).toMatchObject({ source: 'detected', overridden: [] });
  });
});
