import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '@/harness/contract/json';
import type { EndedCall, GuardedToolCall } from '@/harness/contract/policy';
import type { ToolTarget } from '@/harness/contract/tool';
import { specOf } from '../../testing/fake-context';
import { fakePolicy } from '../../testing/fake-policy';
import { regressionGuard } from '../regression-guard/node';
import { regressionGuardPolicy } from '../regression-guard/policy';
import { planningValues } from '../support/state';
import { toolGuardChain } from './node';
import { toolGuardChainPolicy } from './policy';

const root = '/srv/work';
const there = (path: string): ToolTarget => ({ path, exists: true, outside: false });
const absent = (path: string): ToolTarget => ({ path, exists: false, outside: false });
const tool = (name: string) => specOf({ name, effect: name === 'read_file' ? 'read' : name === 'run_tests' ? 'idempotent' : 'write' });

interface World {
  config?: JsonObject;
  state?: Record<string, unknown>;
  calls?: EndedCall[];
  scope?: GuardedToolCall['scope'];
  targets?: ToolTarget[];
}

const call = (name: string, input: Json, { targets, scope }: World): GuardedToolCall => ({
  tool: tool(name),
  input,
  ...(scope === undefined ? {} : { scope }),
  ...(targets === undefined ? {} : { targets: { root, paths: targets } }),
});
const contextOf = ({ config = {}, state = {}, calls = [] }: World) => ({ config, state: planningValues(state), calls, workspace: root });

function judge(name: string, input: Json, world: World = {}) {
  return toolGuardChainPolicy.hooks.beforeTool?.(fakePolicy(toolGuardChain, contextOf(world)), call(name, input, world));
}
const preset = (name: string, input: Json, world: World = {}) =>
  regressionGuardPolicy.hooks.beforeTool?.(fakePolicy(regressionGuard, contextOf(world)), call(name, input, world));

const edit = (path: string): Json => ({ path, find: 'a', replace: 'b' });
const create = (path: string): Json => ({ path, content: 'x' });
const step = (step_number: number, file_path: string) => ({ step_number, tool: 'create_file', file_path, instruction: 'do' });
const result = (step_number: number, status: string) => ({
  id: String(step_number),
  step_number,
  status,
  tool: 'create_file',
});

describe('file scope, G1 (L21)', () => {
  const scope = { allowedFiles: ['a.py'] };
  test('an edit of a file that the node did not name went through, or a new file was refused', () => {
    expect(judge('edit_file', edit('b.py'), { scope, targets: [there('b.py')] })).toMatchObject({
      verdict: 'deny',
      message: expect.stringMatching(/^ERROR: "b\.py" is not in the allowed modification list/),
      decision: { rule: 'G1: allowed files', outcome: 'deny' },
    });
    expect(judge('create_file', create('c.py'), { scope, targets: [absent('c.py')] })).toMatchObject({ verdict: 'allow' });
    expect(judge('create_file', create('b.py'), { scope, targets: [there('b.py')] })).toMatchObject({ verdict: 'deny' });
    expect(judge('edit_file', edit('./a.py'), { scope, targets: [there('./a.py')] })).toMatchObject({ verdict: 'allow' });
  });

  test('a list or the plan was not taken for the scope', () => {
    const state = { executionPlan: { scope: '', steps: [step(1, 'src/a.ts')], affected_files: ['src/b.ts'] } };
    const verdict = (path: string, config: JsonObject) =>
      judge('edit_file', edit(path), { config, state, targets: [there(path)] })?.verdict;
    expect(['src/a.ts', 'src/b.ts', 'src/c.ts'].map((path) => verdict(path, { allowedFiles: 'plan' }))).toEqual(['allow', 'allow', 'deny']);
    expect(['x/a.ts', 'src/a.ts'].map((path) => verdict(path, { allowedFiles: 'list', files: ['x/'] }))).toEqual(['allow', 'deny']);
    expect(verdict('src/c.ts', {})).toBe('allow');
  });

  test('the contract of a step was forgotten', () => {
    const contract = { mayChange: ['a.py'], mustNotChange: ['b.py'], allowedTools: ['edit_file'] };
    expect(judge('edit_file', edit('b.py'), { scope: { contract } })).toMatchObject({
      decision: { rule: 'contract: contract of the step' },
    });
    expect(judge('run_command', { command: 'ls' }, { scope: { contract } })).toMatchObject({ verdict: 'deny' });
    expect(judge('edit_file', edit('b.py'), { scope: { contract }, config: { scopeFromContract: false } })).toMatchObject({
      verdict: 'allow',
    });
  });
});

describe('TDD lock, G2 (L25)', () => {
  test.each([
    ['IMPLEMENT', 'deny'],
    ['GREEN_CHECK', 'deny'],
    ['WRITE_TESTS', 'allow'],
    ['POST_VALIDATION', 'allow'],
  ])('while %s, an edit of tests/test_x.py is %s', (state, verdict) => {
    const given = judge('edit_file', edit('tests/test_x.py'), { state: { tddState: { state } }, targets: [there('tests/test_x.py')] });
    expect(given?.verdict).toBe(verdict);
    if (verdict === 'deny') expect(given).toMatchObject({ decision: { rule: 'G2: TDD lock' }, message: expect.stringMatching(/^ERROR: /) });
  });

  test('a lock that the node asks for was forgotten, or could not be switched off', () => {
    const scope = { testsLocked: true };
    expect(judge('edit_file', edit('a.test.js'), { scope })?.verdict).toBe('deny');
    expect(judge('edit_file', edit('a.js'), { scope })?.verdict).toBe('allow');
    expect(judge('edit_file', edit('a.test.js'), { scope, config: { tddLock: 'off' } })?.verdict).toBe('allow');
  });
});

describe.each([
  ['tool-guard-chain', judge],
  ['regression-guard', preset],
] as const)('regression tests, G3, by %s (L04, L05, L06)', (_name, guard) => {
  const path = 'tests/regression/auth_test.py';
  const plan = (...statuses: string[]) => ({
    executionPlan: { scope: '', steps: [step(1, 'regression_login_test.py'), step(2, 'src/a.py')] },
    createdRegressionFiles: ['regression_login_test.py'],
    stepResults: statuses.map((status, at) => result(at + 1, status)),
  });
  const own = 'regression_login_test.py';

  test('an old regression test could be edited or written over', () => {
    expect(guard('edit_file', edit(path), { targets: [there(path)] })).toMatchObject({
      verdict: 'deny',
      message: expect.stringMatching(/^ERROR: .*regression test/),
      decision: { rule: 'G3: regression guard' },
    });
    expect(guard('create_file', create(path), { targets: [there(path)] })?.verdict).toBe('deny');
    expect(guard('create_file', create(path), { targets: [there(path)], config: { guardCreateOverwrite: false } })?.verdict).toBe('allow');
  });

  test('a new one could not be created, or it is not said that it is one', () => {
    expect(guard('create_file', create('regression_new_test.py'), { targets: [absent('regression_new_test.py')] })).toMatchObject({
      verdict: 'allow',
      decision: {
        because: expect.arrayContaining([{ name: 'joins the regression tests of this session', value: ['regression_new_test.py'] }]),
      },
    });
  });

  test('one of this run could not be edited by a later step, or still can when its plan is complete', () => {
    expect(guard('edit_file', edit(own), { state: plan('completed'), targets: [there(own)] })?.verdict).toBe('allow');
    expect(guard('edit_file', edit(own), { state: plan('completed', 'failed'), targets: [there(own)] })?.verdict).toBe('allow');
    expect(guard('edit_file', edit(own), { state: plan('completed', 'completed'), targets: [there(own)] })?.verdict).toBe('deny');
  });

  test('one that this very visit created could not be edited', () => {
    const made = (status: 'ok' | 'denied'): EndedCall => ({
      tool: 'create_file',
      input: create(`./${own}`),
      outcome: status === 'ok' ? { status, output: null } : { status, message: 'no' },
    });
    expect(guard('edit_file', edit(own), { calls: [made('ok')], targets: [there(own)] })?.verdict).toBe('allow');
    expect(guard('edit_file', edit(own), { calls: [made('denied')], targets: [there(own)] })?.verdict).toBe('deny');
  });

  test('the fix loop could edit one of this run (P7)', () => {
    expect(guard('edit_file', edit(own), { state: plan('completed'), scope: { strictRegressions: true } })?.verdict).toBe('deny');
  });

  test('what only looks like one was guarded (L06)', () => {
    for (const other of ['test_regression_logic.py', 'regression.log', 'regression.md'])
      expect(guard('edit_file', edit(other), { targets: [there(other)] })?.verdict).toBe('allow');
  });

  test('a command was let through without keeping the files it must not change (P6)', () => {
    expect(guard('run_command', { command: 'npm run format' }, { state: plan('completed') })).toMatchObject({
      verdict: 'allow',
      limits: { keep: { except: [own] } },
    });
    expect(guard('run_tests', {}, { config: { checkAfterwards: false } })).not.toHaveProperty('limits.keep');
    expect(guard('read_file', { path: 'a' }, {})).not.toHaveProperty('limits.keep');
  });
});

describe('outside paths and commands, G4 and G5 (L30)', () => {
  test('rm -rf build was not asked about, or the refusal is no ERROR', () => {
    expect(judge('run_command', { command: 'rm -rf build' })).toMatchObject({
      verdict: 'ask',
      ask: { kind: 'tool-approval', shown: { tool: 'run_command', command: 'rm -rf build', guards: ['G5'] } },
      refusal: expect.stringMatching(/^ERROR: not approved by user\./),
      decision: { rule: 'G5: command safety', outcome: 'ask' },
    });
  });

  test('rm -rf / was put to a person', () => {
    expect(judge('run_command', { command: 'rm -rf /' })).toMatchObject({
      verdict: 'deny',
      message: expect.stringMatching(/^ERROR: blocked/),
    });
  });

  test('a harmless command that holds the letters of a dangerous one was asked about', () => {
    for (const command of ['npm run confirm x', 'node --test', 'git status'])
      expect(judge('run_command', { command })?.verdict).toBe('allow');
  });

  test('a path outside went through, by its text or by a link', () => {
    const outside = (path: string): ToolTarget => ({ path, exists: null, outside: true });
    expect(judge('read_file', { path: '../x' }, { targets: [outside('../x')] })).toMatchObject({
      verdict: 'ask',
      decision: { rule: 'G4: outside path' },
    });
    expect(judge('read_file', { path: 'link/x' }, { targets: [outside('link/x')] })?.verdict).toBe('ask');
    expect(judge('read_file', { path: '../x' }, { config: { external: 'deny' } })).toMatchObject({
      verdict: 'deny',
      message: expect.stringMatching(/^ERROR: /),
    });
    expect(judge('read_file', { path: `${root}/src/x` }, { targets: [there(`${root}/src/x`)] })?.verdict).toBe('allow');
  });

  test('a command was not limited in time (G6)', () => {
    expect(judge('run_command', { command: 'sleep 100' })).toMatchObject({ limits: { timeoutMs: 60_000 } });
    expect(judge('run_command', { command: 'sleep 100' }, { config: { timeoutSeconds: 5 } })).toMatchObject({
      limits: { timeoutMs: 5000 },
    });
    expect(judge('edit_file', edit('a'))).not.toHaveProperty('limits.timeoutMs');
  });
});

describe('what the layers say', () => {
  test('a denied control state let a change pass, or kept reading from happening', () => {
    const judged = (name: string, input: Json, controlState: JsonObject) =>
      toolGuardChainPolicy.hooks.beforeTool?.(
        fakePolicy(toolGuardChain, { state: { controlState }, workspace: root }),
        call(name, input, {}),
      )?.verdict;
    expect(judged('edit_file', edit('a'), { permission: 'DENY' })).toBe('deny');
    expect(judged('read_file', { path: 'a' }, { permission: 'DENY' })).toBe('allow');
    expect(judged('edit_file', edit('a'), { permission: 'ALLOW', escalation: 'HUMAN_REQUIRED' })).toBe('ask');
    expect(judged('edit_file', edit('a'), { permission: 'ALLOW', escalation: 'NONE' })).toBe('allow');
  });

  test('a guard that was taken out of the order still hit', () => {
    expect(judge('run_command', { command: 'rm -rf /' }, { config: { order: ['G0'] } })?.verdict).toBe('allow');
  });
});

describe('after a command', () => {
  const path = 'tests/regression/a_test.py';
  const judged = (files: { before: Record<string, string>; after: Record<string, string>; restored?: string[] }, world: World = {}) =>
    toolGuardChainPolicy.hooks.afterTool?.(fakePolicy(toolGuardChain, contextOf(world)), {
      tool: tool('run_command'),
      input: { command: 'sed' },
      kept: { restored: [], ...files },
    });

  test('a changed or deleted regression test was not told to the model', () => {
    expect(judged({ before: { [path]: '1' }, after: { [path]: '2' }, restored: [path] })).toMatchObject({
      verdict: 'deny',
      message: expect.stringMatching(/^ERROR: .*was changed.*restored\.$/),
      decision: { rule: 'G3: regression files after the step', outcome: 'restore' },
    });
    expect(judged({ before: { [path]: '1' }, after: {}, restored: [] })).toMatchObject({
      message: expect.stringContaining(`This failed for: ${path}.`),
    });
  });

  test('one of this run, a new one, or nothing at all was called a violation', () => {
    expect(judged({ before: { [path]: '1' }, after: { [path]: '2' } }, { state: { createdRegressionFiles: [path] } })?.verdict).toBe(
      'allow',
    );
    expect(judged({ before: {}, after: { [path]: '2' } })?.verdict).toBe('allow');
    expect(judged({ before: { [path]: '1' }, after: { [path]: '1' } })).toEqual({ verdict: 'allow' });
  });
});
