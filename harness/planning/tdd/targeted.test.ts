import { expect, test } from 'vitest';
import { type PlanStep, planStepSchema } from '../artefacts/plan-step';
import { authoredTests, targetedCommand } from './targeted';

const step = (file_path: string, more: object = {}): PlanStep =>
  planStepSchema.parse({ step_number: 1, tool: 'create_file', file_path, instruction: 'x', ...more });

test.each([
  ['node --test', 'tests/a.test.js', 'node --test tests/a.test.js'],
  ['node --test tests/', 'tests/a.test.js', 'node --test tests/a.test.js'],
  ['node --test --test-reporter=spec tests/b.test.js', 'tests/a.test.js', 'node --test --test-reporter=spec tests/a.test.js'],
  ['pytest -q', 'tests/test_a.py', 'pytest -q tests/test_a.py'],
  ['python3 -m pytest', 'tests/test_a.py', 'python3 -m pytest tests/test_a.py'],
  ['python -m unittest discover', 'tests/test_a.py', 'python -m unittest tests/test_a.py'],
  ['npx vitest run', 'src/a.test.ts', 'npx vitest run src/a.test.ts'],
  ['npm test', 'tests/a.test.js', 'npm test -- tests/a.test.js'],
  ['npm run test:unit', 'tests/a b.test.js', "npm run test:unit -- 'tests/a b.test.js'"],
  ['pnpm test', 'tests/a.test.js', 'pnpm test tests/a.test.js'],
  ['cargo test', 'tests/login.rs', 'cargo test --test login'],
  ['cargo test', 'src/login.rs', ''],
  ['go test ./...', 'pkg/a/a_test.go', 'go test ./pkg/a'],
  ['make check', 'tests/a.test.js', ''],
  ['', 'tests/a.test.js', ''],
])('with "%s" the test %s was run by something else than "%s"', (command, path, expected) => {
  expect(targetedCommand(step(path), command)).toEqual({ step_number: 1, command: expected });
});

test('the command that the contract of the step gives was passed over', () => {
  const contract = { job: 'x', success_checks: [{ description: 'red', tool: 'run_tests', command: 'make test-a' }] };
  expect(targetedCommand(step('tests/a.test.js', { contract }), 'node --test').command).toBe('make test-a');
});

test.each([
  ['Command: node --test tests/a.test.js', 'node --test tests/a.test.js'],
  ['Style:\n  assert\n\nCommand: `make test-a`  \n\nMore', 'make test-a'],
  ['Command:\n\nnothing said', 'pytest tests/a.test.js'],
  ['The Command: is not at the beginning of its line', 'pytest tests/a.test.js'],
])('of the context %j something else than "%s" was run', (context, expected) => {
  expect(targetedCommand(step('tests/a.test.js', { context }), 'pytest').command).toBe(expected);
});

test('a step that sets something up was taken for a test', () => {
  const steps = [step('package.json'), step('tests/a.test.js'), step('', { tool: 'run_command' }), step('regression_b.sh')];
  expect(authoredTests(steps).map(({ file_path }) => file_path)).toEqual(['tests/a.test.js', 'regression_b.sh']);
});
