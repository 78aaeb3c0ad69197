import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DesignAndRisks, designAndRisksSchema } from '../artefacts/design';
import { type ExecutionPlan, executionPlanSchema } from '../artefacts/execution-plan';
import { fileSummarySchema } from '../artefacts/file-summary';
import { type PlanStep, planStepSchema, stepTools } from '../artefacts/plan-step';
import { validatorConfigSchema } from '../validators/config';
import { addVerification } from './add-verification';
import { defaultVerificationConfig, type VerificationConfig } from './config';
import { checkTestContract } from './contract';
import type { ContractScope } from './human-in-loop';
import { mergeNormal, mergeTdd } from './merge';
import { renderVerificationInputs, verificationInputs } from './targets';

const validators = validatorConfigSchema.parse({});
const step = (tool: string, file_path = '', instruction = 'do it', reason = 'covers src/game.py'): PlanStep =>
  planStepSchema.parse({ step_number: 1, tool, file_path, instruction, reason });
const planOf = (...steps: PlanStep[]): ExecutionPlan => executionPlanSchema.parse({ scope: 's', steps, affected_files: ['src/game.py'] });
const numbersOf = (steps: readonly PlanStep[]): [number, string][] => steps.map(({ step_number, tool }) => [step_number, tool]);
const design: DesignAndRisks = {
  ...designAndRisksSchema.parse({}),
  change_designs: [{ file_path: 'src/game.py', decisions: 'd' }],
  critical_risks: [{ risk: 'Tokens can be replayed', severity: 'high', mitigation: 'one use' }],
};
const rules = (steps: PlanStep[], scope: ContractScope = 'verification'): string[] =>
  checkTestContract({ steps, scope, design, validators }).findings.map(({ rule }) => rule);

describe('L01 a test that needs a person', () => {
  const watching = step('create_file', 'tests/test_window.py', 'Launch the game window and observe the window for the moving ship.');
  const hook = step('edit_file', 'src/game.py', 'Expose state() as a hook that returns the position of the ship.');

  test('is flagged, with the words that gave it away', () => {
    const { findings, warnings, decision } = checkTestContract({ steps: [watching], scope: 'verification', design, validators });
    expect(findings.map(({ rule }) => rule)).toEqual(['human_in_loop_test']);
    expect(warnings[0]).toContain('human_in_loop_test in step 1 (tests/test_window.py)');
    expect(decision.outcome).toBe('1 finding');
  });

  test('passes once a hook step stands before it', () => expect(rules([hook, watching])).toEqual([]));

  test('does not pass with the hook behind it (bug: order ignored)', () => {
    expect(rules([watching, hook])).toEqual(['human_in_loop_test']);
    const report = checkTestContract({ steps: [watching, { ...hook, step_number: 2 }], scope: 'verification', design, validators });
    expect(report.findings[0]?.detail).toContain('its hook, step 2, comes after it');
  });

  test('an edit of a test file, or a new file, is no hook', () => {
    expect(rules([step('edit_file', 'tests/helper_test.py', 'hook'), watching])).toEqual(['human_in_loop_test']);
    expect(rules([step('create_file', 'src/hook.md', 'hook'), watching])).toEqual(['human_in_loop_test']);
  });

  test('no hook helps a test that asks for a person', () => {
    expect(rules([hook, step('create_file', 'tests/test_a.py', 'Ask the user to press space.')])).toEqual(['human_in_loop_test']);
    expect(rules([hook, step('create_file', 'tests/test_a.py', 'The tester confirms the sound.')])).toEqual(['human_in_loop_test']);
  });

  test('in a whole plan an ordinary edit is no hook unless it says so', () => {
    expect(rules([step('edit_file', 'src/game.py', 'Move the ship.'), watching], 'plan')).toEqual(['human_in_loop_test']);
    expect(rules([hook, watching], 'plan')).toEqual([]);
  });

  test.each([
    'Assert that the user sees an error message and confirms the password reset.',
    'Set window.location and check the redirect.',
    'Inspect the rate-limit window and expect three calls within a window of 15 minutes.',
    'Manually construct a token that has expired.',
    'Run without manual testing, by state().',
    'Render headless and compare the screen with the expected bytes; watch the screen buffer.',
    'Views display the name.',
  ])('is not flagged: %s', (instruction) => expect(rules([step('create_file', 'tests/test_a.py', instruction)])).toEqual([]));

  test.each([
    'Manually verify the result.',
    'The result is checked by hand.',
    'Visually inspect the sprite.',
    'Requires window observation.',
    'Play the game until level 2.',
  ])('is flagged: %s', (instruction) =>
    expect(rules([step('create_file', 'tests/test_a.py', instruction)])).toEqual(['human_in_loop_test']),
  );
});

describe('the rest of the contract', () => {
  const created = (instruction: string, path = 'tests/test_a.py', reason = 'covers src/game.py') =>
    rules([step('create_file', path, instruction, reason)]);

  test.each([
    ['fake_pass', 'assert True'],
    ['fake_pass', 'expect(true).toBe(true)'],
    ['sleeping_test', 'time.sleep(2) and look again'],
    ['sleeping_test', 'wait 500 ms for the mail'],
    ['skip_without_todo', 'it.skip("later")'],
    ['truthiness_only', 'expect(result).toBeTruthy()'],
    ['mocks_the_unit', 'Mock the function under test.'],
    ['unseamed_world', 'Compare with Date.now() of the machine'],
  ])('%s: %s', (rule, instruction) => expect(created(instruction)).toEqual([rule]));

  test.each([
    'it.skip("needs a seam") // TODO: open one',
    'expect(result).toBeTruthy(); expect(result.id).toBe(3)',
    'Inject a clock instead of Date.now()',
    'Never sleep(1) in this test',
  ])('sound: %s', (instruction) => expect(created(instruction)).toEqual([]));

  test('a regression test is marked, stands apart and is never edited', () => {
    expect(created('x', 'tests/regression/a.py')).toEqual(['regression_reason']);
    expect(created('x', 'tests/regression/a.py', 'REGRESSION: src/game.py')).toEqual([]);
    expect(created('x', 'tests/test_a.py', 'REGRESSION: src/game.py')).toEqual(['regression_reason']);
    expect(rules([step('edit_file', 'tests/regression/a.py')])).toEqual(['regression_edited']);
  });

  test('a test cites what it is for: a design, a new file or a risk', () => {
    expect(created('x', 'tests/test_a.py', 'because')).toEqual(['uncited_test']);
    expect(created('x', 'tests/test_a.py', 'critical risk: replay')).toEqual([]);
    expect(
      checkTestContract({
        steps: [step('create_file', 'tests/t.py', 'x', 'new.py')],
        scope: 'verification',
        design,
        validators,
        targets: ['src/new.py'],
      }).findings,
    ).toEqual([]);
  });
});

describe('normal merge', () => {
  const plan = planOf(step('edit_file', 'src/game.py'));
  const written = step('create_file', 'tests/test_game.py');

  test('L07 a missing run_tests is injected once, as the last step', () => {
    const merged = mergeNormal(plan, { steps: [written] }, 'pytest');
    expect(numbersOf(merged.plan.steps)).toEqual([
      [1, 'edit_file'],
      [2, 'create_file'],
      [3, 'run_tests'],
    ]);
    expect(merged.plan.steps[2]?.instruction).toContain('`pytest`');
    expect(merged.decisions.map(({ rule }) => rule)).toEqual(['run_tests_injected']);
    expect(mergeNormal(plan, { steps: [written, step('run_tests')] }, 'pytest').decisions).toEqual([]);
  });

  test('a test run of the implementation does not stand in for one behind the tests', () => {
    const early = planOf(step('edit_file', 'src/game.py'), step('run_tests'));
    expect(numbersOf(mergeNormal(early, { steps: [written] }, 'pytest').plan.steps).map(([, tool]) => tool)).toEqual([
      'edit_file',
      'run_tests',
      'create_file',
      'run_tests',
    ]);
  });

  test('L08 without a command run_tests is dropped, the test files stay and the status says so', () => {
    const merged = mergeNormal(planOf(step('run_tests'), step('edit_file', 'src/game.py')), { steps: [written, step('run_tests')] }, ' ');
    expect(numbersOf(merged.plan.steps)).toEqual([
      [1, 'edit_file'],
      [2, 'create_file'],
    ]);
    expect(merged.status).toBe('test files seeded (1 test file), no runner');
    expect(merged.decisions).toMatchObject([{ rule: 'run_tests_dropped', outcome: '2 steps dropped, the test files stay' }]);
  });

  test('new test paths are affected files, each once; hooks keep theirs', () => {
    const merged = mergeNormal(
      plan,
      { steps: [step('edit_file', 'src/game.py'), written, step('create_file', './tests/test_game.py')] },
      '',
    );
    expect(merged.plan.affected_files).toEqual(['src/game.py', 'tests/test_game.py']);
  });
});

describe('TDD merge', () => {
  test('tests come first, numbered from 1, without run_tests; the implementation follows on', () => {
    const plan = planOf(step('edit_file', 'src/game.py'), step('run_tests'));
    const merged = mergeTdd(plan, {
      steps: [step('create_file', 'tests/test_a.py'), step('run_tests'), step('create_file', 'tests/test_b.py')],
    });
    expect(numbersOf(merged.plan.tdd_test_steps)).toEqual([
      [1, 'create_file'],
      [2, 'create_file'],
    ]);
    expect(numbersOf(merged.plan.steps)).toEqual([
      [3, 'edit_file'],
      [4, 'run_tests'],
    ]);
    expect(merged.status).toContain('TDD test steps designed');
    expect(merged.plan.affected_files).toEqual(['src/game.py', 'tests/test_a.py', 'tests/test_b.py']);
  });

  test('in both modes no step is lost or doubled, and numbers have no gaps', () => {
    const some = fc.array(
      fc.constantFrom(...stepTools).map((tool) => step(tool, 'a.py')),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(some, some, fc.constantFrom('', 'npm test'), (implementation, added, command) => {
        const plan = planOf(...implementation);
        const runs = (steps: PlanStep[]) => steps.filter(({ tool }) => tool === 'run_tests').length;
        const normal = mergeNormal(plan, { steps: added }, command).plan;
        expect(normal.steps.map(({ step_number }) => step_number)).toEqual(normal.steps.map((_, at) => at + 1));
        if (command === '') expect(runs(normal.steps)).toBe(0);
        else expect(runs(normal.steps)).toBe(runs(implementation) + Math.max(1, runs(added)));
        expect(normal.steps.length - runs(normal.steps)).toBe(implementation.length + added.length - runs(implementation) - runs(added));
        const tdd = mergeTdd(plan, { steps: added }).plan;
        const all = [...tdd.tdd_test_steps, ...tdd.steps];
        expect(all.map(({ step_number }) => step_number)).toEqual(all.map((_, at) => at + 1));
        expect([runs(tdd.tdd_test_steps), tdd.steps.length]).toEqual([0, implementation.length]);
      }),
      { seed: 20_260_307 },
    );
  });
});

describe('phase 5 as a whole', () => {
  const fileSummary = fileSummarySchema.parse({
    files_to_modify: [{ file_path: 'src/game.py', role: 'modify', reason: 'r' }],
    files_to_create: [{ file_path: 'src/new.py', role: 'create', reason: 'r' }],
  });
  const run = (steps: PlanStep[], config: Partial<VerificationConfig> = {}) =>
    addVerification({
      plan: { ...planOf(step('edit_file', 'src/game.py')), plan_validation_warnings: ['earlier'] },
      verification: { steps },
      testCommand: 'pytest',
      fileSummary,
      design,
      config: { ...defaultVerificationConfig, ...config },
      validators,
    });

  test('what is to be tested is derived: designed changes, new files, every risk', () => {
    const inputs = verificationInputs(design, fileSummary, []);
    expect(inputs.targets).toEqual(['src/game.py', 'src/new.py']);
    expect(inputs.security).toHaveLength(1);
    expect(renderVerificationInputs(inputs)).toContain('[high] Tokens can be replayed');
  });

  test('warnings of earlier phases stay, contract and coverage come after them, numbers are the plan’s', () => {
    const { plan, findings } = run([step('create_file', 'tests/test_game.py', 'Test src/game.py; assert True'), step('delete_file', 'x')]);
    expect(plan.plan_validation_warnings).toEqual([
      'earlier',
      'test contract: fake_pass in step 2 (tests/test_game.py): "assert True"',
      'affected file has no test coverage: src/new.py',
    ]);
    expect(findings).toHaveLength(1);
    expect(numbersOf(plan.steps).map(([, tool]) => tool)).toEqual(['edit_file', 'create_file', 'run_tests']);
  });

  test('no steps at all are told, although a test run is injected', () => {
    expect(run([]).findings.map(({ rule }) => rule)).toEqual(['no_verification_steps']);
    expect(run([], { strictContract: false }).findings).toEqual([]);
  });

  test('TDD keeps the steps apart and judges them all the same', () => {
    const { plan, report } = run([step('create_file', 'src/check.py')], { mode: 'tdd' });
    expect(plan.tdd_test_steps).toHaveLength(1);
    expect(report.results.find(({ id }) => id === 'V5')?.warnings).toEqual(['test step path outside test convention: src/check.py']);
  });
});
