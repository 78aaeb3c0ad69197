import { expect, test } from 'vitest';
import { fakeContext } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeControlState } from './execute';
import { controlState } from './node';

const at = (symptom_coverage: number, more: Record<string, unknown> = {}) =>
  channelValues({ diagnostics: { coverage_health: { symptom_coverage, explanation_coverage: 1 } }, ...more });
const run = async (state: ReturnType<typeof at>, config = {}) => {
  const fake = fakeContext(controlState, { state, config });
  return { result: await executeControlState.execute(fake.context), decisions: fake.decisions };
};

test('a blocked dimension did not block, or the trace named neither number nor threshold nor class', async () => {
  const { result, decisions } = await run(at(0.192));
  expect(result).toMatchObject({
    port: 'blocked',
    output: { permission: 'DENY', blocked: ['symptom_coverage'], recover_by: ['coverage_expand'] },
    writes: { controlState: { permission: 'DENY' } },
  });
  expect(decisions[0]).toMatchObject({
    rule: 'tier 2: symptom_coverage 0.192 < 0.2',
    outcome: 'DENY, recover by coverage_expand',
    because: [{ name: 'symptom_coverage', value: 0.192, operator: '<', threshold: 0.2, holds: true }],
    alternatives: [{ outcome: 'ALLOW', needs: 'symptom_coverage up by 0.008' }],
  });
});

test('a threshold changed in the inspector did not change the decision', async () => {
  expect((await run(at(0.192), { critical: 0.1 })).result.port).toBe('cautious');
  expect((await run(at(0.192), { critical: 0.1, caution: 0.15 })).result.port).toBe('normal');
  expect((await run(at(0.3))).result.port).toBe('cautious');
  expect((await run(at(1))).result.port).toBe('normal');
});

test('a call for a person was not heard, or was heard again at the next resolve (D11)', async () => {
  const escalations = [{ source: 'coverage_expand changed nothing 2 times in a row', dimension: 'symptom_coverage' }];
  const recovery_log = { unchanged: { 'symptom_coverage:coverage_expand': 2 }, escalated_dimension: 'symptom_coverage' };
  const { result } = await run(at(0.1, { progress: { escalations, recovery_log } }));
  expect(result).toMatchObject({
    port: 'human',
    output: { escalation: 'HUMAN_REQUIRED' },
    writes: { progress: { escalations: [], recovery_log: { unchanged: {}, escalated_dimension: null } } },
  });
  expect((await run(at(0.1))).result.writes).not.toHaveProperty('progress');
});

test('the reviewer’s verdict was read twice, or not at all (INV-18)', async () => {
  const verdict = { severity: 'HIGH', lens: 'reviewer', summary: 's' };
  const { result } = await run(at(1, { verdict }));
  expect(result).toMatchObject({ port: 'cautious', writes: { verdict: null } });
});

test('a circle between blocked dimensions went unseen, or a class that waits for itself was taken', async () => {
  const circle = {
    recoveryClasses: {
      symptom_coverage: { action: 'coverage_expand', needs: ['explanation_coverage'] },
      explanation_coverage: { action: 'explanation_expand', needs: ['symptom_coverage'] },
    },
  };
  const blocked = channelValues({ diagnostics: { coverage_health: { symptom_coverage: 0, explanation_coverage: 0 } } });
  expect((await run(blocked, circle)).result.port).toBe('human');
  const own = { recoveryClasses: { symptom_coverage: { action: 'coverage_expand', needs: ['symptom_coverage'] } } };
  expect(controlState.config.safeParse(own).error?.issues[0]?.path).toEqual(['recoveryClasses']);
});

test('control state was not that of the world model it was resolved on (INV-03)', async () => {
  expect((await run(at(1, { worldModel: { generation_id: 7 } }))).result).toMatchObject({ writes: { controlState: { generation_id: 7 } } });
});
