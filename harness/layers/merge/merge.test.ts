import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyBeliefDepGraph } from '../belief-graph/state';
import { newTask } from '../planning/revalidate';
import { emptyTaskGraph, type TaskStatus } from '../planning/state';
import { emptyFailureDiagnostics, initialStrategyState } from '../recovery/state';
import { type Belief, emptyWorldModel, type WorldModel } from '../world-model/state';
import { mergeBeliefGraphs, mergeKnowledge } from './knowledge';
import { appended, lastChanged, mergedBy, summed } from './three-way';
import { mergeFailures, mergeStrategies, mergeTaskGraphs } from './work';

const seed = 20_260_101;
const belief = (id: string, parts: Partial<Belief> = {}): Belief => ({
  id,
  statement: id,
  confidence: 1,
  derived_from: ['o'],
  supporting_evidence: [],
  reliability: '',
  recorded_at: '',
  ...parts,
});
const model = (parts: Partial<WorldModel>): WorldModel => ({ ...emptyWorldModel(), ...parts });
const unite = { unite: true };

describe('three ways', () => {
  const items = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.nat(3) }), { selector: ({ id }) => id });
  const keyOf = ({ id }: { id: string }) => id;

  test('a branch that changed nothing undid what another changed, on whichever side it stands', () => {
    fc.assert(
      fc.property(items, items, (base, changed) => {
        const sorted = (list: { id: string }[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
        expect(sorted(mergedBy(base, [changed, base], keyOf))).toEqual(sorted(changed));
        expect(sorted(mergedBy(base, [base, changed], keyOf))).toEqual(sorted(changed));
        expect(lastChanged(base, [changed, base])).toEqual(changed);
        expect(appended(base, [base, base])).toEqual(base);
      }),
      { seed },
    );
  });

  test('two additions of the same entry became one, or a counter forgot a branch', () => {
    expect(
      appended(
        ['x'],
        [
          ['x', 'y'],
          ['x', 'y'],
        ],
      ),
    ).toEqual(['x', 'y', 'y']);
    expect(summed(5, [6, 7])).toBe(8);
  });

  test('of an item that both changed the earlier branch won', () => {
    expect(mergedBy([{ id: 'a', value: 0 }], [[{ id: 'a', value: 1 }], [{ id: 'a', value: 2 }]], keyOf)).toEqual([{ id: 'a', value: 2 }]);
  });
});

describe('world models (R7, D7)', () => {
  test('a confidence that the first branch lowered came back with the untouched copy of the second', () => {
    const base = model({ beliefs: [belief('b')] });
    const lowered = model({ beliefs: [belief('b', { confidence: 0.4 })], generation_id: 3 });
    const other = model({ beliefs: [belief('b'), belief('n')], generation_id: 2 });
    const merged = mergeKnowledge(base, [lowered, other], unite);
    expect(merged.beliefs.map(({ id, confidence }) => [id, confidence])).toEqual([
      ['b', 0.4],
      ['n', 1],
    ]);
    expect(merged.generation_id).toBe(3);
  });

  test('what a branch retired came back, or beliefs of two branches counted as compared with each other', () => {
    const base = model({ beliefs: [belief('b', { compared: true })] });
    const merged = mergeKnowledge(
      base,
      [model({ beliefs: [] }), model({ beliefs: [belief('b', { compared: true }), belief('n', { compared: true })] })],
      unite,
    );
    expect(merged.beliefs).toEqual([belief('n')]);
  });

  test('the log and the flags of one branch were dropped', () => {
    const change = (id: string) => ({ id, description: '', affected_paths: [id], timestamp: '' });
    const merged = mergeKnowledge(
      model({}),
      [
        model({ environment_change_log: [change('l')], stale_flags: { b: true } }),
        model({ environment_change_log: [change('r')], stale_flags: { b: false } }),
      ],
      unite,
    );
    expect(merged.environment_change_log.map(({ id }) => id)).toEqual(['l', 'r']);
    expect(merged.stale_flags).toEqual({ b: true });
  });

  test('an edge that one branch verified was unverified again', () => {
    const edge = { from: 'o', to: 'b', confidence: 0.8, verified: false };
    const graph = (parts: object) => ({ ...emptyBeliefDepGraph(), derived_from_edges: [{ ...edge, ...parts }] });
    const merged = mergeBeliefGraphs(graph({}), [graph({ verified: true, confidence: 1 }), graph({ confidence: 0.7 })]);
    expect(merged).toMatchObject({ derived_from_edges: [{ verified: true, confidence: 1 }], unverified_edge_ratio: 0 });
  });
});

describe('work', () => {
  const graph = (...statuses: TaskStatus[]) => ({
    ...emptyTaskGraph(),
    tasks: statuses.map((status, index) => newTask({ id: `t${index}`, description: '', status, parallel_write_domains: [`d${index}`] })),
    conflict_probability_cache: { 'd0::d1': 0.5 },
  });
  const base = graph('RUNNING', 'RUNNING', 'PENDING');

  test('a task was decided by the branch that did not work on it', () => {
    const left = { currentTask: 't0', taskGraph: graph('COMPLETE', 'PENDING', 'PENDING') };
    const right = { currentTask: 't1', taskGraph: graph('BLOCKED', 'COMPLETE', 'PENDING') };
    expect(mergeTaskGraphs(base, [left, right], 0.9).tasks.map(({ status }) => status)).toEqual(['COMPLETE', 'COMPLETE', 'PENDING']);
  });

  test('a clean merge did not relax the conflict of the pair, a failed one did', () => {
    const pair = (left: TaskStatus) => [
      { currentTask: 't0', taskGraph: graph(left, 'RUNNING', 'PENDING') },
      { currentTask: 't1', taskGraph: graph('RUNNING', 'COMPLETE', 'PENDING') },
    ];
    expect(mergeTaskGraphs(base, pair('COMPLETE'), 0.9).conflict_probability_cache).toEqual({ 'd0::d1': 0.45 });
    expect(mergeTaskGraphs(base, pair('FAILED'), 0.9).conflict_probability_cache).toEqual({ 'd0::d1': 0.5 });
  });

  test('a plan that one branch rebuilt lost the finished task of the other', () => {
    const rebuilt = { currentTask: 't0', taskGraph: { ...emptyTaskGraph(), tasks: [newTask({ id: 'new', description: '' })] } };
    const done = { currentTask: 't1', taskGraph: graph('RUNNING', 'COMPLETE', 'PENDING') };
    expect(mergeTaskGraphs(base, [rebuilt, done], 0.9).tasks.map(({ id, status }) => `${id} ${status}`)).toEqual([
      't1 COMPLETE',
      'new PENDING',
    ]);
  });

  test('two branches made two entries of one iteration, and the second hid the risk of the first', () => {
    const before = { ...initialStrategyState(), completion_history: [0] };
    const push = (count: number, risk: string) => ({
      ...before,
      completion_history: [0, count],
      risk_state_history: [risk],
      switch_count: 1,
    });
    const done = graph('COMPLETE', 'COMPLETE', 'PENDING');
    expect(mergeStrategies(before, [push(1, 'BLOCKED'), push(1, 'NORMAL')], done)).toMatchObject({
      completion_history: [0, 2],
      risk_state_history: ['BLOCKED'],
      switch_count: 2,
    });
  });

  test('failures of two branches had one id', () => {
    const failure = { id: 'failure-1', timestamp: '', failure_class: 'x', description: '', context: {} };
    const one = { ...emptyFailureDiagnostics(), failure_history: [failure] };
    expect(mergeFailures(emptyFailureDiagnostics(), [one, one]).failure_history.map(({ id }) => id)).toEqual(['failure-1', 'failure-2']);
  });
});
