import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { UsageError } from './arguments';
import { commands } from './commands';

vi.setConfig({ testTimeout: 90_000 });

/** The command as people call it, in a data folder of its own. */
const base = mkdtempSync(join(tmpdir(), 'bridle-cli-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

function bridle(args: string[], stdin = ''): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--conditions=react-server', '--import', 'tsx', 'scripts/bridle.ts', ...args], {
      env: { ...process.env, BRIDLE_DATA_DIR: join(base, 'data') },
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      err += String(chunk);
    });
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(stdin);
  });
}

const file = (name: string, content: unknown): string => {
  const path = join(base, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const flow = (middle: Record<string, unknown>) => ({
  format: 'bridle/flow',
  version: 1,
  id: 'small',
  name: 'Small',
  nodes: [
    { id: 'begin', type: 'input', typeVersion: 1, label: 'Begin', config: {} },
    { typeVersion: 1, label: 'Middle', config: {}, ...middle, id: 'middle' },
    { id: 'answer', type: 'output', typeVersion: 1, label: 'Answer', config: {} },
  ],
  edges: [
    { id: 'e1', kind: 'flow', source: 'begin', port: 'next', target: 'middle' },
    { id: 'e2', kind: 'flow', source: 'middle', port: middle.type === 'human-gate' ? 'approved' : 'next', target: 'answer' },
  ],
});
const good = file('good.json', flow({ type: 'transform', config: { expression: 'size(input.message)' } }));
const gated = file('gated.json', flow({ type: 'human-gate', config: {} }));

test.each([
  ['an unknown option', () => commands.run.run(['--fast', good])],
  ['two flows', () => commands.run.run([good, good])],
  ['an input that is not JSON', () => commands.run.run([good, '--input', '{no'])],
  ['answers that are none', () => commands.run.run([good, '--answers', file('answers.json', 'null')])],
  ['words where none belong', () => commands.templates.run(['all'])],
  ['no file', () => commands.validate.run([])],
  ['a file that is not there', () => commands.validate.run([join(base, 'none.json')])],
])('wrong use was not told apart from failure: %s', async (_what, use) => {
  await expect(use()).rejects.toThrow(UsageError);
});

test('wrong use ended with the code of a failed run, or said nothing', async () => {
  const { code, out, err } = await bridle(['frobnicate']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('There is no command "frobnicate"');
});

test('progress got into the result, or the result was not JSON', async () => {
  const { code, out, err } = await bridle(['run', good, '--input', '{"message": "four"}', '--json']);
  expect(JSON.parse(out)).toMatchObject({
    status: 'succeeded',
    output: 4,
    runId: expect.any(String),
    decisions: expect.any(Array),
    usage: { steps: 3 },
  });
  expect(err).toContain('succeeded');
  expect(code).toBe(0);
});

test('a flow that cannot run ended as success, or without a word that a program can read', async () => {
  const { code, out } = await bridle(['run', file('unknown.json', flow({ type: 'time-machine' })), '--input', 'hello', '--json']);
  expect([code, JSON.parse(out)]).toMatchObject([1, { status: 'refused', error: { code: 'FLOW_NOT_RUNNABLE' } }]);
});

test('a run that waits for a person hung, ended as success, or went round for ever on an answer that is refused', async () => {
  const answers = file('bogus.json', [{ choice: 'bogus', times: 0 }]);
  const { code, out, err } = await bridle(['run', gated, '--input', 'hello', '--answers', answers, '--json']);
  expect([code, JSON.parse(out)]).toMatchObject([1, { status: 'waiting', asks: [{ nodeId: 'middle' }] }]);
  expect(err.match(/refused:/g)).toHaveLength(1);
});

test('a scenario document that is none took the others with it, or passed', async () => {
  const scenario = { format: 'bridle/scenario', version: 1, name: 'small', flow: flow({ type: 'transform' }), input: { message: 'm' } };
  const files = [
    file('broken.scenario.json', '{"format": "bridle/scenario",'),
    file('odd.scenario.json', { ...scenario, expect: { statuss: 'succeeded' } }),
    file('wrong.scenario.json', { ...scenario, expect: { status: 'failed' } }),
    file('fine.scenario.json', { ...scenario, expect: { status: 'succeeded' } }),
    join(base, 'missing.scenario.json'),
  ];
  const { code, out } = await bridle(['scenario', ...files]);
  expect(code).toBe(1);
  expect(out.match(/^(ok|FAIL)/gm)).toEqual(['FAIL', 'FAIL', 'FAIL', 'ok', 'FAIL']);
  expect(out).toContain('statuss');
  expect(out.trim().endsWith('1 passed, 4 failed')).toBe(true);
});

test('a flow that runs another one was not checked against the stored ones', async () => {
  const imported = await bridle(['import', '-'], JSON.stringify(flow({ type: 'transform' })));
  expect(imported.code).toBe(0);
  const calls = (called: string) => JSON.stringify(flow({ type: 'subflow', config: { flow: called } }));
  const [sound, broken] = await Promise.all([
    bridle(['validate', '-'], calls(imported.out.trim())),
    bridle(['validate', '-', '--json'], calls('nowhere')),
  ]);
  expect(sound.code).toBe(0);
  expect([broken.code, JSON.parse(broken.out)]).toMatchObject([
    1,
    { ok: false, diagnostics: [{ code: 'SUBFLOW_UNKNOWN', nodeId: 'middle' }] },
  ]);
});
