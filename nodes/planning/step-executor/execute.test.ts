import { expect, test } from 'vitest';
import type { InboxMessage } from '@/harness/contract/execute';
import type { Json, JsonObject } from '@/harness/contract/json';
import { codeOf, type FakeTool, fakeContext, type Scripted } from '../../testing/fake-context';
import { planValue, type Sketch, stepsOf } from '../support/plan.fixtures';
import { executeStepExecutor } from './execute';
import { stepExecutorNode } from './node';

const calling = (...calls: [name: string, args: JsonObject][]): Scripted => ({
  toolCalls: calls.map(([name, args], at) => ({ id: `${at + 1}`, name, arguments: args })),
});
const complete = (summary = 'Done.'): [string, JsonObject] => ['task_complete', { summary }];

const item = (sketch: Sketch, more: JsonObject = {}): Json => ({
  step: { ...stepsOf(sketch)[0] },
  group: 1,
  phase: 'all',
  store: { budget: 1000, files: [] },
  ...more,
});

const ok =
  (output: Json): FakeTool['run'] =>
  () => ({ status: 'ok', output });

const tools: FakeTool[] = [
  {
    name: 'read_file',
    run: ok({ path: 'a.py', content: '1: x = 1\n2: y = 2', firstLine: 1, lastLine: 2, totalLines: 2, truncated: false }),
  },
  { name: 'edit_file', effect: 'write', run: ok({ path: 'a.py', paths: ['a.py'], diff: '' }) },
  {
    name: 'create_file',
    effect: 'write',
    run: (input) => ({ status: 'ok', output: { path: String(Object(input).path), created: true, paths: [String(Object(input).path)] } }),
  },
  { name: 'run_tests', effect: 'idempotent', run: ok({ exitCode: 1, output: 'PASSED they say', passed: false, paths: [] }) },
  { name: 'run_command', effect: 'write', run: ok({ exitCode: 0, output: 'ok', paths: ['b.py'] }) },
  { name: 'search_internet', run: ok('nothing') },
];

const plan = planValue([['edit_file', 'a.py']], {
  naming_conventions: [{ category: 'functions', pattern: 'snake_case', source_file: 'a.py' }],
  name_registry: [{ entity: 'ResetToken', model_class: 'ResetToken' }],
});

const working = (input: Json, replies: Scripted[], config: JsonObject = {}, state: Record<string, Json> = {}) =>
  fakeContext(stepExecutorNode, {
    input,
    replies,
    config,
    tools,
    workspace: '/repo',
    state: { executionPlan: plan, planTask: { task: 'T', context: 'The house rules.' }, ...state },
  });

const edit: [string, JsonObject] = ['edit_file', { path: 'a.py', find: 'x', replace: 'y' }];

test('a step that did its action and said so did not count, or its file was not read again', async () => {
  const fake = working(item(['edit_file', 'a.py']), [calling(edit), calling(complete('Renamed x.'))]);
  const result = await executeStepExecutor.execute(fake.context);
  expect(result).toMatchObject({
    output: {
      result: { status: 'completed', summary: 'Renamed x.', changed_files: ['a.py'], failure_reasons: [] },
      files: [{ path: 'a.py', content: 'x = 1\ny = 2' }],
      exit: 'task_complete',
      turns: 2,
    },
    writes: { stepResults: [{ id: '1', status: 'completed' }], modifiedFiles: ['a.py'] },
  });
  expect(fake.decisions.filter(({ rule }) => rule === 'checkpoint').map(({ outcome }) => outcome)).toEqual(['running', 'completed']);
});

test('a step passed that did nothing, acted on another file, or never said that it was done', async () => {
  const reasons = async (replies: Scripted[], config: JsonObject = {}) => {
    const fake = working(item(['edit_file', 'a.py']), replies, config);
    return JSON.parse(JSON.stringify((await executeStepExecutor.execute(fake.context)).output)).result;
  };
  expect(await reasons([calling(complete())])).toMatchObject({
    status: 'failed',
    failure_reasons: ['its action did not happen: edit_file a.py'],
  });
  expect(await reasons([calling(['create_file', { path: 'other.py', content: '' }], complete())])).toMatchObject({ status: 'failed' });
  const silent = await reasons([calling(edit), { text: 'ok' }, { text: 'ok' }, { text: 'ok' }]);
  expect(silent).toMatchObject({ status: 'failed', failure_reasons: ['it ended without task_complete: text_only'] });
  const capped = await reasons([calling(edit), calling(edit)], { maxTurns: 2 });
  expect(capped.failure_reasons).toEqual(['it ended without task_complete: turn_cap']);
});

test('red tests failed the step by their words, or did not when they should', async () => {
  const red = () => [calling(['run_tests', {}], complete())];
  const usual = working(item(['run_tests', '', 'Run them']), red());
  expect((await executeStepExecutor.execute(usual.context)).output).toMatchObject({ result: { status: 'completed' } });
  expect(usual.decisions.filter(({ rule }) => rule === 'test_result').map(({ outcome }) => outcome)).toEqual(['failed']);
  const strict = working(item(['run_tests', '', 'Run them']), red(), { failOnRed: true });
  expect((await executeStepExecutor.execute(strict.context)).output).toMatchObject({
    result: { status: 'failed', failure_reasons: ['run_tests ended with exit code 1'] },
  });
});

test('the conversation knew nothing of names, finished steps and files, or something of the plan besides', async () => {
  const input = item(['edit_file', 'a.py', 'Rename x', { context: 'Line 1.' }], {
    completed: [
      {
        step_number: 7,
        status: 'completed',
        tool: 'edit_file',
        file_path: 'c.py',
        description: 'd',
        summary: 'Added a class.',
        changed_files: [],
        failure_reasons: [],
      },
    ],
    store: { budget: 1000, files: [{ path: 'c.py', content: 'class C: ...', bytes: 12, step_number: 7 }] },
  });
  const fake = working(input, [calling(edit, complete())]);
  await executeStepExecutor.execute(fake.context);
  const [system, user] = fake.requests[0]?.messages.map(({ content }) => content) ?? [];
  for (const part of ['The house rules.', 'snake_case', 'ResetToken']) expect(system).toContain(part);
  for (const part of ['Rename x', 'Line 1.', 'Step 7: Added a class.', 'class C: ...']) expect(user).toContain(part);
  expect(fake.requests[0]?.messages).toHaveLength(2);
  expect(fake.requests[0]).toMatchObject({ role: 'primary' });
});

test('a test that is written first was given to the model that makes the change', async () => {
  const fake = working(item(['create_file', 'tests/test_a.py'], { writes_test: true, phase: 'tests' }), [
    calling(['create_file', { path: 'tests/test_a.py', content: '' }], complete()),
  ]);
  await executeStepExecutor.execute(fake.context);
  expect(fake.requests[0]).toMatchObject({ role: 'expert' });
});

test('L05: a regression test that a step created was not noted for the guard', async () => {
  const path = 'tests/regression_login_test.py';
  const fake = working(item(['create_file', path]), [calling(['create_file', { path, content: 'x' }], complete())]);
  expect((await executeStepExecutor.execute(fake.context)).writes).toMatchObject({ createdRegressionFiles: [path] });
  const plain = working(item(['create_file', 'a.py']), [calling(['create_file', { path: 'a.py', content: 'x' }], complete())]);
  expect((await executeStepExecutor.execute(plain.context)).writes).not.toHaveProperty('createdRegressionFiles');
});

test('a path written in full was taken for another file', async () => {
  const fake = working(item(['create_file', 'src/a.py']), [calling(['create_file', { path: '/repo/src/a.py', content: '' }], complete())]);
  expect((await executeStepExecutor.execute(fake.context)).output).toMatchObject({
    result: { status: 'completed', changed_files: ['src/a.py'] },
  });
});

test('what a command changed was not told to the steps after it', async () => {
  const fake = working(item(['run_command', '', 'Generate']), [calling(['run_command', { command: 'make' }], complete())]);
  expect((await executeStepExecutor.execute(fake.context)).output).toMatchObject({
    result: { changed_files: ['b.py'] },
    files: [{ path: 'b.py' }],
  });
});

test('a member of a group started although another had failed', async () => {
  const failed = {
    id: '2',
    step_number: 2,
    status: 'failed',
    tool: 'edit_file',
    file_path: '',
    description: '',
    summary: '',
    changed_files: [],
    failure_reasons: [],
  };
  const fake = working(item(['edit_file', 'a.py'], { siblings: [2] }), [], {}, { stepResults: [failed] });
  const result = await executeStepExecutor.execute(fake.context);
  expect(result).toMatchObject({ output: { result: { status: 'skipped' } }, writes: { stepResults: [{ id: '1', status: 'skipped' }] } });
  expect(fake.requests).toEqual([]);
});

test('L27: calls that were still to come were carried out after a message of a person, or the message was lost', async () => {
  const fake = working(item(['edit_file', 'a.py']), [
    calling(edit, ['run_tests', {}], ['run_command', { command: 'make' }]),
    calling(complete()),
  ]);
  const messages: InboxMessage[][] = [[], [{ id: 'm', text: 'Leave the tests alone', at: 1 }]];
  const context = { ...fake.context, inbox: async () => messages.shift() ?? [] };
  await executeStepExecutor.execute(context);
  expect(fake.calls.map(({ tool }) => tool)).toEqual(['edit_file', 'read_file']);
  const last = fake.requests[1]?.messages ?? [];
  expect(last.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining('[USER INTERRUPT] Leave the tests alone') });
  expect(last.filter(({ role }) => role === 'tool')).toHaveLength(3);
});

test('a contract of a step did not reach the guards', async () => {
  const contract = {
    job: 'Rename',
    may_change: [{ path: 'a.py', change: 'name' }],
    must_not_change: ['b.py'],
    allowed_tools: ['edit_file'],
  };
  const fake = working(item(['edit_file', 'a.py', 'Rename', { contract }]), [calling(edit, complete())]);
  const scopes: unknown[] = [];
  const tool = fake.context.tool;
  const context: typeof fake.context = {
    ...fake.context,
    tool: (name, input, scope) => {
      scopes.push(scope);
      return tool(name, input);
    },
  };
  await executeStepExecutor.execute(context);
  expect(scopes[0]).toEqual({ contract: { mayChange: ['a.py'], mustNotChange: ['b.py'], allowedTools: ['edit_file'] } });
});

test('outside of “Execute plan” it ran on something that is no step', async () => {
  expect(await codeOf(() => executeStepExecutor.execute(working({ message: 'hi' }, []).context))).toBe('STEP_NO_ITEM');
});

test('what a step noted down was lost, or it began with the scratchpad of another phase', async () => {
  const note = calling(edit, ['add_journal_entry', { entry: 'x is y now' }], ['update_scratchpad', { content: 'mine' }], complete());
  const fake = working(item(['edit_file', 'a.py']), [note], {}, { scratchpad: 'theirs', journal: [{ phase: 'Explore', text: 'seen' }] });
  const { writes } = await executeStepExecutor.execute(fake.context);
  expect(writes).toMatchObject({ journal: [{ text: 'x is y now' }], sessionWork: { journal: [{ text: 'seen' }, { text: 'x is y now' }] } });
  expect(writes).not.toHaveProperty('scratchpad');
});
