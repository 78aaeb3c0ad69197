import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisionSchema } from '../../contract/decision';
import type { Json } from '../../contract/json';
import { compareRuns } from './compare';
import { decisionBrief, decisionLine, distanceWords, sideWords } from './decision-words';
import { decisionFacets, filterDecisions } from './decisions';
import { outcomeWords } from './outcome-words';
import { channelOrigin, errorOrigin, receivedBy, resultOrigin, senderOf, sendersOf } from './provenance';
import { rowsAround, spanRows, visitRowId } from './span-tree';
import { applyChannelPatches, changedChannels, previousWriteMoment, stateAt, valueChanges } from './state';
import { longLog, TestLog } from './test-log';
import { indexTrace, visitOf } from './trace-index';

const title = (id: string): string => `“${id}”`;

describe('state at a moment', () => {
  const log = new TestLog()
    .start({ channels: { facts: ['known'] } })
    .visitStart('a')
    .patch('a', 'facts', [{ op: 'add', path: [1], value: 'new' }])
    .patch('a', 'mode', [{ op: 'replace', path: [], value: 'CAUTIOUS' }])
    .visitEnd('a')
    .visitStart('b')
    .patch('b', 'facts', [{ op: 'remove', path: [0] }])
    .visitEnd('b');
  const index = indexTrace(log.events);

  it('rebuilds every channel at any seq and changes nothing it was given', () => {
    expect(stateAt(index, 2)).toEqual({ facts: ['known'] });
    expect(stateAt(index, 4)).toEqual({ facts: ['known', 'new'], mode: 'CAUTIOUS' });
    expect(stateAt(index, 7)).toEqual({ facts: ['new'], mode: 'CAUTIOUS' });
    expect(index.run.start?.channels).toEqual({ facts: ['known'] });
  });

  it('begins a channel of unknown first value as what its first patch fits (a crash on the first append)', () => {
    const list = new TestLog()
      .start()
      .visitStart('a')
      .patch('a', 'list', [{ op: 'add', path: [0], value: 1 }]);
    expect(stateAt(indexTrace(list.events), 3)).toEqual({ list: [1] });
    const object = new TestLog()
      .start()
      .visitStart('a')
      .patch('a', 'map', [{ op: 'add', path: ['k'], value: 1 }]);
    expect(stateAt(indexTrace(object.events), 3)).toEqual({ map: { k: 1 } });
  });

  it('is the same fold from the start or continued from any earlier moment', () => {
    const long = indexTrace(longLog(20));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: long.last }), fc.integer({ min: 0, max: long.last }), (x, y) => {
        const [early, late] = [Math.min(x, y), Math.max(x, y)];
        const between = long.patches.filter((patch) => patch.seq > early && patch.seq <= late);
        expect(applyChannelPatches(stateAt(long, early), between)).toEqual(stateAt(long, late));
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  it('says what changed, and when the last writing visit began to write', () => {
    expect(changedChannels(stateAt(index, 4), stateAt(index, 8)).map((change) => change.channel)).toEqual(['facts']);
    expect(previousWriteMoment(index, 5)).toBe(2);
    expect(previousWriteMoment(index, 8)).toBe(6);
    expect(previousWriteMoment(index, 1)).toBe(0);
  });

  it('finds exactly the leaves that differ (a change lost between two moments)', () => {
    const value = fc.jsonValue({ maxDepth: 3 }).map((json) => JSON.parse(JSON.stringify(json)) as Json /* JSON text of a JSON value */);
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(valueChanges(a, a)).toEqual([]);
        expect(valueChanges(a, b).length === 0).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
      { seed: 5 },
    );
    expect(valueChanges({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3, 4] })).toEqual([
      { path: ['b', 1], kind: 'changed', before: 2, after: 3 },
      { path: ['b', 2], kind: 'added', after: 4 },
    ]);
  });
});

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
};

describe('decisions in words', () => {
  const deny = decisionSchema.parse({
    rule: 'tier 2',
    outcome: 'DENY',
    because: [{ name: 'symptom_coverage', value: 0.192, operator: '<', threshold: 0.2, holds: true }],
    alternatives: [{ outcome: 'CAUTIOUS', needs: 'symptom_coverage ≥ 0.2' }],
  });

  it('writes the rule, its numbers and the outcome on one line', () => {
    expect(decisionLine(deny)).toBe('tier 2: symptom_coverage 0.192 < 0.2 → DENY');
  });

  it('says how far the other outcome was, without floating-point dust', () => {
    expect(distanceWords(deny)).toBe('0.008 short of CAUTIOUS');
    expect(
      distanceWords({
        ...deny,
        because: [{ name: 'symptom_coverage', value: 0.45, operator: '>=', threshold: 0.4 }],
        alternatives: [{ outcome: 'CAUTIOUS', needs: 'symptom_coverage below 0.4' }],
      }),
    ).toBe('0.05 clear of CAUTIOUS');
    expect(distanceWords({ ...deny, alternatives: [] })).toBe('0.008 short of the threshold 0.2');
    expect(distanceWords({ ...deny, because: [{ name: 'route', value: 'billing' }] })).toBeNull();
  });

  it('names the outcome of the nearest line, not that of a further one (bug: "0.05 clear of DENY" for 0.45 against 0.2 and 0.4)', () => {
    const lines = [0.2, 0.4].map((threshold) => ({ name: 'coverage', value: 0.45, operator: '<' as const, threshold, holds: false }));
    const far = { outcome: 'DENY', needs: 'coverage down by more than 0.25' };
    expect(distanceWords({ ...deny, because: lines, alternatives: [far] })).toBe('0.05 clear of the threshold 0.4');
    const two = [{ outcome: 'CAUTIOUS', needs: 'coverage down by more than 0.05' }, far];
    expect(distanceWords({ ...deny, because: lines, alternatives: two })).toBe('0.05 clear of CAUTIOUS');
  });

  it('names a value once where it is held against two lines, and briefly only what held (bug: five lines to say CAUTIOUS)', () => {
    const support = [0.2, 0.4].map((threshold) => ({ name: 'support', value: 0.5, operator: '<' as const, threshold, holds: false }));
    const elevation = { name: 'elevation', value: 0.0667, operator: '>' as const, threshold: 0.05, holds: true };
    const cautious = { ...deny, rule: 'tier 4', outcome: 'CAUTIOUS', because: [...support, elevation] };
    expect(decisionLine(cautious)).toBe('tier 4: support 0.5, not < 0.2, not < 0.4, elevation 0.0667 > 0.05 → CAUTIOUS');
    const needs = [{ outcome: 'NORMAL', needs: 'elevation down by 0.0167' }];
    expect(decisionBrief({ ...cautious, alternatives: needs })).toBe(
      'tier 4: elevation 0.0667 > 0.05 → CAUTIOUS · NORMAL needs elevation down by 0.0167',
    );
    expect(decisionBrief({ ...deny, rule: 'tier 2: symptom_coverage 0.192 < 0.2' })).toBe(
      'tier 2: symptom_coverage 0.192 < 0.2 → DENY · CAUTIOUS needs symptom_coverage ≥ 0.2',
    );
  });

  it('says on which side of its threshold a value stands (bug: a bare distance that reads the same either way)', () => {
    expect(sideWords({ name: 'a', value: 0.192, operator: '<', threshold: 0.2 })).toBe('0.008 below');
    expect(sideWords({ name: 'a', value: 3, operator: '>', threshold: 1 })).toBe('2 above');
    expect(sideWords({ name: 'a', value: 1, operator: '>=', threshold: 1 })).toBe('at it');
    expect(sideWords({ name: 'a', value: 'x', operator: '==', threshold: 'y' })).toBeNull();
  });

  it('speaks of the reason nearest to tipping over', () => {
    const two = { ...deny, because: [{ name: 'far', value: 0.9, operator: '>' as const, threshold: 0.1 }, ...deny.because] };
    expect(distanceWords(two)).toBe('0.008 short of CAUTIOUS');
  });

  it('filters by layer, node, outcome and every word of the text together', () => {
    const entries = indexTrace(longLog(40)).decisions;
    expect(filterDecisions(entries, {})).toHaveLength(40);
    const narrowed = filterDecisions(entries, { layers: ['evidence'], outcomes: ['DENY'], text: 'tier COVERAGE' });
    expect(narrowed.length).toBeGreaterThan(0);
    expect(narrowed.every((entry) => entry.layer === 'evidence' && entry.decision.outcome === 'DENY')).toBe(true);
    expect(filterDecisions(entries, { text: 'tier nowhere' })).toEqual([]);
    expect(decisionFacets(entries).outcomes.reduce((sum, facet) => sum + facet.count, 0)).toBe(40);
  });
});

describe('where a value came from', () => {
  const log = new TestLog()
    .start({ input: 'question' })
    .visitNode('a', { edges: ['ab', 'ac'], output: 'from a' })
    .visitStart('b', { via: 'ab' })
    .patch('b', 'facts', [{ op: 'add', path: [0], value: { text: 'x' } }])
    .visitEnd('b', { edges: ['bj'], output: 'from b' })
    .visitNode('c', { via: 'ac', edges: ['cj'], output: 'from c' })
    .visitStart('j', { via: 'cj', joined: ['v-b-1', 'v-c-1'] })
    .visitEnd('j', { edges: ['jo'], output: 'both' })
    .visitNode('out', { via: 'jo', output: 'done' })
    .end({ output: 'done', outputs: { out: 'done' } });
  const index = indexTrace(log.events);
  const visit = (id: string) => {
    const found = visitOf(index, id);
    if (found === undefined) throw new Error(`no visit ${id}`);
    return found;
  };

  it('follows a token to its sender, a join to all of its branches, and a start to the run input', () => {
    expect(senderOf(index, visit('v-c-1'))?.id).toBe('v-a-1');
    expect(sendersOf(index, visit('v-j-1')).map((sender) => sender.id)).toEqual(['v-b-1', 'v-c-1']);
    expect(receivedBy(index, visit('v-j-1'))).toEqual({ b: 'from b', c: 'from c' });
    expect(receivedBy(index, visit('v-a-1'))).toBe('question');
    expect(resultOrigin(index)?.nodeId).toBe('out');
  });

  it('finds the write that touched a part of a channel, and none before it was written', () => {
    expect(channelOrigin(index, { channel: 'facts', path: [0, 'text'], seq: index.last })?.visit.nodeId).toBe('b');
    expect(channelOrigin(index, { channel: 'facts', path: [1], seq: index.last })).toBeNull();
    expect(channelOrigin(index, { channel: 'facts', seq: 3 })).toBeNull();
  });

  it('leads from the error of a run into the body it happened in', () => {
    const error = { code: 'TOOL_FAILED', kind: 'operational' as const, message: 'disk full' };
    const failing = new TestLog()
      .start()
      .visitStart('map', { type: 'map' })
      .add({
        kind: 'scopes-open',
        nodeId: 'map',
        visit: 'v-map-1',
        key: 'k',
        scopes: ['s0', 's1'],
        items: ['x', 'y'],
        concurrency: 2,
        onError: 'stop',
      })
      .add({ kind: 'scope-start', scope: 's1', index: 1 })
      .visitStart('inner', { scope: 's1' })
      .visitEnd('inner', { outcome: 'failed', error })
      .visitEnd('map', { outcome: 'failed', error })
      .end({ outcome: 'failed', error });
    const failed = indexTrace(failing.events);
    const origin = errorOrigin(failed);
    expect(origin?.nodeId).toBe('inner');
    expect(origin === null ? null : receivedBy(failed, origin)).toBe('y');
    expect(rowsAround(failed, 'v-inner-1')).toEqual(['run', 'scope:s1', visitRowId('v-map-1')]);
    expect(spanRows(failed, () => true).map((row) => [row.depth, row.kind])).toEqual([
      [0, 'run'],
      [1, 'visit'],
      [2, 'scope'],
      [2, 'scope'],
      [3, 'visit'],
    ]);
  });
});

describe('two runs side by side', () => {
  const run = (decided: string, extra: boolean, output: string) => {
    const log = new TestLog().start().visitStart('gate');
    log.decision('gate', { rule: 'r', outcome: decided, because: [] }).visitEnd('gate', { ports: [decided], edges: ['e'] });
    if (extra) log.visitNode('more', { via: 'e' });
    return indexTrace(log.visitNode('out', { output }).end({ output, outputs: { out: output } }).events);
  };

  it('finds no difference between a run and itself', () => {
    const index = indexTrace(longLog(30));
    const compared = compareRuns(index, index);
    expect(compared.visits.every((pair) => pair.differences.length === 0)).toBe(true);
    expect(compared.decisions.every((pair) => pair.same)).toBe(true);
    expect(compared.visits).toHaveLength(30);
  });

  it('aligns the same visits and names what differs', () => {
    const compared = compareRuns(run('pass', false, 'x'), run('fail', true, 'y'));
    expect(compared.visits.map((pair) => [pair.a?.nodeId ?? pair.b?.nodeId, pair.differences])).toEqual([
      ['gate', ['port', 'decision']],
      ['more', ['only-b']],
      ['out', ['output']],
    ]);
    expect(compared.outputs).toEqual([{ id: 'out', a: 'x', b: 'y', same: false }]);
    expect(compared.decisions.filter((pair) => !pair.same)).toHaveLength(1);
  });
});

describe('outcomes in words', () => {
  it('speaks of the record where it knows more than the events (an interrupted run that claims to wait for an answer)', () => {
    const index = indexTrace(new TestLog().start().visitStart('a').events);
    expect(outcomeWords(index, title, 'interrupted')).toMatchObject({ title: 'Interrupted', hint: expect.stringContaining('Resume') });
    expect(outcomeWords(index, title, 'succeeded')).toEqual({ title: 'Succeeded', detail: null, hint: null });
  });

  it('names the cap and how to raise it (BR-38), and the outputs never reached (BR-41)', () => {
    const limited = new TestLog().start();
    limited
      .add({ kind: 'limit-reached', cap: 'steps', value: 1001, limit: 1000, message: 'Reached 1000 steps.' })
      .end({ outcome: 'limit' });
    expect(outcomeWords(indexTrace(limited.events), title)).toMatchObject({
      detail: 'Reached 1000 steps.',
      hint: expect.stringContaining('Limits of one run'),
    });
    const incomplete = new TestLog().start().end({ outcome: 'incomplete', unreached: ['answer'] });
    expect(outcomeWords(indexTrace(incomplete.events), title).detail).toBe('Never reached: “answer”.');
  });
});
