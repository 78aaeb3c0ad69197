import { expect, test } from 'vitest';
import type { Json, JsonObject } from '@/harness/contract/json';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { planValue, type Sketch } from '../support/plan.fixtures';
import { executeExecutePlan } from './execute';
import { executePlanNode } from './node';

interface Item {
  step: { step_number: number; tool: string; file_path: string };
  completed: { step_number: number }[];
  store: { files: { path: string; content: string | null }[]; evicted: string[] };
  siblings: number[];
  writes_test: boolean;
}

const asItem = (item: Json): Item => JSON.parse(JSON.stringify(item));

const resultOf = (step: Item['step'], status = 'completed'): JsonObject => ({
  step_number: step.step_number,
  status,
  tool: step.tool,
  file_path: step.file_path,
  description: '',
  summary: '',
  changed_files: step.file_path === '' ? [] : [step.file_path],
  failure_reasons: status === 'failed' ? ['its action did not happen'] : [],
});

interface Setup {
  steps: Sketch[];
  more?: JsonObject;
  config?: JsonObject;
  state?: Record<string, Json>;
  fails?: number[];
  /** Content of each file after its step. */
  content?: string;
  incomplete?: string | null;
}

function executing({ steps, more = {}, config = {}, state = {}, fails = [], content = 'x', incomplete = null }: Setup) {
  const fake = fakeContext(executePlanNode, {
    config,
    workspace: '/repo',
    state: { executionPlan: planValue(steps, more), ...state },
    body: (item) => {
      const { step } = asItem(item);
      const result = resultOf(step, fails.includes(step.step_number) ? 'failed' : 'completed');
      return {
        outcome: 'done',
        output: { result, files: step.file_path === '' ? [] : [{ path: step.file_path, content }], exit: '', turns: 1 },
      };
    },
    tools: [
      {
        name: 'read_file',
        run: (input) =>
          Object(input).path === '.bridle/incomplete.md' && incomplete === null
            ? { status: 'failed', code: 'TOOL_PATH_MISSING', message: 'no' }
            : { status: 'ok', output: { content: `1: ${incomplete ?? 'old'}`, firstLine: 1, lastLine: 1, truncated: false } },
      },
      { name: 'create_file', effect: 'write', run: () => ({ status: 'ok', output: {} }) },
    ],
  });
  const groups = () => fake.bodies.map(({ items }) => items.map((item) => asItem(item).step.step_number));
  return { fake, groups, run: () => executeExecutePlan.execute(fake.context) };
}

test('L29: steps that depend on each other ran side by side, or independent ones waited', async () => {
  const four: Sketch[] = [
    ['edit_file', 'a.py'],
    ['edit_file', 'b.py'],
    ['run_tests', '', 'Run'],
    ['edit_file', 'c.py'],
  ];
  const free = executing({ steps: four, config: { parallel: 3 } });
  expect(await free.run()).toMatchObject({ port: 'done', output: { status: 'done', completed: 4, total: 4 } });
  expect(free.groups()).toEqual([[1, 2], [3], [4]]);
  expect(free.fake.bodies[0]?.options).toEqual({ concurrency: 3, onError: 'collect' });
  const named = executing({ steps: [four[0] ?? ['', ''], ['edit_file', 'b.py', 'Import from a.py'], ...four.slice(2)] });
  await named.run();
  expect(named.groups()).toEqual([[1], [2], [3], [4]]);
});

test('a failed step did not halt the execution, or nobody was told of the rest', async () => {
  const { run, groups, fake } = executing({
    steps: [
      ['edit_file', 'a.py'],
      ['run_tests', '', 'Run'],
      ['edit_file', 'c.py'],
    ],
    fails: [2],
  });
  const result = await run();
  expect(groups()).toEqual([[1], [2]]);
  expect(result).toMatchObject({
    port: 'halted',
    output: {
      status: 'halted',
      failed: [2],
      completed: 1,
      results: [{ status: 'completed' }, { status: 'failed' }, { status: 'skipped' }],
    },
    writes: { stepResults: [{ id: '1' }, { id: '2', status: 'failed' }, { id: '3', status: 'skipped' }] },
  });
  expect(fake.calls.at(-1)).toMatchObject({
    tool: 'create_file',
    input: { path: '.bridle/incomplete.md', overwrite: true, content: expect.stringMatching(/^# Incomplete steps[\s\S]*## Step 2/) },
  });
});

test('earlier notes on incomplete steps were overwritten', async () => {
  const { run, fake } = executing({ steps: [['edit_file', 'a.py']], fails: [1], incomplete: '# Incomplete steps of last week' });
  await run();
  expect(Object(fake.calls.at(-1)?.input).content).toMatch(/^# Incomplete steps of last week\n\n## Step 1/);
});

test('a member was told to stop for a failure of an earlier execution', async () => {
  const old = { ...resultOf({ step_number: 1, tool: 'create_file', file_path: 'other.py' }, 'failed'), id: '1' };
  const { run, fake } = executing({
    steps: [
      ['edit_file', 'a.py'],
      ['edit_file', 'b.py'],
    ],
    state: { stepResults: [old] },
  });
  await run();
  expect(fake.bodies[0]?.items.map((item) => asItem(item).siblings)).toEqual([[2], []]);
});

test('steps did not learn what was done before them, or the files exceeded their budget', async () => {
  const steps: Sketch[] = [
    ['edit_file', 'a.py'],
    ['edit_file', 'b.py', 'After a.py'],
    ['edit_file', 'c.py', 'After b.py'],
  ];
  // 2 % of 1,024 tokens at 3.5 characters: 71 bytes hold two of these files
  const { run, fake } = executing({ steps, content: 'y'.repeat(30), config: { contextWindow: 1024, artefactPct: 2 } });
  await run();
  const last = asItem(fake.bodies[2]?.items[0] ?? null);
  expect(last.completed.map(({ step_number }) => step_number)).toEqual([1, 2]);
  expect(last.store.files.map(({ path }) => path)).toEqual(['a.py', 'b.py']);
  const tight = executing({ steps, content: 'y'.repeat(40), config: { contextWindow: 1024, artefactPct: 2 } });
  await tight.run();
  expect(asItem(tight.fake.bodies[2]?.items[0] ?? null).store).toMatchObject({ files: [{ path: 'b.py' }], evicted: ['a.py'] });
});

test('after a halt completed steps were made again, or failed ones were not', async () => {
  const rows = [
    { ...resultOf({ step_number: 1, tool: 'create_file', file_path: 'a.py' }), id: '1' },
    { ...resultOf({ step_number: 2, tool: 'edit_file', file_path: 'b.py' }, 'failed'), id: '2' },
  ];
  const steps: Sketch[] = [
    ['create_file', 'a.py'],
    ['edit_file', 'b.py'],
  ];
  const again = executing({ steps, state: { stepResults: rows } });
  expect(await again.run()).toMatchObject({ port: 'done', output: { completed: 2 } });
  expect(again.groups()).toEqual([[2]]);
  expect(asItem(again.fake.bodies[0]?.items[0] ?? null).store.files).toMatchObject([{ path: 'a.py', content: 'old' }]);
  const anew = executing({ steps, state: { stepResults: rows }, config: { continueAfterHalt: false } });
  await anew.run();
  expect(anew.groups()).toEqual([[1, 2]]);
});

test('tests first: the controller’s phase did not decide which steps run', async () => {
  const steps: Sketch[] = [['edit_file', 'a.py', 'x', { step_number: 2 }]];
  const more = { tdd_test_steps: [{ step_number: 1, tool: 'create_file', file_path: 'tests/regression/a_test.py', instruction: 'Test' }] };
  const at = (state: string) => ({
    tddState: { state, halt: null, targeted: [], problem: '' },
    createdRegressionFiles: ['tests/regression/a_test.py'],
  });
  const first = executing({ steps, more, state: at('WRITE_TESTS') });
  expect((await first.run()).output).toMatchObject({ total: 1, finalised: [] });
  expect(first.groups()).toEqual([[1]]);
  expect(asItem(first.fake.bodies[0]?.items[0] ?? null).writes_test).toBe(true);
  const then = executing({ steps, more, state: at('IMPLEMENT') });
  expect((await then.run()).output).toMatchObject({ total: 1, finalised: ['tests/regression/a_test.py'] });
  expect(then.groups()).toEqual([[2]]);
  const all = executing({ steps, more, state: at('NORMAL') });
  await all.run();
  expect(all.groups().flat()).toEqual([1, 2]);
});

test('L05: regression tests stayed open after the plan was complete, or became final although it halted', async () => {
  const state = { createdRegressionFiles: ['tests/regression_login_test.py'] };
  const done = executing({ steps: [['edit_file', 'a.py']], state });
  expect((await done.run()).output).toMatchObject({ finalised: ['tests/regression_login_test.py'] });
  expect(done.fake.decisions.at(-1)).toMatchObject({ rule: 'G3: regression guard' });
  const halted = executing({ steps: [['edit_file', 'a.py']], state, fails: [1] });
  expect((await halted.run()).output).toMatchObject({ finalised: [] });
});

test('a body that broke, or ended with other nodes, left its step without a result', async () => {
  const steps: Sketch[] = [['edit_file', 'a.py']];
  const broken = fakeContext(executePlanNode, {
    state: { executionPlan: planValue(steps) },
    body: () => ({ outcome: 'failed', output: null, error: { code: 'MODEL_UNAVAILABLE', message: 'the provider is down' } }),
  });
  expect(await executeExecutePlan.execute(broken.context)).toMatchObject({
    port: 'halted',
    output: { results: [{ status: 'failed', failure_reasons: ['the provider is down'] }] },
  });
  const row = { ...resultOf({ step_number: 1, tool: 'edit_file', file_path: 'a.py' }), id: '1' };
  const other = fakeContext(executePlanNode, {
    state: { executionPlan: planValue(steps), stepResults: [row] },
    body: () => ({ outcome: 'done', output: 'looked at' }),
  });
  expect((await executeExecutePlan.execute(other.context)).port).toBe('done');
});

test('the checklist was not told, or a missing plan ran as an empty one', async () => {
  const { run, fake } = executing({ steps: [['edit_file', 'a.py', 'z'.repeat(300)]] });
  await run();
  const checklist = fake.decisions.find(({ rule }) => rule === 'execution_checklist');
  expect(checklist?.because[0]?.value).toMatchObject({ step_index: 1, tool: 'edit_file', file_path: 'a.py' });
  expect(String(Object(checklist?.because[0]?.value).description)).toHaveLength(120);
  expect(await codeOf(() => executeExecutePlan.execute(fakeContext(executePlanNode).context))).toBe('PLAN_MISSING');
});
