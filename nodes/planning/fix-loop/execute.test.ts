import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@/harness/contract/json';
import type { ModelReply, ModelRequest } from '@/harness/contract/model';
import { type FakeTool, fakeContext, type Scripted } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executeFixLoop } from './execute';
import { fixLoopNode } from './node';

const call = (name: string, given: JsonObject): Partial<ModelReply> => ({ toolCalls: [{ id: name, name, arguments: given }] });
const edit = (path: string) => call('edit_file', { path, find: 'a', replace: 'b' });
const done = (summary: string) => call('task_complete', { summary });
const failing = (step: string, full_output = 'a.js:1 Error: bad') => ({
  [step]: { success: false, output: full_output, full_output, command: step, exit_code: 1 },
});

interface World {
  replies?: Scripted[];
  state?: Record<string, unknown>;
  config?: JsonObject;
  expert?: boolean;
  /** Exit codes of lint, in their order; then 0. */
  lint?: number[];
}

async function run({ replies = [], state = {}, config = {}, expert = true, lint = [] }: World = {}) {
  const exits = [...lint];
  const tools: FakeTool[] = [
    { name: 'edit_file', effect: 'write', run: (input) => ({ status: 'ok', output: { paths: [String(Object(input).path)] } }) },
    { name: 'format_code', effect: 'write', run: () => ({ status: 'ok', output: { exitCode: 0, output: '', paths: [] } }) },
    {
      name: 'run_lint',
      effect: 'idempotent',
      run: () => ({ status: 'ok', output: { exitCode: exits.shift() ?? 0, output: 'a.js:2 Error: still', paths: [] } }),
    },
  ];
  const fake = fakeContext(fixLoopNode, {
    config,
    tools,
    replies,
    ownModels: expert ? ['expert'] : [],
    state: planningValues({
      commandSet: { format: 'fmt', lint: 'lint' },
      validationResults: failing('lint'),
      executionPlan: { scope: '', steps: [], affected_files: ['a.js'] },
      modifiedFiles: ['a.js', 'z.js'],
      ...state,
    }),
  });
  const result = await executeFixLoop.execute(fake.context);
  const rules = fake.decisions.map(({ rule, outcome }) => `${rule}: ${outcome}`);
  return { ...fake, result, rules, roles: fake.requests.map(({ role }) => role) };
}
const userText = ({ messages }: ModelRequest): string => messages.find(({ role }) => role === 'user')?.content ?? '';

describe('attempts', () => {
  test('L22: the last attempt was not made by the expert, or the first was', async () => {
    const { roles, result, rules } = await run({ replies: [done('One.'), done('Two.')], lint: [1, 1] });
    expect(roles).toEqual(['primary', 'expert']);
    expect(rules).toContain('fix loop: escalated: expert');
    expect(result).toMatchObject({ port: 'remaining', output: { failed: ['lint'], summary: '1 failure(s) remain: lint.' } });
    expect(result.writes).toMatchObject({
      validationAttempts: [
        { attempt: 1, failing_commands: ['lint'], diagnosis: 'One.', succeeded: false, failures_before: 1, failures_after: 1 },
        { attempt: 2, diagnosis: 'Two.', succeeded: false },
      ],
    });
  });

  test('without an expert somebody else than the primary model made the last attempt', async () => {
    const { roles, rules } = await run({ replies: [done('One.'), done('Two.')], lint: [1, 1], expert: false });
    expect(roles).toEqual(['primary', 'primary']);
    expect(rules).not.toContain('fix loop: escalated: expert');
  });

  test('it went on when nothing failed any more, or did not validate everything again', async () => {
    const { result, calls, left } = await run({ replies: [edit('a.js'), done('Missing semicolon.'), done('never')], lint: [0] });
    expect(result).toMatchObject({
      port: 'resolved',
      output: { summary: 'All resolved after 1 attempt(s).', attempts: [{ succeeded: true, fix_tool_calls: ['edit_file a.js'] }] },
      writes: { modifiedFiles: ['a.js'], validationResults: { lint: { success: true } } },
    });
    expect(calls.map(({ tool }) => tool)).toEqual(['edit_file', 'format_code', 'run_lint']);
    expect(left().replies).toBe(1);
  });

  test('with nothing to repair, or no attempts, a model was asked', async () => {
    expect((await run({ state: { validationResults: { lint: { success: true, output: '', full_output: '' } } } })).result.port).toBe(
      'resolved',
    );
    const none = await run({ config: { retries: 0 } });
    expect(none.result).toMatchObject({ port: 'remaining', output: { attempts: [] } });
    expect(none.requests).toEqual([]);
  });
});

describe('what an attempt may touch', () => {
  const scope = async (world: World) => (await run({ replies: [edit('b.js'), done('x')], ...world })).calls[0]?.scope;

  test('L21: the guards were not told of the files of the plan', async () => {
    expect(await scope({})).toMatchObject({ allowedFiles: ['a.js'], strictRegressions: true });
    expect(await scope({ config: { scope: 'modified' } })).toMatchObject({ allowedFiles: ['a.js', 'z.js'] });
    expect(await scope({ config: { scope: 'all' } })).not.toHaveProperty('allowedFiles');
    expect(await scope({ state: { executionPlan: null } })).toMatchObject({ allowedFiles: ['a.js', 'z.js'] });
  });

  test('tests were not locked although there is an expert, or locked although there is none', async () => {
    expect(await scope({})).toMatchObject({ testsLocked: true });
    expect(await scope({ expert: false })).not.toHaveProperty('testsLocked');
    expect(await scope({ expert: false, config: { lockTests: 'always' } })).toMatchObject({ testsLocked: true });
  });
});

describe('what an attempt is told', () => {
  test('L04: a failing regression test was not said first, or not noted in the row', async () => {
    const results = failing('lint', 'FAIL tests/regression/auth.test.js\nError: expected 200');
    const { requests, result } = await run({ replies: [done('x')], state: { validationResults: results } });
    expect(userText(requests[0] ?? { role: 'primary', messages: [] })).toMatch(/^## REGRESSION\n.*tests\/regression\/auth\.test\.js/);
    expect(result.output).toMatchObject({ attempts: [{ regression_failure: true }] });
  });

  test('failures, journal, scratchpad or what earlier repairs taught were left out, or a memory that nobody confirmed was shown', async () => {
    const memory = (id: string, content: string, curation_status: string) => ({ id, content, category: 'fix_pattern', curation_status });
    const { requests } = await run({
      replies: [done('x')],
      state: {
        journal: [{ phase: 'Explore', text: 'Found the linter.' }],
        scratchpad: 'Mind the tabs.',
        workspaceMemories: [
          memory('1', 'When lint fails with Error: bad, run the fixer.', 'user_confirmed'),
          memory('2', 'When lint fails with Error: bad, delete the file.', 'auto'),
        ],
      },
    });
    const text = userText(requests[0] ?? { role: 'primary', messages: [] });
    for (const part of ['a.js:1 Error: bad', '- lint: lint', 'Found the linter.', 'Mind the tabs.', 'run the fixer'])
      expect(text).toContain(part);
    expect(text).not.toContain('delete the file');
  });
});

describe('what is learned', () => {
  test('a repair left no memory, or one that is shown at once', async () => {
    const { result, rules } = await run({ replies: [done('A semicolon was missing.')], lint: [0] });
    expect(result.writes).toMatchObject({
      workspaceMemories: [
        { category: 'fix_pattern', curation_status: 'auto', seen_count: 1, content: expect.stringContaining('A semicolon was missing.') },
      ],
    });
    expect(rules.some((rule) => rule.startsWith('memory_suggested'))).toBe(true);
  });

  test('a failed attempt left a memory, or one was kept although that is off', async () => {
    expect((await run({ replies: [done('x'), done('y')], lint: [1, 1] })).result.writes).not.toHaveProperty('workspaceMemories');
    expect((await run({ replies: [done('x')], config: { remember: false } })).result.writes).not.toHaveProperty('workspaceMemories');
  });
});
