import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Diagnostics, initialDiagnostics } from '../diagnostics/state';
import { actionGate } from '../execution/action-gate';
import { defaultControlStateConfig } from './config';
import { resolveControlState } from './resolve';
import { riskSummary } from './state';

const seed = 20_260_103;
const unit = fc.double({ min: 0, max: 1, noNaN: true });
const diagnostics: fc.Arbitrary<Diagnostics> = fc.record({
  belief_health: fc.record({ freshness: unit, consistency: unit, support: unit }),
  coverage_health: fc.record({ symptom_coverage: unit, explanation_coverage: unit }),
  verification_health: fc.record({ strength: unit, feasibility: unit }),
  execution_health: fc.record({ progress_rate: unit, failure_recurrence: unit, oscillation_score: unit }),
  dep_class_gap_annotation: fc.constantFrom('', 'gap'),
});
const healthy = (): Diagnostics => ({ ...initialDiagnostics(), coverage_health: { symptom_coverage: 1, explanation_coverage: 1 } });
const resolve = (value: Diagnostics, extra = {}) =>
  resolveControlState({ diagnostics: value, contradictions: [], generation: 1, ...extra });

describe('the resolver', () => {
  test('every state of health has exactly one outcome and a gate result to go with it (bug: a combination that falls through)', () => {
    fc.assert(
      fc.property(diagnostics, (value) => {
        const { controlState, decision } = resolve(value);
        const summary = riskSummary(controlState);
        expect(['NORMAL', 'CAUTIOUS', 'BLOCKED']).toContain(summary);
        expect(summary === 'BLOCKED').toBe(controlState.block_mask.length > 0);
        expect(controlState.execution_mode === 'RECOVERY').toBe(controlState.permission === 'DENY');
        expect(actionGate(controlState).result === 'PASS').toBe(controlState.permission === 'ALLOW');
        expect(controlState.risk_estimate).toBeGreaterThanOrEqual(0);
        expect(controlState.confidence_estimate).toBeLessThanOrEqual(1);
        expect(decision.because.length).toBeGreaterThan(0);
      }),
      { seed },
    );
  });

  test('getting better never makes the outcome worse (bug: an inverted dimension compared the wrong way round)', () => {
    const rank = { NORMAL: 0, CAUTIOUS: 1, BLOCKED: 2 };
    fc.assert(
      fc.property(diagnostics, (value) => {
        const better: Diagnostics = { ...value, execution_health: { progress_rate: 1, failure_recurrence: 0, oscillation_score: 0 } };
        const [before, after] = [resolve(value), resolve(better)].map(({ controlState }) => riskSummary(controlState));
        if (before === 'BLOCKED' || after === undefined || before === undefined) return;
        expect(rank[after]).toBeLessThanOrEqual(2);
        expect(after).not.toBe('BLOCKED');
      }),
      { seed },
    );
  });

  test('a dimension outside [0, 1] is refused with its name (INV-02)', () => {
    const value = healthy();
    value.belief_health.freshness = 1.2;
    expect(() => resolve(value)).toThrow(/INV-02.*belief_freshness/);
  });

  test('the decision reads like a sentence with the number, the threshold and the distance', () => {
    const value = healthy();
    value.coverage_health.symptom_coverage = 0.192;
    const { decision } = resolve(value);
    expect(decision.rule).toBe('tier 2: symptom_coverage 0.192 < 0.2');
    expect(decision.outcome).toBe('DENY, recover by coverage_expand');
    expect(decision.because[0]).toMatchObject({ name: 'symptom_coverage', value: 0.192, operator: '<', threshold: 0.2, holds: true });
    expect(decision.because[0]?.distance).toBeCloseTo(0.008);
  });

  test('a changed threshold changes the decision (bug: a number in code that the inspector cannot reach)', () => {
    const value = healthy();
    value.coverage_health.symptom_coverage = 0.192;
    const { controlState } = resolveControlState(
      { diagnostics: value, contradictions: [], generation: 1 },
      { ...defaultControlStateConfig, critical: 0.1 },
    );
    expect(controlState.permission).toBe('ALLOW');
    expect(controlState.execution_mode).toBe('CAUTIOUS');
  });

  test('the reviewer verdict lifts to CAUTIOUS and never denies (INV-18 is kept by the caller)', () => {
    const { controlState } = resolve(healthy(), { pendingVerdict: { severity: 'HIGH', lens: 'reviewer', summary: 'open conflict' } });
    expect([controlState.permission, controlState.execution_mode]).toEqual(['ALLOW', 'CAUTIOUS']);
    expect(resolve(healthy(), { pendingVerdict: { severity: 'LOW', lens: 'reviewer', summary: '' } }).controlState.execution_mode).toBe(
      'NORMAL',
    );
  });
});

test('a HIGH conflict blocked although nothing predicted it, or did not where config says so', () => {
  const conflict = {
    id: 'c',
    type: 'pairwise',
    severity: 'HIGH',
    scope: 'local',
    description: 'd',
    involved_belief_ids: ['a', 'b'],
  } as const;
  const input = { diagnostics: healthy(), contradictions: [{ ...conflict, involved_belief_ids: ['a', 'b'] }], generation: 1 };
  expect(resolveControlState(input).controlState.permission).toBe('ALLOW');
  const { controlState, decision } = resolveControlState(input, { ...defaultControlStateConfig, blockFrom: 'HIGH' });
  expect([controlState.permission, controlState.escalation]).toEqual(['DENY', 'NONE']);
  expect(controlState.block_mask).toEqual([{ dimension: 'world_model_integrity', value: 0, recovery_action_class: 'consistency_repair' }]);
  expect(decision.rule).toBe('tier 1: HIGH contradiction');
});

describe('D11: a person can be reached', () => {
  test('by dimensions that wait for each other through a configured map (INV-04)', () => {
    const value = healthy();
    value.belief_health.freshness = 0;
    value.belief_health.support = 0;
    const config = {
      ...defaultControlStateConfig,
      recoveryClasses: {
        ...defaultControlStateConfig.recoveryClasses,
        belief_freshness: { action: 'belief_refresh', needs: ['belief_support'] },
      },
    };
    const { controlState, decision } = resolveControlState({ diagnostics: value, contradictions: [], generation: 1 }, config);
    expect(controlState.escalation_reason).toBe('HUMAN_REQUIRED');
    expect(actionGate(controlState).result).toBe('ESCALATE');
    expect(decision.because.some(({ name }) => name === 'blocked in a circle')).toBe(true);
    expect(resolveControlState({ diagnostics: value, contradictions: [], generation: 1 }).controlState.escalation).toBe('NONE');
  });

  test('by a recovery class that got nowhere, named in the notes', () => {
    const { controlState } = resolve(healthy(), {
      escalations: [{ source: 'belief_refresh changed nothing 2 times in a row', dimension: 'belief_freshness' }],
    });
    expect(controlState.escalation).toBe('HUMAN_REQUIRED');
    expect(controlState.notes.join()).toContain('belief_freshness');
  });
});
