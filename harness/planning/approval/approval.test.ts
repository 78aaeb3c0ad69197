import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coreFunctionalityTagSchema, designAndRisksSchema } from '../artefacts/design';
import { type ExecutionPlan, executionPlanSchema } from '../artefacts/execution-plan';
import { fileSummarySchema } from '../artefacts/file-summary';
import { planStepSchema } from '../artefacts/plan-step';
import { validatorConfigSchema } from '../validators/config';
import { defaultVerificationConfig } from '../verification-steps/config';
import { advanceApproval } from './advance';
import { carryOver } from './carry-over';
import { editPlan, planEditSchema } from './plan-edits';
import { type ApprovalEvent, type ApprovalState, initialApproval, isFinal } from './state';

const outcomeOf = (events: ApprovalEvent[]): { state: ApprovalState; emitted: string[] } =>
  events.reduce<{ state: ApprovalState; emitted: string[] }>(
    ({ state, emitted }, event) => {
      const next = advanceApproval(state, event);
      return { state: next.state, emitted: [...emitted, ...next.effects.map((effect) => effect.event)] };
    },
    { state: initialApproval, emitted: [] },
  );
const say = (content: string): ApprovalEvent => ({ type: 'user_message', content });
const revised: ApprovalEvent = { type: 'revised' };

describe('L26 the approval protocol', () => {
  test('five feedbacks make five revisions, the sixth ends it for good', () => {
    const five = Array.from({ length: 5 }, (_, at) => [say(`no ${at}`), revised]).flat();
    const open = outcomeOf(five);
    expect(open.state).toMatchObject({ status: 'AWAITING', revision_count: 5 });
    expect(open.emitted.filter((event) => event === 'plan_revision')).toHaveLength(5);
    const sixth = advanceApproval(open.state, say('no again'));
    expect(sixth.state.status).toBe('EXHAUSTED');
    expect(sixth.effects).toMatchObject([{ event: 'error', recoverable: false }]);
    expect(sixth.decision.because).toMatchObject([{ value: 6, operator: '<=', threshold: 5, holds: false }]);
    expect(advanceApproval(sixth.state, { type: 'approve' }).state.status).toBe('EXHAUSTED');
  });

  test('the fifth revision can still be approved, and teaches what was rejected', () => {
    const events = Array.from({ length: 5 }, (_, at) => [say(`no ${at}`), revised]).flat();
    const { state, emitted } = outcomeOf([...events, { type: 'approve' }]);
    expect(state.status).toBe('APPROVED');
    expect(emitted.slice(-2)).toEqual(['approved', 'memory']);
    expect(outcomeOf([{ type: 'approve' }]).emitted).toEqual(['approved']);
  });

  test('while a revision is under way nothing but its end, a cancel or a disconnect counts (bug: an unseen plan is approved)', () => {
    expect(outcomeOf([say('no'), { type: 'approve' }]).state.status).toBe('REVISING');
    expect(outcomeOf([say('no'), say('and no')]).state).toMatchObject({ status: 'REVISING', revision_count: 1 });
    expect(outcomeOf([say('no'), { type: 'disconnect' }]).state.status).toBe('CANCELLED');
    expect(outcomeOf([say('no'), { type: 'revision_failed', error: 'e' }]).state.status).toBe('AWAITING');
  });

  test('feedback without words costs no revision', () => expect(outcomeOf([say(' \n')]).state).toEqual(initialApproval));

  test('whatever arrives: final states stay, counts never pass the limit by more than one, REVISING only follows feedback', () => {
    const anyEvent = fc.oneof(
      fc.constantFrom<ApprovalEvent>({ type: 'approve' }, { type: 'cancel' }, { type: 'disconnect' }, revised, {
        type: 'revision_failed',
        error: 'e',
      }),
      fc.constantFrom(say('no'), say('')),
    );
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        let state = initialApproval;
        for (const event of events) {
          const next = advanceApproval(state, event);
          if (isFinal(state)) expect(next.state).toBe(state);
          if (next.state.status === 'REVISING' && state.status !== 'REVISING') expect(event.type).toBe('user_message');
          if (next.state.status === 'APPROVED' && state.status !== 'APPROVED')
            expect([event.type, state.status]).toEqual(['approve', 'AWAITING']);
          state = next.state;
        }
        expect(state.revision_count).toBeLessThanOrEqual(6);
        expect(state.feedback).toHaveLength(state.revision_count);
      }),
      { seed: 20_260_308 },
    );
  });
});

const step = (step_number: number, tool: string, file_path: string, instruction = 'do it') =>
  planStepSchema.parse({ step_number, tool, file_path, instruction });
const tag = (entity: string, confidence = 'low') =>
  coreFunctionalityTagSchema.parse({ entity, file_path: 'a.py', reason: 'r', source_signal: 'public_api', confidence });
const plan: ExecutionPlan = executionPlanSchema.parse({
  scope: 's',
  tdd_test_steps: [step(1, 'create_file', 'tests/test_a.py', 'tests a.py')],
  steps: [step(2, 'edit_file', 'a.py'), step(3, 'edit_file', 'b.py'), step(4, 'run_tests', '')],
  affected_files: ['a.py', 'tests/test_a.py'],
  core_functionality: [tag('A'), tag('B', 'medium')],
  plan_validation_warnings: [
    'scope synthesis failed',
    'invented path: ghost.py',
    'test contract: fake_pass in step 1 (tests/test_a.py): "x"',
  ],
});

describe('edits on the approval card', () => {
  test('tags are pruned, promoted far enough to count, and added as designated by the person', () => {
    const edited = editPlan(
      plan,
      [
        { kind: 'prune', entity: 'B', file_path: './a.py' },
        { kind: 'promote', entity: 'A', file_path: 'a.py' },
        planEditSchema.parse({ kind: 'add', entity: 'C', file_path: 'c.py' }),
      ],
      'high',
    );
    expect(edited.plan.core_functionality.map(({ entity, confidence, source_signal }) => [entity, confidence, source_signal])).toEqual([
      ['A', 'high', 'public_api'],
      ['C', 'high', 'user_designated'],
    ]);
    expect(editPlan(plan, [{ kind: 'promote', entity: 'A', file_path: 'a.py' }]).plan.core_functionality[0]?.confidence).toBe('medium');
  });

  test('an edit of something that is not there is told and changes nothing', () => {
    const edited = editPlan(plan, [
      { kind: 'prune', entity: 'Z', file_path: 'a.py' },
      { kind: 'drop_step', step_number: 9 },
      planEditSchema.parse({ kind: 'add', entity: 'A', file_path: 'a.py' }),
    ]);
    expect(edited.plan).toEqual(plan);
    expect(edited.decisions.every(({ outcome }) => outcome.startsWith('ignored'))).toBe(true);
    expect(planEditSchema.safeParse({ kind: 'add', entity: ' ', file_path: 'a' }).success).toBe(false);
  });

  test('steps are dropped by the numbers that were shown (bug: the second drop hits the neighbour)', () => {
    const { plan: left } = editPlan(plan, [
      { kind: 'drop_step', step_number: 2 },
      { kind: 'drop_step', step_number: 3 },
      { kind: 'drop_step', step_number: 1 },
    ]);
    expect(left.steps).toEqual([step(1, 'run_tests', '')]);
    expect(left.tdd_test_steps).toEqual([]);
  });
});

describe('a revision', () => {
  const carry = (given: Partial<ExecutionPlan>, summary: string[] | null = ['a.py', 'b.py']) =>
    carryOver({
      previous: plan,
      revised: executionPlanSchema.parse({ scope: 's', steps: [step(7, 'edit_file', 'a.py')], ...given }),
      fileSummary:
        summary && fileSummarySchema.parse({ files_to_modify: summary.map((file_path) => ({ file_path, role: 'modify', reason: 'r' })) }),
      design: designAndRisksSchema.parse({}),
      validators: validatorConfigSchema.parse({}),
      verification: defaultVerificationConfig,
    });

  test('keeps tags, tests written first and their paths (bug: the reviser’s plan drops them)', () => {
    const { plan: next } = carry({ affected_files: ['a.py'], core_functionality: [tag('Invented', 'high')] });
    expect(next.core_functionality).toEqual(plan.core_functionality);
    expect(next.tdd_test_steps).toEqual(plan.tdd_test_steps);
    expect(next.steps.map(({ step_number }) => step_number)).toEqual([2]);
    expect(next.affected_files).toEqual(['a.py', 'tests/test_a.py']);
    expect(carry({}).plan.affected_files).toEqual(plan.affected_files);
  });

  test('takes the tests that the reviser gives instead', () => {
    const { plan: next } = carry({
      tdd_test_steps: [step(5, 'create_file', 'tests/test_x.py'), step(6, 'create_file', 'tests/test_y.py')],
    });
    expect(next.tdd_test_steps.map(({ step_number, file_path }) => [step_number, file_path])).toEqual([
      [1, 'tests/test_x.py'],
      [2, 'tests/test_y.py'],
    ]);
    expect(next.steps[0]?.step_number).toBe(3);
  });

  test('runs the checks again: what was mended is gone, what is new is told, what is not theirs stays', () => {
    const { plan: next } = carry({ steps: [step(1, 'edit_file', 'phantom.py'), step(2, 'rm', 'x')] });
    expect(next.plan_validation_warnings).toEqual([
      'scope synthesis failed',
      'invented path: phantom.py',
      'edit_file on unknown-to-modify path: phantom.py',
      'affected file has no test coverage: b.py',
      'core-functionality tag missing regression test: B (a.py, medium)',
    ]);
  });

  test('keeps the warnings of a check that cannot be made again', () => {
    expect(carry({}, null).plan.plan_validation_warnings).toContain('invented path: ghost.py');
  });
});
