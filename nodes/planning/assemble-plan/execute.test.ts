import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import type { Json, JsonObject } from '@/harness/contract/json';
import { codeOf, fakeContext, type Scripted } from '../../testing/fake-context';
import { designValue, planObject, summaryValue } from '../support/plan.fixtures';
import { executeAssemblePlan } from './execute';
import { assemblePlanNode } from './node';

const task = { planTask: { task: 'Add a reset', context: 'A small service.' } };

const assembling = (replies: Scripted[], state: Record<string, Json> = {}, config: JsonObject = {}) =>
  fakeContext(assemblePlanNode, { state: { ...task, ...state }, replies, config });

const rulesOf = (fake: { decisions: { rule: string; outcome: string }[] }, rule: string) =>
  fake.decisions.filter((decision) => decision.rule === rule).map(({ outcome }) => outcome);

test('L10: an edit of a file that nobody found passed in silence, or stopped the plan', async () => {
  const fake = assembling([{ object: planObject([['edit_file', 'app/ghost.py']]) }], {
    fileSummary: summaryValue({ modify: ['app/real.py'] }),
  });
  const { port, output } = await executeAssemblePlan.execute(fake.context);
  expect(port).toBeUndefined();
  expect(output).toMatchObject({
    outcome: 'warn',
    warnings: ['invented path: app/ghost.py', 'edit_file on unknown-to-modify path: app/ghost.py'],
  });
});

test('L11: without a file summary every path was called invented', async () => {
  const fake = assembling([{ object: planObject([['edit_file', 'app/ghost.py']]) }]);
  const { output } = await executeAssemblePlan.execute(fake.context);
  expect(output).toMatchObject({ outcome: 'pass', warnings: [] });
  expect(rulesOf(fake, 'check_result V1')).toEqual(['skipped']);
  expect(rulesOf(fake, 'check_result V3')).toEqual(['skipped']);
});

const missing = { designAndRisks: designValue({ missing_files: [{ file_path: 'app/mail.py', purpose: 'sends mail', blocking: true }] }) };
const without: Scripted = { object: planObject([['create_file', 'app/reset.py']]) };

test('L12: an uncovered blocking file was not sent back, or was sent back again and again', async () => {
  const covered = planObject([
    ['create_file', 'app/reset.py'],
    ['create_file', 'app/mail.py'],
  ]);
  const mended = assembling([without, { object: covered }], missing);
  expect((await executeAssemblePlan.execute(mended.context)).output).toMatchObject({ revisions: 1, warnings: [] });
  expect(mended.requests[1]?.messages.at(-1)?.content).toContain('app/mail.py');

  const still = assembling([without, without, without], missing);
  const { output } = await executeAssemblePlan.execute(still.context);
  expect(output).toMatchObject({ revisions: 1, warnings: ['uncovered missing file: app/mail.py — sends mail [BLOCKING]'] });
  expect(still.left().replies).toBe(1);
  const off = assembling([without, without], missing, { autoRevise: 0 });
  expect((await executeAssemblePlan.execute(off.context)).output).toMatchObject({ revisions: 0 });
});

test('a revision that cannot be read cost the plan that was there', async () => {
  const fake = assembling([without, { text: 'no' }, { text: 'no' }], missing);
  expect((await executeAssemblePlan.execute(fake.context)).output).toMatchObject({ plan: { steps: [{ file_path: 'app/reset.py' }] } });
  expect(fake.logs[0]).toContain('the first one stays');
});

test('a reply that is no plan became an empty plan', async () => {
  const fake = assembling([{ text: 'I would rather talk' }, { text: 'again' }]);
  expect(await codeOf(() => executeAssemblePlan.execute(fake.context))).toBe('PLAN_FAILED');
});

test('an error of the provider lost its code, so no retry policy could see that another try may help', async () => {
  const fake = assembling([operationalError('MODEL_RATE_LIMIT', 'slow down', { retryable: true })]);
  expect(await codeOf(() => executeAssemblePlan.execute(fake.context))).toBe('MODEL_RATE_LIMIT');
});

test('a blank instruction passed the check of the reply and failed the node afterwards', async () => {
  const fake = assembling([
    { object: planObject([['edit_file', 'a.py', ' ']]) },
    { object: planObject([['edit_file', 'a.py', 'Change it']]) },
  ]);
  expect((await executeAssemblePlan.execute(fake.context)).output).toMatchObject({ plan: { steps: [{ instruction: 'Change it' }] } });
});

test('a plan named tags or tests of its own, or kept a step with a foreign tool', async () => {
  const object = {
    ...planObject([
      ['search_internet', ''],
      ['edit_file', 'a.py'],
    ]),
    plan_validation_warnings: ['mine'],
  };
  const fake = assembling([{ object }], { designAndRisks: designValue({ core_functionality: [tag] }) });
  const { output, writes } = await executeAssemblePlan.execute(fake.context);
  expect(output).toMatchObject({
    plan: { steps: [{ step_number: 1, tool: 'edit_file' }], core_functionality: [{ entity: 'Reset' }] },
    warnings: [],
  });
  expect(writes).toMatchObject({
    executionPlan: { steps: [{ tool: 'edit_file' }] },
    approvalState: { status: 'AWAITING', revision_count: 0 },
  });
  expect(rulesOf(fake, 'steps_stripped')).toEqual(['1 stripped, the rest renumbered']);
});

const tag = { entity: 'Reset', file_path: 'a.py', reason: 'It is asked for.', source_signal: 'phase1_deliverable' };

test('the prompt broke its contract: no testability block, or scope and context in a small window', async () => {
  const scope = { scopeDocument: { problem: 'Users are locked out.' } };
  const scoped = { scopeDocument: { ...empty, ...scope.scopeDocument } };
  const usual = assembling([without], scoped);
  await executeAssemblePlan.execute(usual.context);
  expect(usual.requests[0]?.messages[0]?.content).toContain('TESTABILITY');
  expect(usual.requests[0]?.messages[1]?.content).toContain('Users are locked out.');
  expect(usual.requests[0]?.messages[1]?.content).toContain('A small service.');
  expect(usual.requests[0]).not.toHaveProperty('maxOutputTokens');
  expect(usual.requests[0]).toMatchObject({ role: 'expert' });

  const small = assembling([without], scoped, { contextWindow: 32_768, testability: false });
  await executeAssemblePlan.execute(small.context);
  expect(small.requests[0]?.messages[0]?.content).not.toContain('TESTABILITY');
  expect(small.requests[0]?.messages[1]?.content).not.toContain('Users are locked out.');
  expect(small.requests[0]?.messages[1]?.content).not.toContain('A small service.');
  expect(small.requests[0]?.maxOutputTokens).toBe(13_107);
});

const empty = {
  deliverables: [],
  in_scope: [],
  out_of_scope: [],
  downstream_consumers: [],
  assumptions: [],
  success_criteria: [],
  risks: [],
};
