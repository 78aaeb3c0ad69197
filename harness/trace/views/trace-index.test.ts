import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askSchema } from '../../contract/ask';
import { buildLanes, unionLength } from './lanes';
import { spanMs } from './spans';
import { longLog, TestLog } from './test-log';
import { emptyTrace, extendTrace, indexTrace } from './trace-index';

const ask = askSchema.parse({ kind: 'approval', title: 'Send it', choices: [{ id: 'approved', label: 'Approve' }] });

describe('folding a log into an index', () => {
  it('gives the same index for one batch, for pages and for single events (a live view that differs from a reloaded one)', () => {
    const events = longLog(12);
    const whole = indexTrace(events);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        let index = emptyTrace;
        let from = 0;
        for (const size of [...sizes, events.length]) {
          index = extendTrace(index, events.slice(Math.max(0, from - 3), from + size));
          from += size;
        }
        expect(index).toEqual(whole);
      }),
      { seed: 7, numRuns: 40 },
    );
  });

  it('leaves the index it extends untouched (an earlier moment that changes under the reader)', () => {
    const events = longLog(6);
    for (let cut = 1; cut < events.length; cut += 1) {
      const prefix = indexTrace(events.slice(0, cut));
      const copy = structuredClone(prefix);
      extendTrace(prefix, events);
      expect(prefix).toEqual(copy);
    }
  });

  it('refuses a gap and ignores what it has (events lost or doubled by a reconnect)', () => {
    const events = longLog(2);
    const index = indexTrace(events.slice(0, 5));
    expect(extendTrace(index, events.slice(0, 5))).toBe(index);
    expect(() => extendTrace(index, events.slice(6))).toThrowError(/came after event 5/);
  });

  it('never shows a duration below zero when the clock was set back (BR-51)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 4, maxLength: 30 }), (steps) => {
        const log = new TestLog().start();
        steps.forEach((step, i) => {
          log.visitStart(`n${i}`, {}, step);
          if (i % 3 !== 0) log.visitEnd(`n${i}`, { durationMs: Math.max(0, step) }, -step);
        });
        const index = indexTrace(log.events);
        for (const visit of index.visits) {
          expect(spanMs(visit, index.now)).toBeGreaterThanOrEqual(0);
          expect(visit.durationMs ?? 0).toBeGreaterThanOrEqual(0);
        }
        for (const lane of buildLanes(index, { axis: 'time' }).lanes) expect(lane.busyMs).toBeGreaterThanOrEqual(0);
      }),
      { seed: 51, numRuns: 60 },
    );
  });

  it('shows a visit as waiting while it asks, and the run as waiting once nothing else runs', () => {
    const log = new TestLog().start().visitStart('gate').visitStart('other');
    log.add({ kind: 'ask-open', nodeId: 'gate', visit: 'v-gate-1', askId: 'a1', key: 'k', ask, hash: 'h' });
    const both = indexTrace(log.events);
    expect(both.visits.map((visit) => visit.status)).toEqual(['waiting', 'running']);
    expect(both.run.status).toBe('running');
    log.visitEnd('other');
    expect(indexTrace(log.events).run.status).toBe('waiting');
    log.add(
      {
        kind: 'ask-answer',
        nodeId: 'gate',
        visit: 'v-gate-1',
        askId: 'a1',
        key: 'k',
        choice: 'approved',
        answer: { choice: 'approved', by: 'person' },
      },
      500,
    );
    const answered = indexTrace(log.events);
    expect(answered.run.status).toBe('running');
    expect(answered.visits[0]?.waits.map((wait) => spanMs(wait, answered.now))).toEqual([500]);
    expect(answered.asks.get('a1')?.choice).toBe('approved');
  });

  it('ends calls and waits with their visit (a cancelled call that runs for ever in the trace)', () => {
    const log = new TestLog().start().visitStart('a');
    log.add({ kind: 'tool-start', nodeId: 'a', visit: 'v-a-1', key: 'k', tool: 'read_file', effect: 'read', input: {} });
    log.visitEnd('a', { outcome: 'cancelled' }, 40);
    const call = indexTrace(log.events).visits[0]?.calls[0];
    expect(call?.end?.at).toBe(1_040);
    expect(call?.status).toBe('failed');
  });

  it('counts calls of unknown price apart from the cost (a free-looking run that cost money)', () => {
    const log = new TestLog().start().visitStart('a');
    const place = { nodeId: 'a', visit: 'v-a-1' };
    for (const [key, cost] of [
      ['k1', 0.25],
      ['k2', null],
    ] as const) {
      log.add({ kind: 'model-start', ...place, key, role: 'primary', provider: 'p', model: 'm', request: {} });
      log.add({ kind: 'model-end', ...place, key, inputTokens: 3, outputTokens: null, cost, durationMs: 1 });
    }
    expect(indexTrace(log.events).run).toMatchObject({
      cost: 0.25,
      unpricedCalls: 1,
      unreportedCalls: 2,
      inputTokens: 6,
      outputTokens: 0,
      modelCalls: 2,
    });
  });

  it('records the stretch in which no process held the run', () => {
    const log = new TestLog().start().visitStart('a').add({ kind: 'run-resume', reason: 'restart' }, 9_000);
    const index = indexTrace(log.events);
    expect(index.stops.map((stop) => spanMs(stop, index.now))).toEqual([9_000]);
  });
});

describe('lanes', () => {
  it('shows five parallel branches of two seconds as two seconds on five tracks (BR-51: ten seconds)', () => {
    const log = new TestLog().start();
    for (let i = 0; i < 5; i += 1) log.visitStart(`b${i}`, { layer: 'execution' });
    log.at += 2_000;
    for (let i = 0; i < 5; i += 1) log.visitEnd(`b${i}`, { durationMs: 2_000 });
    const [lane, ...rest] = buildLanes(indexTrace(log.events), { axis: 'time' }).lanes;
    expect(rest).toEqual([]);
    expect(lane).toMatchObject({ title: 'Execution', busyMs: 2_000, tracks: 5 });
  });

  it('measures a union the way a marker on a line would', () => {
    const interval = fc
      .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }))
      .map(([from, length]) => ({ from, to: from + length }));
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 12 }), (intervals) => {
        const covered = new Set(intervals.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)));
        expect(unionLength(intervals)).toBe(covered.size);
      }),
      { seed: 3 },
    );
  });

  it('never lets two bars of one track overlap, and keeps layers in layer order', () => {
    const view = buildLanes(indexTrace(longLog(60)), { axis: 'time' });
    expect(view.lanes.map((lane) => lane.title)).toEqual([
      'Evidence',
      'Hypothesis',
      'Contradiction',
      'Diagnostics',
      'Control state',
      'Planning',
      'Execution',
      'Verification',
    ]);
    for (const lane of view.lanes) {
      for (const bar of lane.bars) {
        const clash = lane.bars.some((other) => other !== bar && other.track === bar.track && other.from < bar.to && bar.from < other.to);
        expect(clash).toBe(false);
      }
    }
  });

  it('gathers flow nodes by palette group once there are many, and keeps nodes of a body apart from namesakes outside', () => {
    const log = new TestLog().start();
    for (let i = 0; i < 4; i += 1) log.visitNode(`n${i}`);
    const index = indexTrace(log.events);
    expect(buildLanes(index, { axis: 'order' }).lanes).toHaveLength(4);
    const grouped = buildLanes(index, { axis: 'order', maxNodeLanes: 3, categoryOf: () => ({ id: 'tools', title: 'Tools and data' }) });
    expect(grouped.lanes.map((lane) => [lane.title, lane.bars.length])).toEqual([['Tools and data', 4]]);
  });
});
