import { expect, test } from 'vitest';
import type { Json, JsonObject } from '@/harness/contract/json';
import { type FakeTool, fakeContext } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executePostValidation } from './execute';
import { postValidationNode } from './node';

/** Commands by the exit code they end with. */
type Exits = Record<string, number>;

const runner = (name: string, exits: Exits): FakeTool => ({
  name,
  effect: name === 'format_code' ? 'write' : 'idempotent',
  run: (input) => {
    const command = String(Object(input).command);
    const exitCode = exits[command] ?? 0;
    return {
      status: 'ok',
      output: { command, exitCode, output: `${command} said\nFAILED nothing`, paths: name === 'format_code' ? ['a.js'] : [] },
    };
  },
});
const detect = (found: Record<string, JsonObject> = {}): FakeTool => {
  const none = { command: '', source: 'none', reason: '', overridden: [] };
  return {
    name: 'detect_commands',
    run: () => ({ status: 'ok', output: { format: none, lint_fix: none, lint: none, test: none, ...found } }),
  };
};
const all = { format: 'fmt', lint_fix: 'fix', lint: 'lint', test: 'test' };

async function run(options: { state?: Record<string, unknown>; config?: JsonObject; exits?: Exits; tools?: FakeTool[] } = {}) {
  const { exits = {}, config = {} } = options;
  const tools = options.tools ?? [detect(), ...['format_code', 'run_lint', 'run_tests'].map((name) => runner(name, exits))];
  const state = planningValues({ commandSet: all, modifiedFiles: ['a.js'], ...options.state });
  const fake = fakeContext(postValidationNode, { config, state, tools });
  const result = await executePostValidation.execute(fake.context);
  return {
    ...fake,
    result,
    ran: fake.calls.flatMap(({ tool, input }) => (tool === 'detect_commands' ? [] : [`${tool} ${Object(input).command}`])),
    rules: fake.decisions.map(({ rule, outcome }) => `${rule}: ${outcome}`),
  };
}

test('the commands did not run in their order, or one that passed is said to have failed', async () => {
  const { ran, result, rules } = await run();
  expect(ran).toEqual(['format_code fmt', 'format_code fix', 'run_lint lint', 'run_tests test']);
  expect(result).toMatchObject({ port: 'clean', output: { status: 'clean', failed: [], summary: '4/4 passed.' } });
  expect(result.writes).toMatchObject({
    modifiedFiles: ['a.js'],
    validationResults: { test: { success: true, exit_code: 0, command: 'test' } },
  });
  expect(rules.filter((rule) => rule.startsWith('test_result'))).toEqual(Array(4).fill('test_result: passed'));
});

test('a failing formatter kept linter and tests from running, or a verdict was read out of output', async () => {
  const { ran, result } = await run({ exits: { fmt: 2, lint: 1 } });
  expect(ran).toHaveLength(4);
  expect(result).toMatchObject({ port: 'failed', output: { failed: ['format', 'lint'], summary: '2/4 passed. Failed: format, lint' } });
});

test('L02 and L03: commands.json did not win, its blanks were not filled, or the override is not in the trace', async () => {
  const tools = (own: string) => [
    detect({
      test:
        own === ''
          ? { command: 'pytest', source: 'environment', reason: 'BRIDLE_POST_TEST_COMMAND is set', overridden: [] }
          : { command: own, source: 'commands.json', reason: '', overridden: [{ source: 'environment', command: 'pytest' }] },
    }),
    runner('run_tests', {}),
  ];
  const overriding = await run({ state: { commandSet: {} }, tools: tools('cargo test') });
  expect(overriding.ran).toEqual(['run_tests cargo test']);
  expect(overriding.decisions.find(({ rule }) => rule === 'post-validation: test command')).toMatchObject({
    outcome: 'cargo test',
    because: [{ value: 'commands.json' }, { name: 'overrides environment', value: 'pytest' }],
  });
  expect((await run({ state: { commandSet: {} }, tools: tools('') })).ran).toEqual(['run_tests pytest']);
});

test('something ran although nothing was modified, nothing is known, or it is off', async () => {
  const reasons = async (options: Parameters<typeof run>[0]) => {
    const { result, ran } = await run(options);
    return { port: result.port, reason: Object(result.output as Json).reason, ran: ran.length, wrote: result.writes };
  };
  expect(await reasons({ state: { modifiedFiles: [] } })).toEqual({ port: 'skipped', reason: 'nothing_modified', ran: 0, wrote: {} });
  expect(await reasons({ state: { commandSet: {} } })).toMatchObject({ port: 'skipped', reason: 'no_command' });
  expect(await reasons({ config: { enabled: false } })).toMatchObject({ port: 'skipped', reason: 'off' });
  expect(await reasons({ state: { modifiedFiles: [] }, config: { onlyAfterChanges: false } })).toMatchObject({ port: 'clean', ran: 4 });
});

test('a step whose tool is not granted counts as passed', async () => {
  const { result, rules } = await run({ tools: [detect(), runner('run_lint', {})] });
  expect(result.output).toMatchObject({ status: 'clean', summary: '1/1 passed.' });
  expect(rules).toContain('post-validation: test: skipped');
  expect(await run({ tools: [detect()] })).toMatchObject({ result: { port: 'skipped', output: { reason: 'no_tool' } } });
});

test('a refused command counts as passed', async () => {
  const denied: FakeTool = { name: 'run_tests', run: () => ({ status: 'denied', message: 'ERROR: no' }) };
  const { result } = await run({ state: { commandSet: { test: 'test' } }, tools: [detect(), denied] });
  expect(result).toMatchObject({
    port: 'failed',
    writes: { validationResults: { test: { success: false, exit_code: null, output: 'ERROR: no' } } },
  });
});

test('the end of long output was lost, since the tool had put it into a file', async () => {
  const tools: FakeTool[] = [
    detect(),
    {
      name: 'run_tests',
      run: () => ({ status: 'ok', output: { command: 't', exitCode: 1, output: 'tail', savedTo: '.bridle/tool_output/t.txt', paths: [] } }),
    },
    {
      name: 'read_file',
      run: () => ({ status: 'ok', output: { content: '1: whole', firstLine: 1, lastLine: 1, totalLines: 1, truncated: false } }),
    },
  ];
  const { result } = await run({ state: { commandSet: { test: 't' } }, tools });
  expect(result.writes).toMatchObject({ validationResults: { test: { full_output: 'whole' } } });
});
