import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settleDispute } from './dispute';
import { type CommandExit, classifyExit } from './exits';
import { haltReasons, isTddLocked, type TddInput, tddConfigSchema, tddNext } from './machine';

const config = tddConfigSchema.parse({ enabled: true });
const exit = (exit_code: number | null, more: Partial<CommandExit> = {}): CommandExit => ({
  command: 'node --test tests/a.test.js',
  exit_code,
  timed_out: false,
  signal: null,
  ...more,
});
const targeted = [{ step_number: 1, command: 'node --test tests/a.test.js' }];
const next = (input: TddInput, more = config): string => {
  const { state, halt } = tddNext(input, more);
  return halt === null ? state : `halt ${halt}`;
};

describe('what an exit code says', () => {
  it.each([
    [exit(0), 'pass'],
    [exit(1), 'fail'],
    [exit(2), 'fail'],
    [exit(125), 'fail'],
    [exit(126), 'infrastructure'],
    [exit(127), 'infrastructure'],
    [exit(128), 'infrastructure'],
    [exit(137), 'infrastructure'],
    [exit(-1), 'infrastructure'],
    [exit(null), 'infrastructure'],
    [exit(0, { timed_out: true }), 'infrastructure'],
    [exit(1, { signal: 'SIGKILL' }), 'infrastructure'],
  ])('%j is %s', (given, expected) => expect(classifyExit(given)).toBe(expected));

  it.each([
    ['pytest tests/a.py', 5, 'infrastructure'],
    ['pytest tests/a.py', 1, 'fail'],
    ['python3 -m pytest tests/a.py', 4, 'infrastructure'],
    ['python3.12 -m pytest -q', 2, 'infrastructure'],
    ['uv run pytest', 3, 'infrastructure'],
    ['.venv/bin/pytest -x', 5, 'infrastructure'],
    ['CI=1 timeout 60 pytest', 5, 'infrastructure'],
    ['node --test tests/pytest.js', 5, 'fail'],
    ['cargo test', 101, 'fail'],
  ])('%s with %d is %s', (command, code, expected) => expect(classifyExit(exit(code, { command }))).toBe(expected));

  it('goes by a map of its own where one is set', () => {
    expect(classifyExit(exit(3, { command: 'npx vitest run' }), { vitest: { '3': 'infrastructure' } })).toBe('infrastructure');
    expect(classifyExit(exit(5, { command: 'pytest' }), { pytest: { '5': 'fail' } })).toBe('fail');
  });
});

describe('the machine', () => {
  const eligible = { state: 'ELIGIBILITY', window: 200_000, test_command: 'node --test', test_steps: [1], targeted } as const;

  it('goes through to post-validation when everything is as it should be', () => {
    expect([
      next(eligible),
      next({ state: 'BASELINE', exit: exit(0) }),
      next({ state: 'WRITE_TESTS', complete: true }),
      next({ state: 'RED_CHECK', targeted, exits: [exit(1)] }),
      next({ state: 'IMPLEMENT', complete: true }),
      next({ state: 'GREEN_CHECK', targeted, exits: [exit(0)] }),
    ]).toEqual(['BASELINE', 'WRITE_TESTS', 'RED_CHECK', 'IMPLEMENT', 'GREEN_CHECK', 'POST_VALIDATION']);
  });

  it('halts on an authored test that passes before anything is implemented (L23)', () => {
    const result = tddNext({ state: 'RED_CHECK', targeted, exits: [exit(0)] }, config);
    expect(result).toMatchObject({ state: 'HALTED', halt: 'unexpected_pass', decision: { outcome: 'halt: unexpected_pass' } });
  });

  it('halts on a failing baseline before any test is written (L24)', () => {
    expect(next({ state: 'BASELINE', exit: exit(1) })).toBe('halt dirty_baseline');
    expect(next({ state: 'BASELINE', exit: exit(127) })).toBe('halt infrastructure_failure');
    expect(next({ state: 'BASELINE', exit: exit(-1, { timed_out: true }) })).toBe('halt infrastructure_failure');
  });

  it('locks test files while it implements (L25), and not while it writes them', () => {
    expect((['WRITE_TESTS', 'RED_CHECK', 'IMPLEMENT', 'GREEN_CHECK'] as const).map(isTddLocked)).toEqual([false, false, true, true]);
  });

  it('falls back to normal mode in a small window or when off, and halts without commands', () => {
    expect(next({ ...eligible, window: 32_768 })).toBe('NORMAL');
    expect(next({ ...eligible, window: 32_769 })).toBe('BASELINE');
    expect(next(eligible, tddConfigSchema.parse({}))).toBe('NORMAL');
    expect(next({ ...eligible, test_command: ' ' })).toBe('halt missing_test_command');
    expect(next({ ...eligible, test_steps: [1, 2] })).toBe('halt missing_test_command');
    expect(next({ ...eligible, test_steps: [], targeted: [] })).toBe('halt missing_test_command');
  });

  it('takes a command that could not run, or was not run, for no red', () => {
    expect(next({ state: 'RED_CHECK', targeted, exits: [exit(127)] })).toBe('halt infrastructure_failure');
    expect(next({ state: 'RED_CHECK', targeted, exits: [] })).toBe('halt infrastructure_failure');
    const two = [...targeted, { step_number: 2, command: 'other' }];
    expect(next({ state: 'RED_CHECK', targeted: two, exits: [exit(1)] })).toBe('halt infrastructure_failure');
    expect(next({ state: 'RED_CHECK', targeted: two, exits: [exit(1), exit(0, { command: 'other' })] })).toBe('halt unexpected_pass');
  });

  it('says why it halts when steps fail or it stays red', () => {
    expect(next({ state: 'WRITE_TESTS', complete: false })).toBe('halt test_writing_failed');
    expect(next({ state: 'IMPLEMENT', complete: false })).toBe('halt step_failed');
    expect(next({ state: 'GREEN_CHECK', targeted, exits: [exit(1)] })).toBe('halt still_red');
    expect(next({ state: 'GREEN_CHECK', targeted, exits: [] })).toBe('halt still_red');
  });

  it('is green or red by exit codes alone: green exactly when every one is 0, red exactly when every one is a plain failure', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 140 }), { minLength: 1, maxLength: 5 }), (codes) => {
        const exits = codes.map((code, at) => exit(code, { command: `run ${at}` }));
        const commands = exits.map(({ command }, at) => ({ step_number: at, command }));
        const green = tddNext({ state: 'GREEN_CHECK', targeted: commands, exits }, config);
        expect(green.halt === null).toBe(codes.every((code) => code === 0));
        const red = tddNext({ state: 'RED_CHECK', targeted: commands, exits }, config);
        expect(red.halt === null).toBe(codes.every((code) => code > 0 && code < 126));
        for (const { halt, state } of [green, red]) {
          expect(state === 'HALTED').toBe(halt !== null);
          if (halt !== null) expect(haltReasons).toContain(halt);
        }
      }),
    );
  });
});

describe('a disputed test', () => {
  const request = { test_file: 'tests/a.test.js', test_function: 'resets', reason: 'asks for two things at once' };
  it.each([
    ['ACCEPTED: split in two', ['tests/a.test.js'], true],
    ['ACCEPTED: split in two', [], false],
    ['REJECTED: the test is right', ['tests/a.test.js'], false],
    ['I accepted it', ['tests/a.test.js'], false],
    ['', [], false],
  ])('%j with %j changed: accepted is %s', (answer, changed, accepted) => {
    const outcome = settleDispute(request, answer, changed);
    expect(outcome.accepted).toBe(accepted);
    expect(outcome.text.startsWith(accepted ? 'ACCEPTED:' : 'REJECTED:')).toBe(true);
  });
});
