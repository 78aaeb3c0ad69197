import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../contract/json';
import { diagnosticsSchema } from '../../../layers/diagnostics/state';
import { defaultRecoveryConfig, stallConfigSchema } from '../../../layers/recovery/config';
import { defaultFailureLibrary } from '../../../layers/recovery/failure-library';
import { stateAt } from '../state';
import { emptyTrace, extendTrace, indexTrace, type TraceIndex } from '../trace-index';
import { conflictRecords, conflictsAt } from './conflicts';
import { beliefsByEvidence, capsOf, capWords, evidenceArrivals, evidenceOf, filterEvidence } from './evidence';
import { bandOf, gaugePoints, gaugeWords } from './gauges';
import {
  branchesAt,
  emptyLayers,
  extendLayers,
  hasLayers,
  type LayerHistory,
  layerChannels,
  layerValueAt,
  ownBranch,
  pointsOf,
} from './history';
import { LayerLog, layerInitials, layerScenario, longLayerLog } from './layer-log';
import { ladderOf, libraryReading, matchWords, stallReason, stallSignals, strategySwitches } from './recovery';
import { controlReading, controlSegments, segmentAt } from './ribbon';
import { layerSettings } from './settings';
import { sparkY, stepPath } from './spark';
import { layoutTasks } from './task-layout';
import { type TaskReading, taskChanges, tasksOf } from './tasks';
import { checkCommands, verificationEntries } from './verification';
import { entriesOfVisit } from './visit-decisions';

const read = (run: LayerLog): { index: TraceIndex; history: LayerHistory } => {
  const index = indexTrace(run.events);
  return { index, history: extendLayers(emptyLayers(layerInitials), index) };
};
const label = (index: TraceIndex, visit: string | undefined): string => index.visits[index.visitAt.get(visit ?? '') ?? -1]?.nodeId ?? '';

describe('history of the layer channels', () => {
  const { index, history } = read(layerScenario());

  it('gives at every moment what a fold from the beginning gives (bug: a view that is one write behind, or ahead)', () => {
    for (let seq = 1; seq <= index.last; seq += 1) {
      const folded = stateAt(index, seq, layerInitials);
      for (const channel of layerChannels) {
        // the points keep the last write of a visit; in the middle of a visit its first writes may still be missing
        const point = pointsOf(history, ownBranch, channel).find((candidate) => candidate.seq === seq);
        if (point !== undefined) expect(point.value).toEqual(folded[channel]);
      }
    }
    const end = stateAt(index, index.last, layerInitials);
    for (const channel of layerChannels)
      expect(layerValueAt(history, { branch: ownBranch, channel, seq: index.last })).toEqual(end[channel] ?? null);
  });

  it('is the same however the events come in (bug: a write lost between two pages, or taken twice)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        let trace = emptyTrace;
        let pieces = emptyLayers(layerInitials);
        for (let at = 0, i = 0; at < index.events.length; i += 1) {
          const next = at + (sizes[i % sizes.length] ?? 1);
          trace = extendTrace(trace, index.events.slice(at, next));
          pieces = extendLayers(pieces, trace);
          at = next;
        }
        expect(pieces).toEqual(history);
      }),
      { seed: 11, numRuns: 25 },
    );
  });

  it('keeps the list of a channel that nobody wrote since (bug: every gauge drawn again at every event)', () => {
    const cut = index.events.findIndex((event) => event.kind === 'state-patch' && event.channel === 'verification');
    const before = extendLayers(emptyLayers(layerInitials), indexTrace(index.events.slice(0, cut)));
    const after = extendLayers(before, indexTrace(index.events.slice(0, cut + 1)));
    expect(pointsOf(after, ownBranch, 'verification')).not.toBe(pointsOf(before, ownBranch, 'verification'));
    for (const channel of layerChannels) {
      if (channel !== 'verification') expect(pointsOf(after, ownBranch, channel)).toBe(pointsOf(before, ownBranch, channel));
    }
  });

  it('does not change a history it was given (bug: a moment that shows what came later)', () => {
    const first = indexTrace(index.events.slice(0, 60));
    const before = extendLayers(emptyLayers(layerInitials), first);
    const copy = structuredClone(before);
    extendLayers(before, index);
    expect(before).toEqual(copy);
  });

  it('waits before a part that has not come yet and goes on when it has (bug: later changes applied to a hole)', () => {
    const apart = { $payload: 'h', bytes: 9000, preview: '[{"id":"t1"' };
    const tasks = [{ id: 't1', status: 'PENDING' }];
    const run = new LayerLog([]);
    run.log.visitStart('p', {}).patch('p', 'taskGraph', [{ op: 'replace', path: ['tasks'], value: apart }]);
    run.log.visitStart('q', {}).patch('q', 'taskGraph', [{ op: 'replace', path: ['tasks', 0, 'status'], value: 'RUNNING' }]);
    const trace = indexTrace(run.events);
    const known = new Map<string, Json>();
    const resolve = (value: Json): Json | undefined =>
      typeof value === 'object' && value !== null && '$payload' in value ? known.get('h') : value;
    const held = extendLayers(emptyLayers(layerInitials), trace, resolve);
    expect(held.last).toBe(run.events.findIndex((event) => event.kind === 'state-patch' && event.nodeId === 'p'));
    known.set('h', tasks);
    const done = extendLayers(held, trace, resolve);
    expect(tasksOf(layerValueAt(done, { branch: ownBranch, channel: 'taskGraph', seq: trace.last }))).toMatchObject([
      { id: 't1', status: 'RUNNING' },
    ]);
  });

  it('only runs with layers have something to show (bug: a Layers tab over a flow of three model calls)', () => {
    expect(hasLayers(index)).toBe(true);
    const plain = new LayerLog([]).log;
    expect(
      hasLayers(indexTrace(plain.events.filter((event) => event.kind !== 'state-patch').map((event, i) => ({ ...event, seq: i + 1 })))),
    ).toBe(false);
  });
});

describe('branches', () => {
  const run = new LayerLog([
    { id: 'a', description: 'A' },
    { id: 'b', description: 'B' },
  ]);
  run.diagnostics().control().plan();
  run.dispatch('planning', ['b1', 'b2']);
  const opened = run.events.length;
  const before = run.state;
  run.scope = 'b1';
  run.evidence({ id: 'in-b1', obs: 'seen by one', source: 'read_file', evidence_type: 'OBSERVATION' }).move('a', 'COMPLETE');
  const merged = run.state;
  run.state = before;
  run.scope = 'b2';
  run.evidence({ id: 'in-b2', obs: 'seen by the other', source: 'read_file', evidence_type: 'OBSERVATION' });
  run.state = before;
  const walked = run.events.length;
  run.merge(['b1', 'b2'], merged);
  const { index, history } = read(run);
  const evidence = (branch: string, seq: number) =>
    evidenceOf(layerValueAt(history, { branch, channel: 'evidenceStore', seq })).map(({ id }) => id);

  it('sees its own writes and what it began with, not those of its sibling (bug: two tasks done at once look like one)', () => {
    expect(evidence('b1', walked)).toEqual(['in-b1']);
    expect(evidence('b2', walked)).toEqual(['in-b2']);
    expect(pointsOf(history, 'b2', 'diagnostics')).toEqual(pointsOf(history, ownBranch, 'diagnostics'));
  });

  it('leaves the run itself as it was until it is taken in (bug: state of a branch that was lost shown as the run’s)', () => {
    expect(evidence(ownBranch, walked)).toEqual([]);
    expect(evidence(ownBranch, index.last)).toEqual(['in-b1']);
    const tasks = (seq: number) =>
      tasksOf(layerValueAt(history, { branch: ownBranch, channel: 'taskGraph', seq })).find(({ id }) => id === 'a');
    expect(tasks(walked)?.status).toBe('RUNNING');
    expect(tasks(index.last)?.status).toBe('COMPLETE');
  });

  it('keeps the writes of a branch out of the state of the run (bug: list positions of one branch applied to the list of another)', () => {
    for (const seq of [walked, index.last]) {
      const state = stateAt(index, seq, layerInitials);
      for (const channel of layerChannels) expect(state[channel]).toEqual(layerValueAt(history, { branch: ownBranch, channel, seq }));
    }
  });

  it('tells when each was sent out and taken in, the run itself first', () => {
    const found = branchesAt(history, index.last);
    expect(found.map(({ id, position, opened: from }) => [id, position, from])).toEqual([
      [ownBranch, 0, 0],
      ['b1', 0, opened],
      ['b2', 1, opened],
    ]);
    expect(found.slice(1).every(({ closed }) => closed !== null && closed > walked)).toBe(true);
    expect(branchesAt(history, opened - 1).map(({ id }) => id)).toEqual([ownBranch]);
  });
});

describe('gauges', () => {
  it('shows inverted dimensions as health (bug: ten failures drawn as a full bar)', () => {
    const value = diagnosticsSchema.parse({ execution_health: { failure_recurrence: 0.9, oscillation_score: 0.25 } });
    const [point] = gaugePoints([{ seq: 1, at: 1, visit: 'v', value }]);
    expect(point?.health.failure_recurrence).toBeCloseTo(0.1);
    expect(point?.health.oscillation_score).toBeCloseTo(0.75);
  });

  it('draws its bands as the resolver compares: at a threshold is on the better side (bug: a value at 0.2 shown as blocking)', () => {
    const lines = { critical: 0.2, caution: 0.4 };
    expect([0.19999, 0.2, 0.39999, 0.4, 1].map((value) => bandOf(value, lines))).toEqual([
      'critical',
      'caution',
      'caution',
      'well',
      'well',
    ]);
    expect(gaugeWords(0.192, lines)).toBe('0.008 below critical 0.2: blocks');
    expect(gaugeWords(0.25, lines)).toBe('0.15 below caution 0.4, 0.05 clear of critical 0.2');
    expect(gaugeWords(0.4, lines)).toBe('exactly at caution 0.4');
  });

  it('goes by the thresholds of the flow that ran (bug: the lines of the specification over a flow that set others)', () => {
    expect(layerSettings([{ type: 'control-state', config: { critical: 0.1, caution: '{{ broken }}', other: 1 } }])).toMatchObject({
      critical: 0.1,
      caution: 0.4,
    });
    expect(layerSettings([{ type: 'recovery', config: { stall: { recurrence: 7 } } }]).recovery.stall).toMatchObject({
      recurrence: 7,
      completionWindow: 5,
    });
    expect(layerSettings([])).toMatchObject({ critical: 0.2, caution: 0.4 });
  });

  it('keeps a dip of one visit in a line of ten thousand points, in a path that stays short (bug: a block nobody can see)', () => {
    const box = { from: 1, to: 10_000, width: 200, height: 40 };
    const points = Array.from({ length: 10_000 }, (_, i) => ({ seq: i + 1, value: i === 6_543 ? 0.05 : 0.8 }));
    const path = stepPath(points, box);
    expect(path).toContain(`V${sparkY(0.05, box)}`);
    expect(path.length).toBeLessThan(4_000);
    expect(stepPath([], box)).toBe('');
  });
});

describe('control state', () => {
  const { index, history } = read(layerScenario());
  const points = pointsOf(history, ownBranch, 'controlState');
  const segments = controlSegments(points, index.last);

  it('is one segment per stretch, decided by the visit that changed it, without gaps (bug: a block that begins a visit late)', () => {
    const words = segments.map(({ word }) => word);
    expect(words).toContain('BLOCKED');
    expect(words).toContain('HUMAN');
    for (const [i, segment] of segments.entries()) {
      expect(segments[i + 1]?.word).not.toBe(segment.word);
      expect(segment.to).toBe(segments[i + 1]?.from ?? index.last);
      expect(label(index, segment.visit)).toBe('control_state');
      expect(segmentAt(segments, segment.from)).toBe(segment);
    }
    expect(segmentAt(segments, (segments[0]?.from ?? 1) - 1)).toBeUndefined();
  });

  it('says which dimension blocks, its value and what is to repair it (bug: "blocked" without a reason)', () => {
    const blocked = segments.find(({ word }) => word === 'BLOCKED');
    const reading = controlReading(points.find(({ seq }) => seq === blocked?.from)?.value ?? null);
    expect(reading?.mask.length).toBeGreaterThan(0);
    expect(reading?.mask.every(({ value, action }) => value < 0.2 && action !== '')).toBe(true);
    expect(entriesOfVisit(index, blocked?.visit)[0]?.decision.outcome).toMatch(/^DENY/);
  });

  it('calls a person before it calls it blocked (bug: HUMAN_REQUIRED shown as one more block)', () => {
    expect(controlReading({ permission: 'DENY', execution_mode: 'RECOVERY', escalation: 'HUMAN_REQUIRED' })?.word).toBe('HUMAN');
    expect(controlReading({ permission: 'DENY', execution_mode: 'RECOVERY', escalation: 'SYSTEM_BREAKING' })?.word).toBe('BLOCKED');
    expect(controlReading(null)).toBeNull();
  });
});

describe('contradictions', () => {
  const { index, history } = read(layerScenario());
  const records = conflictRecords(pointsOf(history, ownBranch, 'worldModel'));
  const [conflict] = records;

  it('is a pair with statements, and the confidence of both before and after (bug: only the lowered number is left)', () => {
    expect(records).toHaveLength(1);
    expect(conflict?.beliefs.map(({ id, statement, before }) => [id, statement, before])).toEqual([
      ['e1', 'The cache is enabled', 1],
      ['e2', 'The cache is not enabled', 0.5],
    ]);
    for (const belief of conflict?.beliefs ?? []) expect(label(index, belief.applied?.visit)).toBe('contradiction');
    expect(conflict?.beliefs.map(({ after }) => after)).toEqual(conflict?.severity === 'HIGH' ? [1, 0.5] : [0.75, 0.375]);
  });

  it('says who settled it and which belief was given up, and only from then on (bug: a past moment that knows the end)', () => {
    expect(label(index, conflict?.settled?.visit)).toBe('recovery_action');
    expect(conflict?.beliefs.map(({ retired }) => retired !== null)).toEqual([false, true]);
    const early = conflictsAt(records, conflict?.found.seq ?? 0);
    expect(early[0]?.settled).toBeNull();
    expect(early[0]?.beliefs.every(({ retired }) => retired === null)).toBe(true);
    expect(conflictsAt(records, (conflict?.found.seq ?? 1) - 1)).toEqual([]);
  });

  it('counts a conflict that comes back as a second one (bug: "settled" beside a conflict that stands)', () => {
    const model = (ids: string[]): Json => ({ beliefs: [], contradictions: ids.map((id) => ({ id, involved_belief_ids: [] })) });
    const at = (seq: number, ids: string[]) => ({ seq, at: seq, visit: `v${seq}`, value: model(ids) });
    const found = conflictRecords([at(1, ['c']), at(2, []), at(3, ['c'])]);
    expect(found.map(({ found: from, settled }) => [from.seq, settled?.seq ?? null])).toEqual([
      [1, 2],
      [3, null],
    ]);
  });

  it('says when several conflicts of one visit touched a belief (bug: 0.5 → 0.28 ascribed to a single LOW conflict)', () => {
    const belief = (confidence: number, applied: string[]): Json => ({
      id: 'b',
      statement: 'B',
      confidence,
      applied_contradiction_ids: applied,
    });
    const both = ['c1', 'c2'].map((id): Json => ({ id, involved_belief_ids: ['b'] }));
    const found = conflictRecords([
      { seq: 1, at: 1, visit: 'v1', value: { beliefs: [belief(0.5, [])], contradictions: [] } },
      { seq: 2, at: 2, visit: 'v2', value: { beliefs: [belief(0.28, ['c1', 'c2'])], contradictions: both } },
    ]);
    expect(found.map(({ beliefs }) => [beliefs[0]?.before, beliefs[0]?.after, beliefs[0]?.others])).toEqual([
      [0.5, 0.28, 1],
      [0.5, 0.28, 1],
    ]);
  });
});

describe('tasks', () => {
  const { index, history } = read(layerScenario());
  const changes = taskChanges(pointsOf(history, ownBranch, 'taskGraph'));

  it('tells trying again, being sent back and being reopened apart, each by its visit (bug: four reasons to be pending, one word)', () => {
    const moves = (changes.get('t2') ?? []).map(({ move, visit }) => [move, label(index, visit)]);
    expect(moves).toContainEqual(['requeued', 'recovery']);
    expect(moves).toContainEqual(['sent back', 'action_gate']);
    expect(moves).toContainEqual(['reopened', 'reviewer_pass']);
    expect(moves[0]).toEqual(['added', 'initialize_run']);
  });

  const task = (id: string, ...dependsOn: string[]): TaskReading => ({
    id,
    description: id,
    status: 'PENDING',
    risk: 'LOW',
    dependsOn,
    blockedBy: '',
    blockReason: '',
    retried: false,
  });
  const graphs = fc
    .array(fc.array(fc.nat(30), { maxLength: 3 }), { minLength: 1, maxLength: 40 })
    .map((needs) => needs.map((list, i) => task(`t${i}`, ...new Set(list.filter((need) => need < i).map((need) => `t${need}`)))));

  it('places every task once, on a place of its own, right of everything it depends on (bug: cards over each other, arrows backwards)', () => {
    fc.assert(
      fc.property(graphs, fc.integer({ min: 1, max: 15 }), (tasks, maxRows) => {
        const { nodes, edges, columns, rows } = layoutTasks(tasks, maxRows);
        expect(new Set(nodes.map((node) => node.task.id)).size).toBe(tasks.length);
        expect(new Set(nodes.map(({ column, row }) => `${column},${row}`)).size).toBe(tasks.length);
        const column = new Map(nodes.map((node) => [node.task.id, node.column]));
        for (const { from, to } of edges) expect(column.get(from) ?? 0).toBeLessThan(column.get(to) ?? 0);
        expect(nodes.every((node) => node.column < columns && node.row < rows && node.row < maxRows)).toBe(true);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('still draws what waits in a circle or for nobody, and says so (bug: an endless loop, or tasks that vanish)', () => {
    const layout = layoutTasks([task('a', 'c'), task('b', 'a'), task('c', 'b'), task('d', 'gone'), task('e')]);
    expect(layout.nodes).toHaveLength(5);
    expect([...layout.circular].sort()).toEqual(['a', 'b', 'c']);
    expect([...layout.unknown]).toEqual([['d', ['gone']]]);
  });

  it('makes a block of two hundred independent tasks (bug: a tower of two hundred rows)', () => {
    const { columns, rows } = layoutTasks(Array.from({ length: 200 }, (_, i) => task(`t${i}`)));
    expect(rows).toBeLessThanOrEqual(12);
    expect(columns * rows).toBeLessThan(220);
  });
});

describe('evidence', () => {
  const { index, history } = read(layerScenario());
  const items = evidenceOf(layerValueAt(history, { branch: ownBranch, channel: 'evidenceStore', seq: index.last }));
  const caps = capsOf(index.decisions);

  it('shows what a ceiling took (bug: MEDIUM without a word of the HIGH it came with)', () => {
    const cap = caps.get('s1');
    expect(cap === undefined ? '' : capWords(cap)).toBe('HIGH → MEDIUM, ceiling of web_search');
    expect(caps.has('exec-t1-1')).toBe(false);
    expect(filterEvidence(items, { text: '', onlyCapped: caps }).map(({ id }) => id)).toEqual(['e2', 's1']);
    expect(filterEvidence(items, { text: 'FORUM web', onlyCapped: null }).map(({ id }) => id)).toEqual(['s1']);
  });

  it('names the visit that brought it and the beliefs that rest on it (bug: a belief that hangs in the air)', () => {
    const arrivals = evidenceArrivals(pointsOf(history, ownBranch, 'evidenceStore'));
    expect(items.every(({ id }) => label(index, arrivals.get(id)?.visit) === 'evidence')).toBe(true);
    const model = layerValueAt(history, { branch: ownBranch, channel: 'worldModel', seq: index.last });
    expect(
      beliefsByEvidence(model)
        .get('e1')
        ?.map(({ id }) => id),
    ).toEqual(['e1']);
    // e2 was given up with its conflict
    expect(beliefsByEvidence(model).get('e2')).toBeUndefined();
  });
});

describe('recovery', () => {
  const { index, history } = read(layerScenario());
  const value = (channel: 'strategyState' | 'failureDiagnostics', seq = index.last) =>
    layerValueAt(history, { branch: ownBranch, channel, seq });

  it('shows the rung, what was tried and what set each switch off (bug: a ladder without a place on it)', () => {
    const { rungs } = ladderOf(value('strategyState'), defaultRecoveryConfig);
    expect(rungs.map(({ strategy, state }) => `${strategy} ${state}`).slice(0, 3)).toEqual([
      'DIRECT_EDIT tried',
      'TRACE_EXEC current',
      'BROADER_SEARCH open',
    ]);
    expect(strategySwitches(pointsOf(history, ownBranch, 'strategyState'))).toMatchObject([
      { from: 'DIRECT_EDIT', to: 'TRACE_EXEC', trigger: 'task_failed: t2' },
    ]);
    const learned = ladderOf({ order: ['REIMPLEMENT', 'DIRECT_EDIT'], current_strategy: 'MINIMAL_FIX', tried: [] }, defaultRecoveryConfig);
    expect(learned).toMatchObject({
      learned: true,
      rungs: [{ strategy: 'REIMPLEMENT' }, { strategy: 'DIRECT_EDIT' }, { strategy: 'MINIMAL_FIX', state: 'current' }],
    });
  });

  it('fires a signal exactly when the stall rule does, for any numbers and any settings (bug: a gauge at 5 of 5 while nothing happens)', () => {
    const classes = fc.constantFrom('unknown', 'timeout');
    const settings = fc.record({
      completionWindow: fc.nat(6),
      maxSwitches: fc.nat(4),
      recurrence: fc.nat(4),
      oscillationWindow: fc.nat(6),
      crossings: fc.nat(3),
    });
    fc.assert(
      fc.property(
        fc.record({
          completion_history: fc.array(fc.nat(2), { maxLength: 8 }),
          switch_count: fc.nat(6),
          risk_state_history: fc.array(fc.constantFrom('NORMAL', 'CAUTIOUS', 'BLOCKED'), { maxLength: 8 }),
        }),
        fc.array(classes, { maxLength: 6 }),
        settings,
        (strategy, failures, numbers) => {
          const config = stallConfigSchema.parse(numbers);
          const diagnostics = { failure_history: failures.map((failure_class) => ({ failure_class })) };
          const first = stallSignals(strategy, diagnostics, config).find(({ fired }) => fired);
          expect(first?.reason ?? '').toBe(stallReason(strategy, diagnostics, config));
        },
      ),
      { seed: 3, numRuns: 500 },
    );
  });

  it('marks the symptoms that were observed and shows how the confidence came about (bug: 0.111 out of nowhere)', () => {
    const pattern = defaultFailureLibrary.find(({ id }) => id === 'tool-unavailable-cascade');
    const observed = ['connection refused by host', 'all fine', 'request timed out'];
    const diagnostics = {
      failure_mode_library: { entries: [pattern ?? null] },
      matched_pattern: { matched_pattern: pattern?.id ?? '', failure_class: 'X', confidence: 2 / 6, strategy_affinity: 'REIMPLEMENT' },
    };
    const library = libraryReading(diagnostics, observed);
    const [entry] = library.patterns;
    expect(entry?.symptoms.filter((symptom) => symptom.observed).map(({ text }) => text)).toEqual(['connection refused', 'timed out']);
    if (entry === undefined || library.match === null) throw new Error('no match was read');
    expect(matchWords(entry, library.match, library.observed, 0.7)).toBe(
      '2 of 6 symptoms in 3 observations: 2 / 6 = 0.333, 0.367 short of 0.7 from which its strategy is taken',
    );
    expect(libraryReading({}, [])).toEqual({ patterns: [], match: null, failures: [], observed: 0 });
  });
});

describe('verification', () => {
  const { index, history } = read(layerScenario());
  const entries = verificationEntries(pointsOf(history, ownBranch, 'verification'));

  it('always has nine checks; a skipped one is not verified (bug: SKIPPED counted as a pass)', () => {
    expect(entries.length).toBeGreaterThanOrEqual(3);
    for (const { reading } of entries) {
      expect(reading.checks).toHaveLength(9);
      expect(reading.verified + reading.failed + reading.unverified).toBe(9);
      expect(reading.checks.find(({ name }) => name === 'goal_correctness')?.status).toBe('not verified');
    }
    expect(verificationEntries([{ seq: 1, at: 1, visit: 'v', value: null }])).toEqual([]);
  });

  it('ties the command, its exit code, counts and output to the check it was run for (bug: FAIL without the output that shows why)', () => {
    const failed = entries.find(({ reading }) => reading.checks.some(({ name, status }) => name === 'unit' && status === 'FAIL'));
    const commands = checkCommands(index, index.visits[index.visitAt.get(failed?.visit ?? '') ?? -1]);
    expect(commands.get('unit')).toMatchObject({ command: 'node --test', exitCode: 1, counts: { passed: 2, failed: 1 }, durationMs: 412 });
    expect(String(commands.get('unit')?.output)).toContain('not ok 2');
    expect(checkCommands(index, undefined).size).toBe(0);
  });
});

describe('a long run', () => {
  it('folds what is new and nothing else (bug: every frame of a long run folds it from its beginning)', () => {
    const run = longLayerLog(120);
    const index = indexTrace(run.events);
    const cut = index.last - 40;
    const before = extendLayers(emptyLayers(layerInitials), indexTrace(index.events.slice(0, cut)));
    let resolved = 0;
    const count = (value: Json): Json => {
      resolved += 1;
      return value;
    };
    const after = extendLayers(before, index, count);
    const fresh = index.patches.filter(({ seq, channel }) => seq > cut && layerChannels.some((name) => name === channel));
    expect(resolved).toBe(fresh.flatMap(({ patches }) => patches.filter(({ value }) => value !== undefined)).length);
    expect(extendLayers(after, index, count)).toBe(after);
  });
});
