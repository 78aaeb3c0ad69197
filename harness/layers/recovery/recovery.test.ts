import { describe, expect, test } from 'vitest';
import { defaultControlStateConfig } from '../control-state/config';
import { runRecoveryActions } from './actions/run';
import { referenceRecoveryConfig } from './config';
import { learnFromJournal } from './experience';
import { recover } from './recover';
import { blockedSample, failedTask, recoverInput } from './recovery.fixtures';
import { emptyRecoveryLog, initialStrategyState, unavailableExperience } from './state';
import { nextStrategy } from './strategies';
import { readDirective } from './supervisor';

const now = '2026-01-01T12:00:00.000Z';

describe('D3: every recovery class changes something or calls a person', () => {
  const classes = Object.entries(defaultControlStateConfig.recoveryClasses).map(([dimension, { action }]) => ({ dimension, action }));

  test.each(classes)('$action for $dimension repairs a state that shows the fault', ({ dimension, action }) => {
    const state = blockedSample();
    const run = runRecoveryActions({
      blockMask: [{ dimension, value: 0.1, recovery_action_class: action }],
      state,
      log: emptyRecoveryLog(),
      now,
      findings: { tools: { linter: { available: true, fallback_tool: null } } },
    });
    expect(run.port).toBe('repaired');
    expect(run.state).not.toEqual(state);
    expect(run.decisions[0]?.outcome).toBe('repaired');
  });

  test.each(classes)(
    '$action for $dimension that finds nothing to do twice in a row names the dimension (bug: the blocked iteration is repeated until the budget is gone)',
    ({ dimension, action }) => {
      let { state } = { state: blockedSample() };
      let log = emptyRecoveryLog();
      const entry = { dimension, value: 0.1, recovery_action_class: action };
      let escalations: { dimension: string }[] = [];
      for (let round = 0; round < 12 && escalations.length === 0; round += 1) {
        const run = runRecoveryActions({ blockMask: [entry], state, log, now });
        ({ state, log, escalations } = run);
      }
      expect(escalations).toMatchObject([{ dimension }]);
    },
  );

  test('a class that does not exist is unchanged, not an error', () => {
    const run = runRecoveryActions({
      blockMask: [{ dimension: 'x', value: 0, recovery_action_class: 'nope' }],
      state: blockedSample(),
      log: emptyRecoveryLog(),
      now,
    });
    expect([run.port, run.log.unchanged['x:nope']]).toEqual(['unchanged', 1]);
  });

  test('a change sets the count back (bug: two unchanged rounds with a repair between them call a person)', () => {
    const entry = { dimension: 'progress_rate', value: 0, recovery_action_class: 'execution_retry' };
    const once = runRecoveryActions({
      blockMask: [entry],
      state: blockedSample(),
      log: { unchanged: { 'progress_rate:execution_retry': 1 }, escalated_dimension: null },
      now,
    });
    expect(once.log.unchanged['progress_rate:execution_retry']).toBe(0);
  });

  test('belief_refresh gives up what changed and asks to read what it cannot see', () => {
    const state = blockedSample();
    const entry = { dimension: 'belief_freshness', value: 0, recovery_action_class: 'belief_refresh' };
    const belief = {
      id: 'file',
      statement: 'file says x',
      confidence: 1,
      derived_from: ['src/a.ts'],
      supporting_evidence: [],
      reliability: '',
      recorded_at: now,
    };
    const worldModel = { ...state.worldModel, beliefs: [belief], stale_flags: { file: true }, contradictions: [] };
    const blind = runRecoveryActions({ blockMask: [entry], state: { ...state, worldModel }, log: emptyRecoveryLog(), now });
    expect([blind.port, blind.wants.belief_refresh]).toEqual(['unchanged', ['src/a.ts']]);
    const same = runRecoveryActions({
      blockMask: [entry],
      state: { ...state, worldModel },
      log: emptyRecoveryLog(),
      now,
      findings: { rereads: { 'src/a.ts': 'same' } },
    });
    expect(same.state.worldModel.stale_flags).toEqual({});
    const changed = runRecoveryActions({
      blockMask: [entry],
      state: { ...state, worldModel },
      log: emptyRecoveryLog(),
      now,
      findings: { rereads: { 'src/a.ts': 'changed' } },
    });
    expect(changed.state.worldModel.beliefs).toEqual([]);
  });
});

describe('D4: a task whose verification failed', () => {
  test('ends FAILED or waits again, never RUNNING', () => {
    const result = recover(recoverInput({ kind: 'verification' }));
    expect(result.taskGraph.tasks.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'FAILED'],
      ['b', 'BLOCKED'],
    ]);
    expect(result.failures.failure_history).toHaveLength(1);
  });

  test('stays RUNNING for ever with the reference parameter', () => {
    expect(recover(recoverInput({ kind: 'verification' }), referenceRecoveryConfig).taskGraph.tasks[0]?.status).toBe('RUNNING');
  });
});

describe('strategies', () => {
  test('a system error is tried once more, and only once (bug: an outage that loops for ever)', () => {
    const first = recover(recoverInput({ kind: 'system_error' }));
    expect([first.port, first.taskGraph.tasks[0]?.status, first.taskGraph.tasks[0]?.retried]).toEqual(['retry', 'PENDING', true]);
    const again = recover(recoverInput({ kind: 'system_error', task: failedTask({ retried: true }) }));
    expect([again.port, again.taskGraph.tasks[0]?.status]).toEqual(['replan', 'FAILED']);
  });

  test('D6: the whole learned order counts, so an earlier strategy can come again (bug: only later ones could be reached)', () => {
    const experience = { available: true, strategy_weights: { 'TRACE_EXEC:A': 3, 'DIRECT_EDIT:A': 2 }, class_priors: {} };
    const state = { ...initialStrategyState(), current_strategy: 'BROADER_SEARCH' as const };
    const own = nextStrategy(state, experience, 'A', { order: [], wholeLearnedOrder: true });
    const reference = nextStrategy(state, experience, 'A', { order: [], wholeLearnedOrder: false });
    expect(own.strategy).toBe('TRACE_EXEC');
    expect(reference.strategy).toBe('REIMPLEMENT');
    expect(
      nextStrategy({ ...state, tried: ['TRACE_EXEC', 'DIRECT_EDIT', 'REIMPLEMENT', 'MINIMAL_FIX'] }, experience, 'A', {
        order: [],
        wholeLearnedOrder: true,
      }).strategy,
    ).toBe('ESCALATE');
  });

  test('everything works the same without an experience store (INV-10)', () => {
    expect(nextStrategy(initialStrategyState(), unavailableExperience(), 'A', { order: [], wholeLearnedOrder: true }).strategy).toBe(
      'TRACE_EXEC',
    );
  });

  test('a stall rebuilds the plan: a task per criterion and up to five that verify beliefs', () => {
    const strategy = { ...initialStrategyState(), completion_history: [0, 0, 0, 0, 0] };
    const beliefs = Array.from({ length: 7 }, (_, index) => ({
      id: `b${index}`,
      statement: `fact ${index}`,
      confidence: 1,
      derived_from: ['o'],
      supporting_evidence: [],
      reliability: '',
      recorded_at: now,
    }));
    const result = recover(recoverInput({ strategy, beliefs, successCriteria: ['one', 'two'] }));
    expect([result.scope, result.stallReason]).toEqual(['GLOBAL', 'completion_velocity']);
    expect(result.taskGraph.tasks.map(({ risk_level, abstraction_level }) => `${risk_level}${abstraction_level}`)).toEqual([
      'MEDIUM1',
      'MEDIUM1',
      'LOW2',
      'LOW2',
      'LOW2',
      'LOW2',
      'LOW2',
    ]);
  });

  test('a confident match jumps to its strategy and the task waits again', () => {
    const input = recoverInput({ kind: 'exhausted' });
    input.failures = {
      ...input.failures,
      matched_pattern: { failure_class: 'SCOPE_CREEP', confidence: 0.7, matched_pattern: 'scope-creep', strategy_affinity: 'MINIMAL_FIX' },
    };
    const result = recover(input);
    expect([result.strategy.current_strategy, result.port]).toEqual(['MINIMAL_FIX', 'retry']);
  });
});

describe('supervisor', () => {
  test('garbage is CONTINUE and the fourth investigation is refused', () => {
    expect(readDirective('do whatever', { gather: 0, ask: 0 }).directive.action).toBe('CONTINUE');
    expect(readDirective({ action: 'GATHER_EVIDENCE', calls: 99 }, { gather: 2, ask: 0 }).directive).toMatchObject({
      action: 'GATHER_EVIDENCE',
      calls: 20,
    });
    expect(readDirective({ action: 'GATHER_EVIDENCE' }, { gather: 3, ask: 0 }).directive.action).toBe('CONTINUE');
    expect(readDirective({ action: 'ASK_USER', question: { question: 'Which?' } }, { gather: 0, ask: 2 }).directive.action).toBe(
      'CONTINUE',
    );
  });
});

test('learning moves the weight of what worked against a class and leaves an unavailable store alone', () => {
  const store = { available: true, strategy_weights: {}, class_priors: {} };
  const journal = [
    { step: 1, action_class: 'DIRECT_EDIT', outcome: 'failed', success: false, failure_class: 'A' },
    { step: 2, action_class: 'TRACE_EXEC', outcome: 'completed', success: true },
  ];
  const learned = learnFromJournal(store, journal);
  expect(learned.strategy_weights['TRACE_EXEC:A']).toBeCloseTo(0.65);
  expect(learned.strategy_weights['DIRECT_EDIT:A']).toBeCloseTo(0.35);
  expect(learnFromJournal(unavailableExperience(), journal)).toEqual(unavailableExperience());
});
