import { expect, test } from 'vitest';
import type { Json, JsonObject } from '@/harness/contract/json';
import { codeOf, fakeContext, type Scripted } from '../../testing/fake-context';
import { planObject, planValue, stepsOf, summaryValue } from '../support/plan.fixtures';
import { executeRevisePlan } from './execute';
import { revisePlanNode } from './node';

const tag = { entity: 'Reset', file_path: 'a.py', reason: 'asked for', source_signal: 'public_api', confidence: 'high' };
const shown = planValue([['edit_file', 'a.py']], {
  core_functionality: [tag],
  tdd_test_steps: stepsOf(['create_file', 'tests/test_a.py']),
  plan_validation_warnings: ['a note of my own', 'invented path: gone.py'],
});
const revising = { status: 'REVISING', revision_count: 1, feedback: ['Also log it'] };

const working = (replies: Scripted[], config: JsonObject = {}, state: Record<string, Json> = {}) =>
  fakeContext(revisePlanNode, {
    state: { planTask: { task: 'T', context: '' }, executionPlan: shown, approvalState: revising, ...state },
    replies,
    config,
  });

const more: Scripted = {
  object: planObject([
    ['edit_file', 'a.py'],
    ['edit_file', 'log.py'],
  ]),
};

test('a revision lost the tags, the tests or foreign warnings, or did not check again', async () => {
  const fake = working([more], {}, { fileSummary: summaryValue({ modify: ['a.py'] }) });
  const { output, writes } = await executeRevisePlan.execute(fake.context);
  expect(output).toMatchObject({
    revised: true,
    feedback: 'Also log it',
    plan: {
      steps: [{ step_number: 2 }, { step_number: 3, file_path: 'log.py' }],
      core_functionality: [tag],
      tdd_test_steps: [{ step_number: 1 }],
    },
  });
  const { warnings } = JSON.parse(JSON.stringify(output));
  expect(warnings).toEqual(expect.arrayContaining(['a note of my own', 'invented path: log.py']));
  expect(warnings).not.toContain('invented path: gone.py');
  expect(writes).toMatchObject({ approvalState: { status: 'AWAITING', revision_count: 1 } });
  expect(fake.requests[0]?.messages[1]?.content).toContain('Also log it');
  expect(fake.requests[0]?.messages[0]?.content).toContain('not a rewrite');
});

test('a revision that cannot be read left the approval waiting for ever', async () => {
  const fake = working([{ text: '?' }, { text: '?' }]);
  const { output, writes } = await executeRevisePlan.execute(fake.context);
  expect(output).toMatchObject({ revised: false, plan: { steps: [{ file_path: 'a.py' }] } });
  expect(writes).toMatchObject({ executionPlan: shown, approvalState: { status: 'AWAITING' } });
});

test('feedback of the node’s own was passed over; no feedback at all went to the model', async () => {
  const own = working([more], { feedback: 'Make {{state.planTask.task}} shorter' });
  await executeRevisePlan.execute(own.context);
  expect(own.requests[0]?.messages[1]?.content).toContain('Make T shorter');
  const none = working([more], {}, { approvalState: { status: 'AWAITING', revision_count: 0, feedback: [] } });
  expect(await codeOf(() => executeRevisePlan.execute(none.context))).toBe('PLAN_NO_FEEDBACK');
  const bare = fakeContext(revisePlanNode, { state: { approvalState: revising }, input: 'T' });
  expect(await codeOf(() => executeRevisePlan.execute(bare.context))).toBe('PLAN_MISSING');
});
