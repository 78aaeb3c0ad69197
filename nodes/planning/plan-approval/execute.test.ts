import { expect, test } from 'vitest';
import type { AskAnswer } from '@/harness/contract/ask';
import type { Json, JsonObject } from '@/harness/contract/json';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { planValue, stepsOf } from '../support/plan.fixtures';
import { executePlanApproval } from './execute';
import { planApprovalNode } from './node';

const tag = (entity: string, confidence = 'medium') => ({
  entity,
  file_path: `src/${entity.toLowerCase()}.py`,
  reason: 'public',
  source_signal: 'public_api',
  confidence,
});

const shown = planValue(
  [
    ['edit_file', 'src/reset.py', 'Change it', { step_number: 2 }],
    ['read_file', 'src/other.py', 'Look', { step_number: 3 }],
  ],
  {
    core_functionality: [tag('Reset'), tag('Login', 'low')],
    tdd_test_steps: stepsOf(['create_file', 'tests/test_reset.py']),
    plan_validation_warnings: ['invented path: app/ghost.py'],
  },
);

const asking = (answers: Partial<AskAnswer>[], state: Record<string, Json> = {}, config: JsonObject = {}) =>
  fakeContext(planApprovalNode, { state: { executionPlan: shown, planWarnings: ['thin awareness'], ...state }, answers, config });

test('the card lacked the plan, its warnings as a list, the core tags or the tests written first (L10: approval stays possible)', async () => {
  const fake = asking([{ choice: 'approve' }]);
  const result = await executePlanApproval.execute(fake.context);
  expect(result).toMatchObject({ port: 'approved', output: { status: 'APPROVED' }, writes: { approvalState: { status: 'APPROVED' } } });
  expect(result.writes).not.toHaveProperty('executionPlan');
  expect(fake.asks[0]?.ask).toMatchObject({
    kind: 'approval',
    choices: [{ id: 'approve' }, { id: 'feedback' }, { id: 'cancel' }],
    shown: {
      plan: expect.stringContaining('# Execution plan'),
      plan_object: shown,
      warnings: ['invented path: app/ghost.py', 'thin awareness'],
      core_functionality: [{ entity: 'Reset' }, { entity: 'Login' }],
      tdd_preview: [{ file_path: 'tests/test_reset.py' }],
    },
  });
});

test('feedback did not reach the revision, or words of a plain comment did not count', async () => {
  const form = asking([{ choice: 'feedback', values: { feedback: 'Also log it' } }]);
  expect(await executePlanApproval.execute(form.context)).toMatchObject({
    port: 'feedback',
    output: { feedback: 'Also log it', revision_count: 1 },
    writes: { approvalState: { status: 'REVISING', revision_count: 1, feedback: ['Also log it'] } },
  });
  const comment = asking([{ choice: 'feedback', comment: 'Shorter' }]);
  expect((await executePlanApproval.execute(comment.context)).output).toMatchObject({ feedback: 'Shorter' });
});

test('feedback without words used up a revision, or ended the approval', async () => {
  const fake = asking([{ choice: 'feedback', values: { feedback: ' ' } }, { choice: 'cancel' }]);
  expect(await executePlanApproval.execute(fake.context)).toMatchObject({ port: 'cancelled', output: { revision_count: 0 } });
  expect(fake.asks.map(({ key }) => key)).toEqual(['plan-1', 'plan-2']);
  expect(fake.asks[1]?.ask.body).toContain('Say what should be different');
});

test('L26: the sixth feedback was revised too, or the fifth was not', async () => {
  const feedback = { choice: 'feedback', values: { feedback: 'Again' } };
  const at = (revision_count: number) => ({
    approvalState: { status: 'AWAITING', revision_count, feedback: Array.from({ length: revision_count }, () => 'Again') },
  });
  const fifth = await executePlanApproval.execute(asking([feedback], at(4)).context);
  expect(fifth).toMatchObject({ port: 'feedback', output: { revision_count: 5, error: '' } });
  const sixth = asking([feedback], at(5));
  const result = await executePlanApproval.execute(sixth.context);
  expect(result).toMatchObject({
    port: 'exhausted',
    output: { status: 'EXHAUSTED', error: expect.stringContaining('Nothing was changed') },
  });
  expect(sixth.calls).toEqual([]);
  expect(sixth.decisions[0]).toMatchObject({ because: [{ value: 6, operator: '<=', threshold: 5, holds: false }] });
  const seven = await executePlanApproval.execute(asking([feedback], at(5), { maxRevisions: 6 }).context);
  expect(seven.port).toBe('feedback');
});

test('edits of tags and steps were lost, or the plan was not checked again', async () => {
  const values = {
    prune: ['Login (src/login.py)'],
    promote: ['Reset (src/reset.py)'],
    add: ['Mail (src/mail.py)', 'Clock'],
    drop: ['3. read_file src/other.py Look'],
  };
  const fake = asking([{ choice: 'approve', values }]);
  const result = await executePlanApproval.execute(fake.context);
  expect(result.writes).toMatchObject({
    executionPlan: {
      steps: [{ step_number: 2, file_path: 'src/reset.py' }],
      core_functionality: [
        { entity: 'Reset', confidence: 'high' },
        { entity: 'Mail', file_path: 'src/mail.py', source_signal: 'user_designated' },
        { entity: 'Clock', file_path: '' },
      ],
    },
  });
  const { warnings } = { warnings: JSON.stringify(result.writes) };
  expect(warnings).toContain('core-functionality tag missing regression test');
  const locked = asking([{ choice: 'approve', values }], {}, { editing: false });
  expect((await executePlanApproval.execute(locked.context)).writes).not.toHaveProperty('executionPlan');
  expect(Object.keys(Object(locked.asks[0]?.ask.form?.properties))).toEqual(['feedback']);
});

test('an edit that names nothing of the plan changed it', async () => {
  const fake = asking([{ choice: 'approve', values: { prune: ['Nobody (x)'], drop: ['9. run_tests'], promote: 'all', add: [' '] } }]);
  expect((await executePlanApproval.execute(fake.context)).writes).not.toHaveProperty('executionPlan');
});

test('a plan that was approved after a rejection taught nothing, or a first approval did', async () => {
  const after = asking([{ choice: 'approve' }], { approvalState: { status: 'AWAITING', revision_count: 1, feedback: ['Also log it'] } });
  expect((await executePlanApproval.execute(after.context)).writes).toMatchObject({
    workspaceMemories: [{ category: 'rejection', curation_status: 'auto', content: expect.stringContaining('Also log it') }],
  });
  expect((await executePlanApproval.execute(asking([{ choice: 'approve' }]).context)).writes).not.toHaveProperty('workspaceMemories');
});

test('nobody answered in time and the plan counted as approved', async () => {
  const fake = asking([{ choice: 'timeout' }], {}, { timeoutMs: 5000 });
  expect((await executePlanApproval.execute(fake.context)).port).toBe('cancelled');
  expect(fake.asks[0]?.ask.expiresAt).toBe(1_005_000);
});

test('a second plan of the run was decided by the approval of the first', async () => {
  const fake = asking([{ choice: 'cancel' }], { approvalState: { status: 'APPROVED', revision_count: 2, feedback: ['a', 'b'] } });
  expect(await executePlanApproval.execute(fake.context)).toMatchObject({ port: 'cancelled', output: { revision_count: 0 } });
  expect(await codeOf(() => executePlanApproval.execute(fakeContext(planApprovalNode).context))).toBe('PLAN_MISSING');
});

test('L27: a message that came before the approval was no feedback, or waited for its own turn although it should not', async () => {
  const options = { state: { executionPlan: shown }, inbox: [{ id: 'm', text: 'Use bcrypt', at: 1 }] };
  const fake = fakeContext(planApprovalNode, options);
  expect(await executePlanApproval.execute(fake.context)).toMatchObject({
    port: 'feedback',
    output: { feedback: 'Use bcrypt', revision_count: 1 },
  });
  expect(fake.decisions[0]).toMatchObject({ rule: 'steering: message routed', outcome: 'approval' });
  const off = fakeContext(planApprovalNode, { ...options, config: { chatIsFeedback: false }, answers: [{ choice: 'approve' }] });
  expect((await executePlanApproval.execute(off.context)).port).toBe('approved');
});
