import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandSetSchema, failedSteps, summariseResults, validationResultsSchema, validationSteps } from '../artefacts/results';
import { attemptRow, nextAttempt, validationAttemptSchema } from './attempts';
import { failureText, firstErrorLine, memoryQuery, regressionsNamed } from './failures';
import { planValidation, postValidationConfigSchema } from './plan';
import { fixPrompt } from './prompt';
import { closingText, type FinishedCommand, resultMap, summaryDecision } from './results';

const commands = commandSetSchema.parse({ format: 'fmt', lint_fix: 'fix', lint: 'lint', test: 'test' });
const ended = (step: FinishedCommand['step'], success: boolean, full_output = ''): FinishedCommand => ({ step, success, full_output });
const failingLint = resultMap([ended('format', true), ended('lint', false, 'src/a.ts:3 error no-unused-vars'), ended('test', true)]);
const green = resultMap([ended('lint', true), ended('test', true)]);

describe('what is run', () => {
  it('changes files first, in order, then only looks, side by side', () => {
    expect(planValidation(commands, 1)).toMatchObject({
      sequential: [{ step: 'format' }, { step: 'lint_fix' }],
      parallel: [{ step: 'lint' }, { step: 'test' }],
    });
    expect(planValidation(commandSetSchema.parse({ test: ' t ' }), 1)).toMatchObject({
      sequential: [],
      parallel: [{ step: 'test', command: 't' }],
    });
  });

  it.each([
    [0, commands, {}, 'nothing_modified'],
    [1, commandSetSchema.parse({ lint: '  ' }), {}, 'no_command'],
    [1, commands, { enabled: false }, 'off'],
  ])('skips with %d files modified: %#', (files, set, config, reason) => {
    expect(planValidation(set, files, postValidationConfigSchema.parse(config))).toMatchObject({ run: false, reason });
  });
});

describe('results', () => {
  it('says how many passed and which failed', () => {
    expect(summariseResults(failingLint)).toBe('2/3 passed. Failed: lint');
    expect(summariseResults(green)).toBe('2/2 passed.');
    expect(failedSteps(resultMap([]))).toEqual([]);
    expect([failingLint, green].map((results) => summaryDecision(results).outcome)).toEqual(['failed', 'passed']);
  });

  it('keeps the end of a long output, and all of it beside', () => {
    const result = resultMap([ended('test', false, `${'x'.repeat(5000)}END`)]).test;
    expect(result?.output).toHaveLength(2000);
    expect(result?.output.endsWith('END')).toBe(true);
    expect(result?.full_output).toHaveLength(5003);
    expect(validationResultsSchema.safeParse(failingLint).success).toBe(true);
  });

  it('says at the end what is resolved and what remains', () => {
    expect(closingText(green, 2)).toBe('All resolved after 2 attempt(s).');
    expect(closingText(failingLint, 2)).toBe('1 failure(s) remain: lint.');
    expect(closingText(green, 0)).toBe('2/2 passed.');
  });
});

describe('the fix loop', () => {
  it('gives attempt 1 to the primary model and attempt 2 to the expert (L22)', () => {
    expect(nextAttempt(failingLint, 0, true)).toMatchObject({ go: true, attempt: 1, role: 'primary', tdd_lock: true });
    expect(nextAttempt(failingLint, 1, true)).toMatchObject({ go: true, attempt: 2, role: 'expert', last: true });
    expect(nextAttempt(failingLint, 2, true)).toMatchObject({ go: false, reason: 'used_up' });
  });

  it('stays with the primary model without an expert', () => {
    expect(nextAttempt(failingLint, 1, false)).toMatchObject({ role: 'primary', tdd_lock: false });
    expect(nextAttempt(failingLint, 1, true, postValidationConfigSchema.parse({ expertOnLast: false }))).toMatchObject({ role: 'primary' });
  });

  it('stops when nothing fails, and never begins with 0 retries', () => {
    expect(nextAttempt(green, 1, true)).toMatchObject({ go: false, reason: 'none_failing' });
    expect(nextAttempt(failingLint, 0, true, postValidationConfigSchema.parse({ retries: 0 }))).toMatchObject({
      go: false,
      reason: 'no_retries',
    });
    const onlyTests = postValidationConfigSchema.parse({ repairs: ['test'] });
    expect(nextAttempt(failingLint, 0, true, onlyTests)).toMatchObject({ reason: 'none_failing' });
  });

  it('always ends, and only its last attempt is the expert’s', () => {
    fc.assert(
      fc.property(fc.nat(6), fc.boolean(), fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }), (retries, expert, fixed) => {
        const config = postValidationConfigSchema.parse({ retries });
        const roles: string[] = [];
        let results = failingLint;
        for (let made = 0; made < 10; made++) {
          const next = nextAttempt(results, made, expert, config);
          if (!next.go) break;
          roles.push(next.role);
          if (fixed[made]) results = green;
        }
        expect(roles.length).toBeLessThanOrEqual(retries);
        expect(roles).toEqual(roles.map((_, at) => (expert && at === retries - 1 ? 'expert' : 'primary')));
      }),
    );
  });

  it('writes a row that says a regression test failed (L04)', () => {
    const before = resultMap([ended('test', false, `FAILED tests/regression/auth_test.py::test_login - ${'x'.repeat(4000)}`)]);
    const row = attemptRow({ attempt: 1, before, after: before, diagnosis: 'token', fix_tool_calls: ['edit_file'] });
    expect(row).toMatchObject({ regression_failure: true, succeeded: false, failures_before: 1, failures_after: 1 });
    expect(row.error_output).toHaveLength(3000);
    validationAttemptSchema.parse(row);
    expect(attemptRow({ attempt: 2, before: failingLint, after: green, diagnosis: '', fix_tool_calls: [] })).toMatchObject({
      regression_failure: false,
      succeeded: true,
      failures_after: 0,
    });
  });
});

describe('what the model is told', () => {
  const regression = resultMap([ended('test', false, '✖ /srv/work/tests/regression/auth_test.py:12:3\nAssertionError: 401 != 200')]);
  const prompt = (more: Partial<Parameters<typeof fixPrompt>[0]> = {}): string =>
    fixPrompt({
      results: regression,
      failing: ['test'],
      commands: { test: 'pytest' },
      affected_files: ['src/auth.py'],
      memories: '',
      journal: 'tried x',
      scratchpad: '',
      ...more,
    });

  it('begins with the banner when a regression test fails (L04)', () => {
    expect(prompt()).toMatch(/^## REGRESSION\nThese regression tests fail: \/srv\/work\/tests\/regression\/auth_test\.py\./);
    expect(prompt({ results: failingLint, failing: ['lint'] })).not.toContain('REGRESSION');
  });

  it('holds the workflow in its order, the scope and the output, and leaves out what is empty', () => {
    const text = prompt();
    const parts = ['1. Run', '2. Diagnose', '3. Fix', '4. Verify', '- test: pytest', '- src/auth.py', '401 != 200', 'tried x'];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(text).not.toContain('Scratchpad');
    expect(prompt({ affected_files: [] })).toContain('No existing file');
  });

  it('shows failures whole up to 8,000 characters, else their last 80 lines, and never more', () => {
    const lines = (count: number, width: number) => Array.from({ length: count }, (_, at) => `${at} `.padEnd(width, 'x')).join('\n');
    const textOf = (output: string) => failureText(resultMap([ended('test', false, output)]), ['test']);
    expect(textOf(lines(70, 100))).toContain('### test');
    const cut = textOf(lines(200, 90));
    expect(cut.split('\n')).toHaveLength(80);
    expect(cut).toMatch(/^120 /);
    expect(textOf('y'.repeat(50_000))).toHaveLength(8000);
  });

  it.each([
    ['FAILED tests/regression/auth_test.py::test_login', ['tests/regression/auth_test.py']],
    ['at Object.<anonymous> (/a/regression-login.test.js:10:5)', ['/a/regression-login.test.js']],
    ['location: "tests\\regression\\a.py"', ['tests\\regression\\a.py']],
    ['regression_a.py regression_a.py', ['regression_a.py']],
    ['a regression was found in test_regression_logic.py', []],
    ['see regression.log', []],
  ])('finds the regression tests named in %s', (output, expected) => expect(regressionsNamed(output)).toEqual(expected));

  it('searches memories by failing steps and the first error line of each', () => {
    expect(firstErrorLine('ran 3 tests\nTypeError: x is not a function\nat a')).toBe('TypeError: x is not a function');
    expect(firstErrorLine('\n  exit 3\n')).toBe('exit 3');
    expect(memoryQuery(failingLint, ['lint'])).toBe('lint src/a.ts:3 error no-unused-vars');
    expect(firstErrorLine('')).toBe('');
  });

  it('never throws and stays within its limit whatever came out', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        fc.constantFrom(...validationSteps),
        (output, limit, step) => {
          const config = postValidationConfigSchema.parse({ failureLimit: limit, errorLimit: limit, outputLimit: limit });
          const results = resultMap([ended(step, false, output)], config);
          expect(failureText(results, [step], config).length).toBeLessThanOrEqual(limit);
          expect(results[step]?.output.length).toBeLessThanOrEqual(limit);
          expect(
            attemptRow({ attempt: 1, before: results, after: results, diagnosis: '', fix_tool_calls: [] }, config).error_output.length,
          ).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });
});
