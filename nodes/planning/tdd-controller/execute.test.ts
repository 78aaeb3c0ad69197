import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@/harness/contract/json';
import { type FakeTool, fakeContext } from '../../testing/fake-context';
import { planValue } from '../support/plan.fixtures';
import { planningValues } from '../support/state';
import { executeTddController } from './execute';
import { tddControllerNode } from './node';

const suite = 'node --test';
const authored = 'node --test tests/reset.test.js';
const plan = planValue([['edit_file', 'src/reset.js']], {
  tdd_test_steps: [{ step_number: 1, tool: 'create_file', file_path: 'tests/reset.test.js', instruction: 'Write it.' }],
  steps: [{ step_number: 2, tool: 'edit_file', file_path: 'src/reset.js', instruction: 'Do it.' }],
});
const row = (step_number: number, status = 'completed') => ({
  id: `${step_number}`,
  step_number,
  status,
  tool: 'edit_file',
  failure_reasons: ['no'],
});

interface World {
  at?: string;
  rows?: unknown[];
  exits?: Record<string, JsonObject>;
  config?: JsonObject;
  state?: Record<string, unknown>;
}

async function visit({ at = 'ELIGIBILITY', rows = [], exits = {}, config = {}, state = {} }: World = {}) {
  const runner: FakeTool = {
    name: 'run_tests',
    effect: 'idempotent',
    run: (input) => {
      const command = String(Object(input).command);
      return { status: 'ok', output: { command, exitCode: 0, output: '', timedOut: false, signal: null, paths: [], ...exits[command] } };
    },
  };
  const fake = fakeContext(tddControllerNode, {
    config,
    tools: [runner],
    state: planningValues({
      executionPlan: plan,
      commandSet: { test: suite },
      stepResults: rows,
      tddState: { state: at, targeted: [{ step_number: 1, command: authored }] },
      ...state,
    }),
  });
  const result = await executeTddController.execute(fake.context);
  return { result, ran: fake.calls.map(({ input }) => String(Object(input).command)), decisions: fake.decisions };
}
const failing = { exitCode: 1 };

describe('the way through', () => {
  test('a clean baseline did not lead to writing tests, with the command of each', async () => {
    const { result, ran } = await visit();
    expect(ran).toEqual([suite]);
    expect(result).toMatchObject({
      port: 'tests',
      writes: { tddState: { state: 'WRITE_TESTS', halt: null, targeted: [{ step_number: 1, command: authored }] } },
    });
  });

  test('red tests did not lead to implementing, or something else than the new tests was run', async () => {
    const { result, ran } = await visit({ at: 'WRITE_TESTS', rows: [row(1)], exits: { [authored]: failing } });
    expect(ran).toEqual([authored]);
    expect(result).toMatchObject({ port: 'implement', writes: { tddState: { state: 'IMPLEMENT' } } });
  });

  test('green tests did not lead on', async () => {
    const { result } = await visit({ at: 'IMPLEMENT', rows: [row(1), row(2)] });
    expect(result).toMatchObject({ port: 'green', output: { state: 'POST_VALIDATION', commands: [{ command: authored, exit_code: 0 }] } });
  });

  test('it did not rest where it had ended', async () => {
    expect((await visit({ at: 'POST_VALIDATION' })).result.port).toBe('green');
    const halted = await visit({ at: 'HALTED' });
    expect([halted.result.port, halted.ran]).toEqual(['halt', []]);
  });
});

describe('halts', () => {
  const halt = async (world: World) => {
    const { result, ran } = await visit(world);
    return [result.port, Object(result.output).halt, ran.length];
  };

  test('L24: a dirty baseline did not halt, or a broken runner was taken for one', async () => {
    expect(await halt({ exits: { [suite]: failing } })).toEqual(['halt', 'dirty_baseline', 1]);
    expect(await halt({ exits: { [suite]: { exitCode: 127 } } })).toEqual(['halt', 'infrastructure_failure', 1]);
    expect(await halt({ exits: { [suite]: { exitCode: -1, timedOut: true } } })).toEqual(['halt', 'infrastructure_failure', 1]);
  });

  test('L23: a new test that passes before anything is implemented did not halt', async () => {
    expect(await halt({ at: 'WRITE_TESTS', rows: [row(1)] })).toEqual(['halt', 'unexpected_pass', 1]);
  });

  test('steps that were not completed were taken as done, and tests run', async () => {
    expect(await halt({ at: 'WRITE_TESTS', rows: [row(1, 'failed')] })).toEqual(['halt', 'test_writing_failed', 0]);
    expect(await halt({ at: 'IMPLEMENT', rows: [row(1)] })).toEqual(['halt', 'step_failed', 0]);
    const { result } = await visit({ at: 'IMPLEMENT', rows: [row(1), row(2, 'failed')] });
    expect(result.output).toMatchObject({ problem: 'step 2: no' });
  });

  test('tests that still fail led on', async () => {
    expect(await halt({ at: 'IMPLEMENT', rows: [row(1), row(2)], exits: { [authored]: failing } })).toEqual(['halt', 'still_red', 1]);
  });

  test('without a test command, or one for each test, it began', async () => {
    expect(await halt({ state: { commandSet: {} } })).toEqual(['halt', 'missing_test_command', 0]);
    expect(await halt({ state: { commandSet: { test: 'make check' } } })).toEqual(['halt', 'missing_test_command', 0]);
  });
});

describe('without tests first', () => {
  test('a small window or the switch did not lead to the plan as a whole', async () => {
    const configs: JsonObject[] = [{ enabled: false }, { contextWindow: 32_768 }];
    for (const config of configs) {
      const { result, ran } = await visit({ config });
      expect(ran).toEqual([]);
      expect(result).toMatchObject({ port: 'implement', output: { state: 'NORMAL' } });
    }
  });

  test('a plan that was carried out was not called so, or one that was not was', async () => {
    expect((await visit({ at: 'NORMAL', rows: [row(1), row(2)] })).result.port).toBe('green');
    expect((await visit({ at: 'NORMAL', rows: [row(1)] })).result).toMatchObject({ port: 'halt', output: { halt: 'step_failed' } });
  });
});
