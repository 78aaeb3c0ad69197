import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDetectCommands } from './detect-commands';
import { createToolHost } from './tool-host';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridle-detect-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const detect = (lint?: string) =>
  createToolHost([createDetectCommands({ lint, test: 'node --test other' })]).call(
    'detect_commands',
    {},
    { runId: 'run', workspace: root, now: () => 0, signal: new AbortController().signal },
  );

it('says a command of the environment although commands.json has one, or leaves out what only the environment has', async () => {
  mkdirSync(join(root, '.bridle'));
  writeFileSync(join(root, '.bridle', 'commands.json'), '{"test": "node --test", "lint": ""}');
  expect(await detect('node --check a.js')).toMatchObject({
    test: { command: 'node --test', reason: '.bridle/commands.json gives it as "test"' },
    lint: { command: 'node --check a.js', reason: expect.stringContaining('BRIDLE_POST_LINT_COMMAND') },
  });
});

it('invents a command, or gives no reason for having none', async () => {
  expect(await detect()).toMatchObject({ format: { command: '', reason: expect.stringContaining('no formatter') } });
});
