import { describe, expect, test } from 'vitest';
import { operationalError, userError } from '@/harness/contract/errors';
import type { Json, JsonObject } from '@/harness/contract/json';
import { codeOf, fakeContext, type Scripted } from '../../testing/fake-context';
import { planValue } from '../support/plan.fixtures';
import { planningValues } from '../support/state';
import { executeCompletionHooks } from './execute';
import { completionHooksNode } from './node';

const row = (status: string) => ({
  id: '1',
  step_number: 1,
  status,
  tool: 'edit_file',
  file_path: 'a.py',
  description: 'edit a.py',
  failure_reasons: status === 'failed' ? ['it broke'] : [],
});
const validated = (success: boolean) => ({ test: { success, output: '', full_output: '', command: 'pytest', exit_code: success ? 0 : 1 } });
const memory = (content: string, more: JsonObject = {}): JsonObject => ({
  content,
  category: 'testing',
  tags: ['pytest'],
  confidence: 0.6,
  ...more,
});
const learned = (...memories: JsonObject[]): Scripted => ({ object: { memories } });
const finished = {
  executionPlan: planValue([['edit_file', 'a.py']]),
  stepResults: [row('completed')],
  modifiedFiles: ['a.py', 'a.py'],
  validationResults: validated(true),
};

async function run(options: { state?: Record<string, unknown>; replies?: Scripted[]; config?: JsonObject } = {}) {
  const { state = {}, replies = [learned()], config = {} } = options;
  const fake = fakeContext(completionHooksNode, { config, replies, state: planningValues({ ...finished, ...state }), now: 1000 });
  const result = await executeCompletionHooks.execute(fake.context);
  const output: Record<string, Json> = Object(result.output);
  return {
    ...fake,
    result,
    output,
    rows: (result.writes?.workspaceMemories ?? []) as JsonObject[],
    rules: fake.decisions.map(({ rule, outcome }) => `${rule}: ${outcome}`),
  };
}

describe('what is said', () => {
  test('a finished run was not called so, or its files or validation were lost', async () => {
    const { output, decisions } = await run();
    expect(output).toMatchObject({ status: 'completed', files_modified: ['a.py'], validation_passed: true });
    expect(output.text).toContain('1 of 1 steps completed. 1/1 passed.');
    expect(output.text).toContain('- `a.py`');
    expect(decisions.find(({ rule }) => rule === 'execution_complete')).toMatchObject({
      because: expect.arrayContaining([
        { name: 'files_modified_count', value: 1 },
        { name: 'validation_passed', value: true },
      ]),
    });
  });

  test('a failed step, a halt or a failing check was hidden', async () => {
    const failed = await run({ state: { stepResults: [row('failed')], validationResults: null } });
    expect(failed.output).toMatchObject({ status: 'halted', validation_passed: null });
    expect(failed.output.text).toContain('it broke');
    const halted = await run({ state: { tddState: { state: 'HALTED', halt: 'unexpected_pass', problem: 'Passes before.' } } });
    expect(halted.output).toMatchObject({ status: 'halted', text: expect.stringContaining('Passes before.') });
    const red = await run({ state: { validationResults: validated(false) } });
    expect(red.output).toMatchObject({
      status: 'completed',
      validation_passed: false,
      text: expect.stringContaining('- test: pytest ended with exit code 1'),
    });
  });

  test('work without a plan was called done although its checks fail, or nothing was checked', async () => {
    const said = async (validationResults: unknown) => {
      const { output } = await run({ state: { executionPlan: null, stepResults: [], validationResults } });
      return String(output.summary);
    };
    expect(await said(validated(true))).toContain('The work is done.');
    expect(await said(validated(false))).toContain('checks still fail');
    expect(await said(null)).not.toContain('is done');
  });

  test('nothing validated was called passed', async () => {
    const { output } = await run({ state: { validationResults: {} } });
    expect(output).toMatchObject({ validation_passed: null, summary: expect.stringContaining('Nothing was validated.') });
  });
});

describe('what is kept', () => {
  test('a suggestion was not taken in as a suggestion with an end, or not shown to the person', async () => {
    const { rows, decisions } = await run({ replies: [learned(memory('Tests run with pytest -q.'))] });
    expect(rows).toMatchObject([{ curation_status: 'auto', seen_count: 1, expires_at: 1000 + 365 * 86_400_000 }]);
    expect(decisions.find(({ rule }) => rule === 'memory_suggested')).toMatchObject({
      outcome: 'Tests run with pytest -q.',
      because: expect.arrayContaining([{ name: 'category', value: 'testing' }]),
    });
  });

  test('L28: the third sighting did not promote, or rejected content came back', async () => {
    const known = { id: 'k', ...memory('Tests run with pytest -q.'), curation_status: 'auto', seen_count: 2 };
    const third = await run({ state: { workspaceMemories: [known] }, replies: [learned(memory('Tests run with pytest -q.'))] });
    expect(third.rows).toMatchObject([{ id: 'k', curation_status: 'high_confidence_auto', seen_count: 3 }]);
    const rejected = { ...known, curation_status: 'user_rejected' };
    const refused = await run({ state: { workspaceMemories: [rejected] }, replies: [learned(memory('Tests run with pytest -q.'))] });
    expect(refused.rows).toEqual([]);
    expect(refused.rules).toContain('memory: rejected content: refused');
  });

  test('more than five were taken, or something of a cancelled run', async () => {
    const many = Array.from({ length: 8 }, (_, at) => memory(`Module number${at} handles topic${at} separately.`));
    expect((await run({ replies: [learned(...many)] })).rows).toHaveLength(5);
    const cancelled = await run({
      replies: [],
      state: { approvalState: { status: 'CANCELLED' }, modifiedFiles: [], stepResults: [], validationResults: null },
    });
    expect(cancelled).toMatchObject({ rows: [], requests: [], output: { status: 'cancelled' } });
  });

  test('a memory outlived its year', async () => {
    const old = { id: 'o', ...memory('Old.'), curation_status: 'user_confirmed', expires_at: 999 };
    const { rows, output } = await run({ state: { workspaceMemories: [old] } });
    expect(rows).toMatchObject([{ id: 'o', curation_status: 'superseded' }]);
    expect(output.memories).toEqual([]);
  });

  test('a failing model failed the run, or a used-up budget did not', async () => {
    expect((await run({ replies: [operationalError('MODEL_UNAVAILABLE', 'down')] })).output.status).toBe('completed');
    expect(await codeOf(() => run({ replies: [userError('BUDGET_REACHED', 'no more')] }))).toBe('BUDGET_REACHED');
  });

  test('with extraction off a model was asked', async () => {
    expect((await run({ config: { extract: false }, replies: [] })).requests).toEqual([]);
  });
});

test('the project description was rewritten without being asked for, or lost when the model fails', async () => {
  const planTask = { task: 'T', context: 'A service.' };
  expect((await run({ state: { planTask } })).calls).toEqual([]);
  const updated = await run({
    state: { planTask },
    config: { updateContext: true },
    replies: [learned(), { text: 'A service with resets.' }],
  });
  expect(updated.calls).toMatchObject([
    { tool: 'create_file', input: { path: '.bridle/project_context.md', content: 'A service with resets.\n' } },
  ]);
  const down = await run({
    state: { planTask },
    config: { updateContext: true },
    replies: [learned(), operationalError('MODEL_UNAVAILABLE', 'down')],
  });
  expect(down.logs).toEqual(['warning: The project description was not brought up to date: down']);
});
