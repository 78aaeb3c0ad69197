import { expect, test } from 'vitest';
import type { Json, JsonObject } from '@/harness/contract/json';
import { fakeContext, type Scripted } from '../../testing/fake-context';
import { designValue, planValue, type Sketch, stepsOf } from '../support/plan.fixtures';
import { executeVerificationSteps } from './execute';
import { verificationStepsNode } from './node';

const commands = (test: string) => ({ commandSet: { format: '', lint_fix: '', lint: '', test } });
const plan = planValue([['edit_file', 'src/reset.py']]);
const giving = (...steps: Sketch[]): Scripted => ({ object: { steps: stepsOf(...steps) } });

const working = (replies: Scripted[], state: Record<string, Json> = {}, config: JsonObject = {}) =>
  fakeContext(verificationStepsNode, {
    state: { planTask: { task: 'T', context: 'SECRET-CONTEXT' }, executionPlan: plan, ...commands('pytest'), ...state },
    replies,
    config,
    tools: [{ name: 'read_file', run: () => ({ status: 'ok', output: { content: '1: import pytest' } }) }],
  });

const tests: Sketch = ['create_file', 'tests/test_reset.py', 'Check the expiry of a token.', { reason: 'Verifies src/reset.py' }];

test('L07: nothing ran the tests, or two steps did', async () => {
  const fake = working([giving(tests)]);
  const { output } = await executeVerificationSteps.execute(fake.context);
  expect(output).toMatchObject({
    plan: { steps: [{ step_number: 1 }, { step_number: 2, tool: 'create_file' }, { step_number: 3, tool: 'run_tests' }] },
    added: [{ step_number: 2 }, { step_number: 3 }],
  });
  expect(fake.decisions.map(({ rule }) => rule)).toContain('run_tests_injected');
  const own = working([giving(tests, ['run_tests', '', 'Run `pytest -q`'])]);
  const given = JSON.parse(JSON.stringify((await executeVerificationSteps.execute(own.context)).output));
  expect(given.plan.steps.filter(({ tool }: { tool: string }) => tool === 'run_tests')).toHaveLength(1);
});

test('L08: without a test command a step runs nothing, or the test files went with it', async () => {
  const fake = working([giving(tests, ['run_tests', '', 'Run them'])], commands(''));
  const { output } = await executeVerificationSteps.execute(fake.context);
  expect(output).toMatchObject({ added: [{ tool: 'create_file' }], status: 'test files seeded (1 test file), no runner' });
  expect(JSON.stringify(output)).not.toContain('"run_tests"');
  expect(fake.requests[0]?.messages[1]?.content).toContain('None is known');
});

const designed = { designAndRisks: designValue({ change_designs: [{ file_path: 'src/reset.py', decisions: 'x' }] }) };

const core = (confidence: string) => ({
  executionPlan: planValue([['edit_file', 'src/reset.py']], {
    core_functionality: [{ entity: 'PasswordReset', file_path: 'src/reset.py', reason: 'public', source_signal: 'public_api', confidence }],
  }),
});
const uncovered = expect.stringContaining('core-functionality tag missing regression test');

test('L09: a core tag without a regression test passed, or one with a test did not', async () => {
  const regression: Sketch = [
    'create_file',
    'tests/regression/regression_reset.py',
    'Check PasswordReset.',
    { reason: 'REGRESSION: PasswordReset of src/reset.py' },
  ];
  const warningsOf = async (steps: Sketch[], confidence: string) =>
    JSON.parse(JSON.stringify((await executeVerificationSteps.execute(working([giving(...steps)], core(confidence)).context)).output))
      .warnings;
  expect(await warningsOf([tests], 'medium')).toContainEqual(uncovered);
  expect(await warningsOf([tests, regression], 'medium')).not.toContainEqual(uncovered);
  expect(await warningsOf([tests], 'low')).not.toContainEqual(uncovered);
});

test('L01: a test that somebody has to watch was not flagged, or a hook before it did not mend it', async () => {
  const watch: Sketch = [
    'create_file',
    'tests/test_game.py',
    'Launch the game and observe the window for the score.',
    { reason: 'Verifies src/reset.py' },
  ];
  const flagged = await executeVerificationSteps.execute(working([giving(watch)], designed).context);
  expect(flagged.output).toMatchObject({ findings: [{ rule: 'human_in_loop_test', step_number: 2 }] });
  const hook: Sketch = ['edit_file', 'src/game.py', 'Add a hook that gives the score without a display.'];
  const mended = await executeVerificationSteps.execute(working([giving(hook, watch)], designed).context);
  expect(mended.output).toMatchObject({ findings: [] });
});

test('tests first: the tests stood behind the change, ran themselves, or were written in a small window', async () => {
  const replies = () => [giving(tests, ['run_tests', '', 'Run them'])];
  const first = await executeVerificationSteps.execute(working(replies(), {}, { mode: 'tdd' }).context);
  expect(first.output).toMatchObject({
    mode: 'tdd',
    plan: { tdd_test_steps: [{ step_number: 1, tool: 'create_file' }], steps: [{ step_number: 2, file_path: 'src/reset.py' }] },
  });
  const small = working(replies(), {}, { mode: 'tdd', contextWindow: 16_000 });
  expect((await executeVerificationSteps.execute(small.context)).output).toMatchObject({ mode: 'normal', plan: { tdd_test_steps: [] } });
  expect(small.decisions.map(({ rule }) => rule)).toContain('small window');
});

test('a reply that cannot be read stopped the plan, or passed as no tests needed', async () => {
  const fake = working([{ text: 'no' }, { text: 'no' }]);
  const { output } = await executeVerificationSteps.execute(fake.context);
  expect(output).toMatchObject({ findings: [{ rule: 'no_verification_steps' }], plan: { steps: [{}, { tool: 'run_tests' }] } });
});

test('the prompt broke its contract: contexts of steps, no rules of the strict contract, risks not named', async () => {
  const design = designValue({ critical_risks: [{ risk: 'Tokens can be guessed', severity: 'high', mitigation: 'Random bytes' }] });
  const executionPlan = planValue([['edit_file', 'src/reset.py', 'Change it', { context: 'LONG-SNIPPET' }]]);
  const strict = working([giving(tests)], { designAndRisks: design, executionPlan });
  await executeVerificationSteps.execute(strict.context);
  const [system, user] = strict.requests[0]?.messages.map(({ content }) => content) ?? [];
  expect(system).toContain('TEST CONTRACT');
  expect(user).toContain('Tokens can be guessed');
  expect(user).not.toMatch(/LONG-SNIPPET|SECRET-CONTEXT/);
  const loose = working([giving(tests)], {}, { strictContract: false });
  await executeVerificationSteps.execute(loose.context);
  expect(loose.requests[0]?.messages[0]?.content).not.toContain('TEST CONTRACT');
});

test('what the investigation found did not reach the design, or it went on beyond its turns', async () => {
  const look: Scripted = { toolCalls: [{ id: '1', name: 'read_file', arguments: { path: 'conftest.py' } }] };
  const done: Scripted = { toolCalls: [{ id: '2', name: 'task_complete', arguments: { summary: 'Fixtures are in conftest.py' } }] };
  const fake = working([look, done, giving(tests)], {}, { investigation: 3 });
  await executeVerificationSteps.execute(fake.context);
  expect(fake.requests.at(-1)?.messages[1]?.content).toContain('Fixtures are in conftest.py');
  const endless = working([look, look, look, giving(tests)], {}, { investigation: 3 });
  await executeVerificationSteps.execute(endless.context);
  expect(endless.left().replies).toBe(0);
});
