import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../contract/json';
import { refusedByPerson, runGuards } from './guard-chain';
import { type GuardConfigInput, guardConfigSchema } from './guard-config';
import { type GuardedCall, type GuardFacts, isListed, openFacts, scopeOfContract, workspacePath } from './guarded-call';
import { diffRegressions, finaliseRegressions, regressionSessionSchema, withCreated } from './regression-files';

const root = '/srv/work';
const required: Record<string, string[]> = {
  create_file: ['file_path', 'content'],
  edit_file: ['file_path', 'find', 'replace'],
  read_file: ['file_path'],
  run_command: ['command'],
};

const call = (name: string, input: Json): GuardedCall => ({
  tool: { name, effect: name === 'read_file' ? 'read' : 'write', inputSchema: { type: 'object', required: required[name] ?? [] } },
  input,
});
const create = (file_path: string): GuardedCall => call('create_file', { file_path, content: '' });
const edit = (file_path: string): GuardedCall => call('edit_file', { file_path, find: 'a', replace: '' });
const run = (command: Json): GuardedCall => call('run_command', { command });

function judge(guarded: GuardedCall, facts: Partial<GuardFacts> = {}, config: GuardConfigInput = {}) {
  return runGuards(guarded, { ...openFacts(root), target_exists: true, ...facts }, guardConfigSchema.parse(config));
}
const outcome = (...parts: Parameters<typeof judge>): string => {
  const result = judge(...parts);
  return result.verdict === 'allow' ? 'allow' : `${result.verdict} ${result.guard}`;
};

describe('G0, required parameters', () => {
  it('names what is missing or blank, and lets the content of a file and the replacement of an edit be blank', () => {
    expect(judge(call('edit_file', { find: '  ' }))).toMatchObject({
      guard: 'G0',
      text: expect.stringMatching(/^ERROR: edit_file needs "file_path", "find", "replace"/),
    });
    expect(outcome(create('a.py'))).toBe('allow');
    expect(outcome(call('create_file', { file_path: 'a.py' }))).toBe('deny G0');
    for (const input of [null, [], 'x', 3]) expect(outcome(call('read_file', input))).toBe('deny G0');
  });
});

describe('G1, allowed files (L21)', () => {
  const facts = { allowed_files: ['a.py'] };
  it('refuses an edit of b.py, lets new c.py be created, refuses to overwrite b.py', () => {
    expect(judge(edit('b.py'), facts)).toMatchObject({
      guard: 'G1',
      text: expect.stringContaining('not in the allowed modification list'),
    });
    expect(outcome(create('c.py'), { ...facts, target_exists: false })).toBe('allow');
    expect(outcome(create('b.py'), { ...facts, target_exists: true })).toBe('deny G1');
    expect(outcome(edit('a.py'), facts)).toBe('allow');
  });

  it('takes one file for one file however it is written', () => {
    for (const path of ['./a.py', 'x/../a.py', '/srv/work/a.py', '.\\a.py']) expect(outcome(edit(path), facts)).toBe('allow');
    expect(outcome(edit('a.py.bak'), facts)).toBe('deny G1');
    expect(outcome(edit('b/a.py'), facts)).toBe('deny G1');
  });

  it('takes an unknown target for one that exists, unless told otherwise', () => {
    expect(outcome(create('c.py'), { ...facts, target_exists: null })).toBe('deny G1');
    expect(outcome(create('c.py'), { ...facts, target_exists: null }, { unknownTarget: 'absent' })).toBe('allow');
  });
});

describe('G2, TDD lock (L25)', () => {
  it('refuses a test file in implementation, and only then', () => {
    expect(judge(edit('tests/test_x.py'), { tdd_lock: true })).toMatchObject({
      guard: 'G2',
      text: expect.stringContaining('locked in implementation'),
    });
    expect(outcome(create('tests/test_y.py'), { tdd_lock: true, target_exists: false })).toBe('deny G2');
    expect(outcome(edit('src/x.py'), { tdd_lock: true })).toBe('allow');
    expect(outcome(edit('tests/test_x.py'))).toBe('allow');
  });
});

describe('G3, regression guard', () => {
  it('refuses an edit of a finalised regression test in the fix loop (L04)', () => {
    const strict = { ignoreSession: true };
    const facts = { allowed_files: ['tests/regression/auth_test.py'], session_created: ['tests/regression/auth_test.py'] };
    expect(judge(edit('tests/regression/auth_test.py'), facts, strict)).toMatchObject({
      guard: 'G3',
      text: expect.stringMatching(/^ERROR: /),
    });
    expect(outcome(edit('tests/regression/auth_test.py'))).toBe('deny G3');
  });

  it('lets a step edit what this session created, until the plan is complete (L05)', () => {
    const created = judge(create('regression_login_test.py'), { target_exists: false });
    if (created.verdict !== 'allow') throw new Error(created.verdict);
    const session = withCreated(regressionSessionSchema.parse({}), created.created_regressions);
    const during = { session_created: session.session_created_regression_files };
    expect(outcome(edit('./regression_login_test.py'), during)).toBe('allow');
    const after = finaliseRegressions(session);
    expect(after.finalised).toEqual(['regression_login_test.py']);
    expect(outcome(edit('regression_login_test.py'), { session_created: after.session.session_created_regression_files })).toBe('deny G3');
  });

  it('lets test_regression_logic.py be edited, which is not of the convention (L06)', () => {
    expect(outcome(edit('test_regression_logic.py'))).toBe('allow');
  });

  it('refuses to overwrite one, unless that is turned off (P6), and sees through the way a path is written', () => {
    expect(outcome(create('regression_a.py'), { target_exists: true })).toBe('deny G3');
    expect(outcome(create('regression_a.py'), { target_exists: true }, { guardCreateOverwrite: false })).toBe('allow');
    expect(outcome(create('regression_a.py'), { target_exists: false })).toBe('allow');
    for (const path of ['tests/x/../regression/a.py', 'tests\\regression\\a.py', './/tests/regression//a.py']) {
      expect(outcome(edit(path))).toBe('deny G3');
    }
  });

  it('finds after a step what a command, a formatter or a rename did (P6)', () => {
    const before = { 'tests/regression/a.py': '1', 'regression_b.py': '1', 'regression_own.py': '1', 'src/x.py': '1' };
    const after = { 'tests/regression/a.py': '2', 'tests/regression/new.py': '1', 'regression_own.py': '2', 'src/x.py': '2' };
    const session = { session_created_regression_files: ['regression_own.py'] };
    const diff = diffRegressions(before, after, session);
    expect(diff.violations).toEqual([
      { path: 'regression_b.py', change: 'deleted' },
      { path: 'tests/regression/a.py', change: 'changed' },
    ]);
    expect(diff.created).toEqual(['tests/regression/new.py']);
    expect(diff.text).toMatch(/^ERROR: /);
    expect(diffRegressions(before, before, session)).toMatchObject({ violations: [], text: null, decision: { outcome: 'unharmed' } });
    expect(diffRegressions(before, after, session, guardConfigSchema.parse({ ignoreSession: true })).violations).toHaveLength(3);
  });
});

describe('G4 and G5, outside and commands (L30)', () => {
  it('asks about rm -rf build, and answers a no with an ERROR', () => {
    const verdict = judge(run('rm -rf build'));
    if (verdict.verdict !== 'ask') throw new Error(verdict.verdict);
    expect(verdict.guard).toBe('G5');
    expect(refusedByPerson(verdict.reason, 'keep it')).toMatch(/^ERROR: not approved by user\..*They said: keep it$/);
  });

  it.each(['rm -rf /', 'sudo rm -rf /', 'rm -rf ../x /', 'cat ../x; rm -rf ~'])('refuses %s without asking', (command) => {
    expect(judge(run(command))).toMatchObject({ verdict: 'deny', guard: 'G5', text: expect.stringMatching(/^ERROR: blocked\./) });
  });

  it('holds a path outside against the policy, in a field, in a command, or behind a link', () => {
    for (const guarded of [
      edit('../x'),
      call('read_file', { file_path: '/etc/passwd' }),
      run('cat ../x'),
      run('sh -c "cp a --to=/etc/x"'),
    ]) {
      expect(outcome(guarded)).toBe('ask G4');
      expect(outcome(guarded, {}, { external: 'deny' })).toBe('deny G4');
    }
    expect(outcome(edit('link/x'), { resolves_outside: true })).toBe('ask G4');
    expect(outcome(edit('x'), { resolves_outside: false })).toBe('allow');
  });

  it('asks once for all that needs asking', () => {
    expect(judge(run('rm ../x'))).toMatchObject({
      verdict: 'ask',
      guards: ['G4', 'G5'],
      reason: expect.stringMatching(/outside.*approval/),
    });
  });

  it('does not ask about what a later guard refuses', () => {
    expect(judge(run(['cp', '../x', '/']), {}, { blockCommands: ['cp'] })).toMatchObject({ verdict: 'deny', guard: 'G5' });
  });

  it('reads a list of words as one command, and no substring for a command', () => {
    expect(outcome(run(['rm', '-rf', '/']))).toBe('deny G5');
    expect(outcome(run('npm run confirm x'))).toBe('allow');
    expect(outcome(run(['echo', 'rm -rf /']))).toBe('allow');
  });
});

describe('guards of other layers', () => {
  it('lets only reading through where that is asked for, and where the control state denies', () => {
    expect(outcome(edit('a'), {}, { readOnly: true })).toBe('deny read_only');
    expect(outcome(call('read_file', { file_path: 'a' }), { control: 'DENY' }, { readOnly: true })).toBe('allow');
    expect(outcome(edit('a'), { control: 'DENY' })).toBe('deny control_state');
    expect(outcome(edit('a'), { control: 'REQUIRE_APPROVAL' })).toBe('ask control_state');
  });

  it('refuses a run within a run', () => {
    expect(outcome(call('delegate', {}), {}, { recursionDeny: true })).toBe('deny recursion');
    expect(outcome(call('delegate', {}))).toBe('allow');
  });

  it('keeps a step within its contract', () => {
    const contract = { may_change: ['src/'], must_not_change: ['src/keep.py'], allowed_tools: ['edit_file', 'create_file'] };
    expect(outcome(edit('src/a.py'), { contract })).toBe('allow');
    expect(outcome(edit('src/keep.py'), { contract })).toBe('deny contract');
    expect(outcome(create('lib/new.py'), { contract, target_exists: false })).toBe('deny contract');
    expect(outcome(run('ls'), { contract })).toBe('deny contract');
    expect(outcome(run('ls'), { contract }, { scopeFromContract: false })).toBe('allow');
    expect(outcome(call('task_complete', {}), { contract })).toBe('allow');
  });

  it('reads the contract of a step: no change listed allows none, no tool listed limits none', () => {
    const contract = scopeOfContract({ may_change: [{ path: 'a.py', change: 'x' }], must_not_change: [], allowed_tools: [] });
    expect(outcome(edit('a.py'), { contract })).toBe('allow');
    expect(outcome(edit('b.py'), { contract })).toBe('deny contract');
    expect(outcome(run('ls'), { contract })).toBe('allow');
    expect(outcome(edit('a.py'), { contract: { ...contract, may_change: [] } })).toBe('deny contract');
  });
});

describe('the chain', () => {
  it('answers with the first guard that is hit, in the order that is set', () => {
    const facts = { allowed_files: [], tdd_lock: true };
    expect(outcome(edit('tests/regression/x_test.py'), facts)).toBe('deny G1');
    expect(outcome(edit('tests/regression/x_test.py'), { tdd_lock: true })).toBe('deny G2');
    expect(outcome(edit('tests/regression/x_test.py'), facts, { order: ['G3', 'G2', 'G1'] })).toBe('deny G3');
    expect(outcome(edit('tests/regression/x_test.py'), facts, { order: [] })).toBe('allow');
  });

  it('refuses what a broken guard cannot judge, rather than throw', () => {
    const config = { ...guardConfigSchema.parse({}), regressionPattern: '(' };
    expect(runGuards(edit('a'), openFacts(root), config)).toMatchObject({
      verdict: 'deny',
      guard: 'G3',
      text: expect.stringMatching(/^ERROR: /),
    });
    expect(guardConfigSchema.safeParse({ regressionPattern: '(' }).success).toBe(false);
  });

  it('never throws, and a refusal always begins with ERROR:', () => {
    const names = fc.constantFrom('create_file', 'edit_file', 'read_file', 'run_command', '__proto__');
    const facts = fc.record({
      target_exists: fc.option(fc.boolean()),
      allowed_files: fc.option(fc.array(fc.string())),
      tdd_lock: fc.boolean(),
      control: fc.constantFrom('ALLOW', 'DENY', 'REQUIRE_APPROVAL', null),
    });
    const input = fc.oneof(
      fc.jsonValue(),
      fc.record({ file_path: fc.string(), content: fc.string(), find: fc.string(), replace: fc.string(), command: fc.string() }),
    );
    fc.assert(
      fc.property(names, input, facts, (name, value, more) => {
        // what fast-check calls JSON is JSON
        const verdict = judge(call(name, value as Json), more);
        if (verdict.verdict === 'deny') expect(verdict.text).toMatch(/^ERROR: /);
      }),
    );
  });
});

describe('paths in one spelling', () => {
  it('is the same for every way to write it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '.', 'c'), { minLength: 1 }), (parts) => {
        const path = parts.join('/');
        const plain = workspacePath(path, root);
        expect(workspacePath(`${root}/${path}`, root)).toBe(plain);
        expect(workspacePath(path.replaceAll('/', '\\'), root)).toBe(plain);
        expect(workspacePath(plain, root)).toBe(plain);
      }),
    );
  });

  it('does not take a neighbour of the root for its inside', () => {
    expect(workspacePath('/srv/work-other/a', root)).toBe('/srv/work-other/a');
    expect(isListed('/srv/work/a', ['a'], root)).toBe(true);
    expect([isListed('src2/a', ['src/'], root), isListed('src/b/a', ['src/**'], root), isListed('a', ['/srv/work/'], root)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
