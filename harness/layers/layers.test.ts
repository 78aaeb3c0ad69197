import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askSchema } from '../contract/ask';
import { emptyBeliefDepGraph } from './belief-graph/state';
import { applyCallerUpdate } from './caller-updates/apply';
import { compressMemory } from './context-compression/compress';
import { memoryStateSchema } from './context-compression/state';
import { foldTranscript } from './context-compression/transcript';
import { defaultControlStateConfig } from './control-state/config';
import { dimensionNames, healthOf } from './diagnostics/state';
import { updateDiagnostics } from './diagnostics/update';
import { initialiseRun } from './initialise/initialise';
import { assertGated, assertInvariants, assertPinned } from './invariants';
import { emptyOutputContract } from './output-validation/state';
import { validateOutput } from './output-validation/validate';
import { newTask } from './planning/revalidate';
import { taskStatusSchema } from './planning/state';
import { budgetAsk } from './recovery/blocker';
import { emptyFailureDiagnostics } from './recovery/state';
import { emptyWorldModel } from './world-model/state';

const seed = 20_260_106;
const at = '2026-01-01T12:00:00.000Z';

test('diagnostics lie in [0, 1] for any state, with either way of counting (INV-02)', () => {
  const count = fc.nat(8);
  fc.assert(
    fc.property(
      fc.record({
        beliefs: count,
        stale: fc.nat(12),
        contradictions: fc.nat(20),
        observations: count,
        hypotheses: count,
        failures: fc.nat(20),
        edges: count,
        statuses: fc.array(fc.constantFrom(...taskStatusSchema.options), { maxLength: 8 }),
      }),
      ({ beliefs, stale, contradictions, observations, hypotheses, failures, edges, statuses }) => {
        const list = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
        const { diagnostics } = updateDiagnostics({
          worldModel: {
            ...emptyWorldModel(),
            beliefs: list(beliefs, (index) => ({
              id: `b${index}`,
              statement: 's',
              confidence: 1,
              derived_from: ['o'],
              supporting_evidence: [],
              reliability: ['', 'HIGH', 'odd'][index % 3] ?? '',
              recorded_at: at,
            })),
            stale_flags: Object.fromEntries(list(stale, (index) => [`b${index}`, true])),
            contradictions: list(contradictions, (index) => ({
              id: `c${index}`,
              type: 'pairwise' as const,
              severity: 'LOW' as const,
              scope: 'local' as const,
              description: '',
              involved_belief_ids: [],
            })),
            observations: list(observations, (index) => ({ id: `o${index}`, content: 'c', source: 's', recorded_at: at })),
          },
          hypotheses: list(hypotheses, (index) => ({
            id: `h${index}`,
            explanation: '',
            confidence: 0.5,
            predicted_observations: [],
            discriminating_evidence: [],
            generation_sources: [`s${index % 3}`],
            diversity_score: 0,
          })),
          taskGraph: {
            tasks: statuses.map((status, index) => newTask({ id: `t${index}`, description: 't', status })),
            conflict_probability_cache: {},
            changed: true,
          },
          failures: {
            ...emptyFailureDiagnostics(),
            failure_history: list(failures, (index) => ({
              id: `f${index}`,
              timestamp: at,
              failure_class: 'X',
              description: '',
              context: {},
            })),
          },
          beliefGraph: {
            ...emptyBeliefDepGraph(),
            derived_from_edges: list(edges, () => ({ from: 'a', to: 'b', confidence: 1, verified: false })),
            unverified_edge_ratio: edges === 0 ? 0 : 1,
          },
        });
        for (const name of dimensionNames) {
          expect(healthOf(diagnostics)[name]).toBeGreaterThanOrEqual(0);
          expect(healthOf(diagnostics)[name]).toBeLessThanOrEqual(1);
        }
      },
    ),
    { seed },
  );
});

describe('run-time invariants name their number', () => {
  const model = { ...emptyWorldModel(), generation_id: 3 };
  const belief = { id: 'b', statement: 's', confidence: 1, derived_from: [], supporting_evidence: [], reliability: '', recorded_at: at };

  test('01 derivation, 03 generation, 15 gate, 17 finished tasks', () => {
    expect(() => assertInvariants({ before: { worldModel: model }, after: { worldModel: { ...model, beliefs: [belief] } } })).toThrow(
      /INV-01/,
    );
    expect(() => assertInvariants({ before: { worldModel: model }, after: { worldModel: { ...model, generation_id: 2 } } })).toThrow(
      /INV-03/,
    );
    expect(() => assertGated('t', [{ taskId: 't', result: 'BLOCK' }])).toThrow(/INV-15/);
    const done = { tasks: [newTask({ id: 't', description: '', status: 'COMPLETE' })], conflict_probability_cache: {}, changed: false };
    const undone = { ...done, tasks: [newTask({ id: 't', description: '', status: 'PENDING' })] };
    expect(() => assertInvariants({ before: { taskGraph: done }, after: { taskGraph: undone } })).toThrow(/INV-17/);
    expect(() => assertInvariants({ before: { taskGraph: done }, after: { taskGraph: undone }, mayReopen: true })).not.toThrow();
    const { state } = initialiseRun({ successCriteria: ['x'] });
    expect(() => assertPinned(state.controlState, { ...state.worldModel, generation_id: 9 })).toThrow(/INV-03/);
  });
});

describe('initialise', () => {
  test('a task per criterion, generation 1, an open decomposition gate', () => {
    const { state, decompositionGate } = initialiseRun({ successCriteria: ['a', 'b'] });
    expect(state.taskGraph.tasks.map(({ id, risk_level, abstraction_level }) => [id, risk_level, abstraction_level])).toEqual([
      ['task-0', 'MEDIUM', 1],
      ['task-1', 'MEDIUM', 1],
    ]);
    expect([state.worldModel.generation_id, state.controlState.generation_id, decompositionGate]).toEqual([1, 1, true]);
  });

  test('unknown dependencies and a recovery class that needs itself are refused by name', () => {
    expect(() => initialiseRun({ successCriteria: [], tasks: [{ id: 'a', description: 'a', depends_on: ['zz'] }] })).toThrow(
      /unknown task "zz"/,
    );
    const controlState = {
      ...defaultControlStateConfig,
      recoveryClasses: { belief_support: { action: 'support_augment', needs: ['belief_support'] } },
    };
    expect(() => initialiseRun({ successCriteria: ['a'], controlState })).toThrow(/needs belief_support itself/);
  });
});

describe('what the caller changes under way', () => {
  const start = () => {
    const { state } = initialiseRun({ successCriteria: ['write docs'] });
    return { caller: state.callerState, worldModel: state.worldModel, taskGraph: state.taskGraph, contract: emptyOutputContract() };
  };

  test('new criteria block what is out of scope, add what is missing and grow the generation', () => {
    const { state, port } = applyCallerUpdate(start(), { successCriteria: ['paint walls'], addConstraints: ['required: colour of walls'] });
    expect(port).toBe('changed');
    expect(state.taskGraph.tasks.map(({ status }) => status)).toEqual(['BLOCKED', 'PENDING']);
    expect(state.contract.required_interface_fields).toEqual(['colour']);
    expect(state.worldModel.generation_id).toBe(2);
  });

  test('saying the same again changes nothing (bug: an iteration that restarts for ever)', () => {
    const state = start();
    expect(applyCallerUpdate(state, { successCriteria: ['write docs'] })).toMatchObject({ port: 'next', state });
  });

  test('cancelling blocks what is open', () => {
    const { state, port } = applyCallerUpdate(start(), { cancel: true });
    expect([port, state.taskGraph.tasks[0]?.block_reason]).toEqual(['cancelled', 'goal_cancelled']);
  });
});

describe('keeping within the context', () => {
  test('41 messages fold to the last 10 and one that counts what was lost', () => {
    const messages = Array.from({ length: 41 }, (_, index) => ({ role: 'user', content: `${index} ${'x'.repeat(300)}` }));
    const folded = foldTranscript(messages);
    expect([folded.messages.length, folded.folded]).toEqual([11, 31]);
    expect(folded.lostCharacters).toBeGreaterThan(31 * 100);
    expect(foldTranscript(messages.slice(0, 40)).folded).toBe(0);
    expect(foldTranscript(messages, undefined, 'short').messages[0]?.content).toContain('short');
  });

  test('a nearly used token budget drops all but the newest structures', () => {
    const memory = memoryStateSchema.parse({
      token_budget: { total: 100, used: 90 },
      compressed_structures: Array.from({ length: 14 }, (_, index) => index),
    });
    expect(compressMemory(memory).memory.compressed_structures).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(compressMemory({ ...memory, token_budget: { total: 100, used: 89 } }).memory.compressed_structures).toHaveLength(14);
  });
});

test('a violated constraint names the word that broke it, also inside nested values', () => {
  const result = validateOutput({ body: { list: ['a secret'] } }, emptyOutputContract(), ['never reveal secret data']);
  expect(result.violations).toEqual([
    { dimension: 'caller_specific_constraints', text: '"never reveal secret data" is violated by "secret"' },
  ]);
});

test('a constraint that ends in a full stop forbade nothing', () => {
  const result = validateOutput('Soup, prices from 5', emptyOutputContract(), ['Never mention prices.']);
  expect(result.violations).toMatchObject([{ text: '"Never mention prices." is violated by "prices"' }]);
});

test('the budget question offers to go on, to stop, or to say more', () => {
  expect(askSchema.parse(budgetAsk(50, 50)).choices.map(({ id }) => id)).toEqual(['continue', 'stop', 'clarify']);
});
