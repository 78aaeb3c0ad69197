import type { ExecutionPlan } from '@/harness/planning/artefacts/execution-plan';
import type { TestingInventory } from '@/harness/planning/artefacts/file-summary';
import { fenced, joined, listSection } from '@/harness/planning/artefacts/markdown';
import { renderExecutionPlan } from '@/harness/planning/artefacts/render-execution-plan';
import type { VerificationMode } from '@/harness/planning/verification-steps/config';
import { renderVerificationInputs, type VerificationInputs } from '@/harness/planning/verification-steps/targets';
import { taskPart } from '../support/material';
import { prompt, section } from '../support/prompt';

const rules = [
  'You design the verification steps of an execution plan: steps that create test files, and steps that run them.',
  '',
  '- There is always at least one step. One step is exactly one tool call; whoever carries it out sees this step alone.',
  '- The reason of each test step cites what it verifies: a designed change, a new file or a critical risk.',
  '- Copy the assertion style of the excerpt, when there is one, into the context of each test step.',
  '- Cover the ordinary case, edges, errors, the pieces together, and each security concern.',
  '- Never: assertions of mere truthiness, a mock of the unit under test, dependence on order, a second implementation of the unit, sleeping, the real clock or network without a seam.',
].join('\n');

const contract = [
  'TEST CONTRACT',
  '1. Every test runs by a program alone. Nobody watches, clicks or plays.',
  '2. A test through the whole program needs hooks: put edit_file steps that open them before the test, or test a pure function taken out.',
  '3. Games, user interfaces and real time: test the pure logic.',
  '4. Regression tests stand in files of their own under the regression convention (`regression_…` or a `regression` folder), are never edited later, and their reason begins with "REGRESSION:".',
  '5. Every core functionality has a regression test that names it.',
  '6. What cannot be tested yet is skipped natively with a TODO. Never a test that passes by itself, never a sleep.',
].join('\n');

const environment = [
  'TESTING ENVIRONMENT',
  'Use the setup that is there: the declared command, a configuration file, tests that import a framework. Where none works, steps that set one',
  'up (manifest, install, configuration) come before the first test file, by the current practice of the language. Primitive tooling: adapt down.',
].join('\n');

const testsFirst = [
  'TESTS FIRST',
  'These tests are written before the change and must fail until it is made. Give no run_tests step. Each create_file step names in its',
  'context, on a line of its own, the command that runs this file alone: `Command: …`.',
].join('\n');

export const verificationSystem = (options: { mode: VerificationMode; strict: boolean; instructions: string }): string =>
  prompt(rules, options.strict ? contract : '', environment, options.mode === 'tdd' ? testsFirst : '', options.instructions);

/** The plan without the contexts of its steps: they are for executors and would crowd out what has to be tested. */
const planWithoutContexts = (plan: ExecutionPlan): string =>
  renderExecutionPlan({ ...plan, steps: plan.steps.map((step) => ({ ...step, context: '' })) });

const renderInventory = (inventory: TestingInventory | null): string =>
  inventory === null
    ? ''
    : prompt(
        listSection('Testing inventory', [
          joined(['framework', inventory.test_framework], ': '),
          joined(['directory', inventory.test_directory], ': '),
          joined(['file pattern', inventory.test_file_pattern], ': '),
          joined(['regression files', inventory.existing_regression_files.join(', ')], ': '),
          ...inventory.affected_files_existing_coverage.map(({ source_file, test_files, coverage_notes }) =>
            joined([`${source_file}: ${test_files.join(', ')}`, coverage_notes]),
          ),
          joined(['notes', inventory.notes], ': '),
        ]),
        inventory.assertion_style_excerpt.trim() === '' ? '' : `Assertion style:\n\n${fenced(inventory.assertion_style_excerpt)}`,
      );

export interface VerificationMaterial {
  task: string;
  plan: ExecutionPlan;
  testCommand: string;
  inputs: VerificationInputs;
  findings: string;
}

export const verificationPrompt = ({ task, plan, testCommand, inputs, findings }: VerificationMaterial): string =>
  prompt(
    taskPart(task),
    planWithoutContexts(plan),
    section('Test command', testCommand === '' ? 'None is known. Write the test files and give no run_tests step.' : `\`${testCommand}\``),
    renderVerificationInputs(inputs),
    renderInventory(inputs.inventory),
    section('What was found out', findings),
  );
