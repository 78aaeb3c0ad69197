import { describe, expect, test } from 'vitest';
import { readTurnPolicy, routeTurn } from './decide';
import { skippedLayers } from './layer-policy';
import { decompose, judgeTurnByRules } from './rules';

const none = { active: false, stepFailed: false };
const route = (message: string, plan = none) => routeTurn(readTurnPolicy(judgeTurnByRules(message)), plan, message);

describe('routing a turn', () => {
  test('a greeting and a plain question skip every layer, a task does not', () => {
    expect(route('Hello!').port).toBe('trivial');
    expect(route('What is the capital of Norway?').port).toBe('trivial');
    expect(route('Fix the failing test').port).toBe('full');
  });

  test('trivial counts only at LOW risk (bug: a short message that deletes things skips the gates)', () => {
    const judged = readTurnPolicy({ riskLevel: 'HIGH', isTrivial: true });
    expect(routeTurn(judged, none, 'delete it').port).toBe('needs-approval');
  });

  test('a judgement that cannot be read is UNKNOWN, treated as HIGH, and asks (bug: a thrown classifier lets everything pass)', () => {
    const routed = routeTurn(readTurnPolicy('nonsense'), none, 'hi');
    expect([routed.policy.riskLevel, routed.risk, routed.port]).toEqual(['UNKNOWN', 'HIGH', 'needs-approval']);
  });

  test('plan flags mean something only in their situation', () => {
    expect(route('never mind').policy.isAbandonRequest).toBe(false);
    expect(route('never mind', { active: true, stepFailed: false }).policy.isAbandonRequest).toBe(true);
    expect(route('what is left?', { active: true, stepFailed: false }).policy.isPlanQuestion).toBe(false);
    expect(route('what is left?', { active: true, stepFailed: true }).policy.isPlanQuestion).toBe(true);
    expect(route('by the way, something else', { active: true, stepFailed: true }).setPlanAside).toBe(true);
    expect(route('go on', { active: true, stepFailed: true }).setPlanAside).toBe(false);
  });

  test('several reminders in one turn need approval, one does not', () => {
    expect(route('remind me to:\n- call Ann\n- pay rent').port).toBe('needs-approval');
    expect(route('remind me at noon').port).toBe('full');
  });

  test('a message is taken apart into its tasks, in order', () => {
    expect(decompose('First read the config, then fix the bug, and then run the tests.')).toEqual([
      'read the config',
      'fix the bug',
      'run the tests',
    ]);
    expect(decompose('1. one thing\n2. another thing')).toEqual(['one thing', 'another thing']);
    expect(decompose('just this')).toBeNull();
    expect(route('- write a\n- write b').tasks.map(({ id, risk_level }) => `${id} ${risk_level}`)).toEqual([
      'task-0 MEDIUM',
      'task-1 MEDIUM',
    ]);
  });

  test('facts and constraints stated in passing are picked up', () => {
    const policy = judgeTurnByRules('I live in Oslo. From now on never mention prices.');
    expect(policy.statesDurableFacts?.[0]?.fact).toBe('I live in Oslo');
    expect(policy.lastingConstraints).toEqual(['From now on never mention prices.']);
  });
});

test('layer policy: static skips nothing and says nothing, shadow says what adaptive would skip', () => {
  const policy = readTurnPolicy(judgeTurnByRules('Hello!'));
  expect(skippedLayers(policy, 1, 'static')).toEqual({ skip: new Set(), decisions: [] });
  const shadow = skippedLayers(policy, 1, 'shadow');
  expect(shadow.skip.size).toBe(0);
  expect(shadow.decisions.map(({ outcome }) => outcome)).toContain('would skip reviewer_adversarial');
  expect(skippedLayers(policy, 1, 'adaptive').skip.has('reviewer_adversarial')).toBe(true);
});
