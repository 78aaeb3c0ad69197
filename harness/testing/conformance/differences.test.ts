import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../contract/decision';
import { assertInvariants } from '../../layers/invariants';
import { newTask } from '../../layers/planning/revalidate';
import type { Task } from '../../layers/planning/state';
import { parseInstant } from '../../layers/shared/instant';
import { runScenario } from './adapters/runtime';
import type { ScriptedOutcome } from './loop/context';
import { ownSettings, referenceSettings } from './loop/settings';
import { runReferenceLoop } from './reference-loop';

const clock = '2026-01-01T12:00:00.000Z';
const seed = 20_260_105;
const chain = (length: number) =>
  Array.from({ length }, (_, index) => ({ id: `t${index}`, depends_on: index === 0 ? [] : [`t${index - 1}`] }));
const statuses = (outcome: ReturnType<typeof runScenario>['outcome']) =>
  outcome.context?.state.taskGraph.tasks.map(({ status }) => status) ?? [];

describe('D1: a run of successes does not block itself', () => {
  test('the reference blocks a chain of 14 successful tasks after 13', () => {
    const { outcome } = runScenario({ tasks: chain(14), success_criteria: ['only'] }, clock, referenceSettings);
    expect(outcome).toMatchObject({ status: 'halted', reason: 'budget_exhausted' });
    expect(statuses(outcome).filter((status) => status === 'COMPLETE')).toHaveLength(13);
    expect(outcome.context?.state.controlState.block_mask[0]?.dimension).toBe('symptom_coverage');
  });

  test('1,000 successful tasks run to the end', { timeout: 180_000 }, () => {
    const tasks = Array.from({ length: 1000 }, (_, index) => ({ id: `t${index}` }));
    const { outcome } = runScenario({ tasks, success_criteria: ['only'], max_steps: 1100 }, clock, ownSettings);
    expect(outcome.status).toBe('complete');
    expect(new Set(statuses(outcome))).toEqual(new Set(['COMPLETE']));
  });

  test('a chain of 120 with a belief per task runs to the end too (D2 and D12 on)', { timeout: 60_000 }, () => {
    const input = { tasks: chain(120), success_criteria: ['only'], max_steps: 200, signal: { risk_level: 'MEDIUM', task_count: 5 } };
    const { outcome } = runScenario(input, clock, ownSettings);
    expect(outcome.status).toBe('complete');
    expect(outcome.context?.state.beliefDepGraph.derived_from_edges.length).toBe(240);
    expect(outcome.context?.state.beliefDepGraph.unverified_edge_ratio).toBe(0);
  });
});

describe('D3 and D11: a blocked loop', () => {
  const facts = ['the build passed', 'the build failed'];

  test('repairs or calls a person and names the dimension, long before the budget is gone', () => {
    const { outcome } = runScenario({ tasks: chain(20), success_criteria: ['only'], facts }, clock, ownSettings);
    expect(outcome).toMatchObject({ status: 'halted', reason: 'cannot_make_progress', detail: 'belief_consistency' });
    expect(outcome.context?.steps).toBeLessThan(10);
  });

  test('in the reference repeats the blocked iteration until the budget is gone', () => {
    const { outcome } = runScenario({ tasks: chain(20), success_criteria: ['only'], facts }, clock, referenceSettings);
    expect(outcome).toMatchObject({ status: 'halted', reason: 'budget_exhausted' });
  });
});

test('D6: a failed root ends its dependents as BLOCKED, and the rest still runs', () => {
  const tasks = [{ id: 'root' }, { id: 'leaf', depends_on: ['root'] }, { id: 'other' }];
  const { outcome, executions } = runScenario({ tasks, success_criteria: ['only'], fail: { root: 'always' } }, clock, ownSettings);
  expect(statuses(outcome)).toEqual(['FAILED', 'BLOCKED', 'COMPLETE']);
  expect(executions.root).toBe(2);
});

test('D4: a result that fails verification does not leave its task RUNNING', () => {
  const input = { success_criteria: ['a'], outputs: { default: { other: 1 } }, output_contract: { required_sections: ['summary'] } };
  expect(statuses(runScenario(input, clock, ownSettings).outcome)).toEqual(['FAILED']);
  expect(statuses(runScenario(input, clock, referenceSettings).outcome)).toEqual(['RUNNING']);
});

describe('any scripted run', () => {
  const outcomes = fc.constantFrom<ScriptedOutcome>(
    { status: 'ok', output: { completed: true } },
    { status: 'ok', output: null },
    { status: 'failed', message: 'connection refused' },
  );
  const tasks = fc
    .array(
      fc.record({
        needs: fc.array(fc.nat(5), { maxLength: 2 }),
        risk: fc.constantFrom('LOW', 'MEDIUM', 'HIGH'),
        domain: fc.constantFrom('x', 'y', ''),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((specs) =>
      specs.map(
        ({ needs, risk, domain }, index): Task =>
          newTask({
            id: `t${index}`,
            description: `do t${index}`,
            risk_level: risk as Task['risk_level'],
            depends_on: needs.filter((need) => need < index).map((need) => `t${need}`),
            parallel_write_domains: domain === '' ? [] : [domain],
          }),
      ),
    );
  const facts = fc.array(fc.constantFrom('the build passed', 'the build failed', 'the cache is warm'), { maxLength: 2 });

  test.each([
    ['own parameters', ownSettings],
    ['reference parameters', referenceSettings],
  ])(
    'ends, never lowers the generation, keeps finished tasks finished and executes only behind a gate: %s',
    { timeout: 120_000 },
    (_, settings) => {
      fc.assert(
        fc.property(tasks, fc.array(outcomes, { minLength: 1, maxLength: 8 }), facts, (graph, script, stated) => {
          const decisions: Decision[] = [];
          let calls = 0;
          let gates = 0;
          const outcome = runReferenceLoop(
            {
              successCriteria: ['only'],
              maxSteps: 25,
              facts: stated,
              signal: { risk: 'MEDIUM', taskCount: 3 },
              now: parseInstant(clock),
              settings,
              execute: () => {
                calls += 1;
                return script[(calls - 1) % script.length] ?? { status: 'continue' };
              },
              onDecision: (decision) => {
                decisions.push(decision);
                if (decision.rule === 'permission ALLOW') gates += 1;
              },
            },
            { successCriteria: ['only'], tasks: graph },
          );
          expect(outcome.context?.steps).toBeLessThanOrEqual(26);
          // A gate that passes lets at most a pair run (INV-15).
          expect(calls).toBeLessThanOrEqual(gates * 2);
          const state = outcome.context?.state;
          if (state) assertInvariants({ before: {}, after: { worldModel: state.worldModel, diagnostics: state.diagnostics } });
          for (const decision of decisions) expect(decision.outcome).not.toBe('');
        }),
        { seed, numRuns: 60 },
      );
    },
  );
});
