import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelDelta, TraceEvent } from '@/harness/trace/events';
import type { StreamItem } from '../api-types';
import { Hub } from './hub';
import { parsePosition, Tab } from './tab';

const event = (runId: string, seq: number): TraceEvent => ({ runId, seq, at: seq, kind: 'log', level: 'info', message: `${seq}` });

/** A log and everything that was ever told of one run. */
const logOf = () => {
  const runs = new Map<string, TraceEvent[]>();
  const append = (runId: string, count: number): TraceEvent[] => {
    const all = runs.get(runId) ?? [];
    const batch = Array.from({ length: count }, (_, index) => event(runId, all.length + index + 1));
    runs.set(runId, [...all, ...batch]);
    return batch;
  };
  const read = (runId: string, after: number, limit: number) => (runs.get(runId) ?? []).slice(after, after + limit);
  return { append, read, runs };
};

const seqs = (items: StreamItem[], runId: string): number[] =>
  items.flatMap((item) => (item.kind === 'events' && item.runId === runId ? item.events.map(({ seq }) => seq) : []));

const upTo = (last: number, after = 0) => Array.from({ length: last - after }, (_, index) => after + index + 1);

describe('what a tab is told', () => {
  it('is every event once and in order, whenever it attaches, however slow it reads, through breaks (a gap or a duplicate at the seam)', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 900 }) }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('break' as const) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 20 }), (steps, attachAt) => {
        const log = logOf();
        let tab = new Tab('tab', log.read);
        let position = '';
        const seen: number[] = [];
        const take = () => {
          seen.push(...seqs(tab.take(), 'r'));
          position = tab.position();
        };
        for (const [index, action] of steps.entries()) {
          if (index === attachAt) tab.watch('r', 0, []);
          if (action.kind === 'append') tab.events('r', log.append('r', action.count));
          else if (action.kind === 'take') take();
          else {
            // what was queued and not taken is lost with the connection
            tab = new Tab('tab', log.read);
            for (const [runId, seq] of parsePosition(`7;${position}`)) tab.watch(runId, seq, []);
            if (index >= attachAt && position === '') tab.watch('r', 0, []);
          }
        }
        if (steps.length <= attachAt) tab.watch('r', 0, []);
        while (tab.pending) take();
        expect(seen).toEqual(upTo(log.runs.get('r')?.length ?? 0));
      }),
      { numRuns: 300 },
    );
  });

  it('joins text that goes on, and keeps apart what does not (garbled streaming)', () => {
    const tab = new Tab('tab', () => []);
    tab.watch('r', 0, []);
    const delta = (start: number, offset: number, text: string): ModelDelta => ({
      runId: 'r',
      kind: 'model-delta',
      start,
      nodeId: 'n',
      visit: 'v',
      offset,
      text,
    });
    tab.delta(delta(3, 0, 'Hel'));
    tab.delta(delta(3, 3, 'lo'));
    tab.delta(delta(9, 0, 'other'));
    tab.delta({ ...delta(3, 5, 'not watched'), runId: 'else' });
    const texts = tab.take().flatMap((item) => (item.kind === 'delta' ? [item.delta.text] : []));
    expect(texts).toEqual(['Hello', 'other']);
  });
});

const collect = async (hub: Hub, tab: string, lastEventId: string | null, stop: (items: StreamItem[]) => boolean) => {
  const controller = new AbortController();
  const items: StreamItem[] = [];
  let id = '';
  for await (const message of hub.open(tab, lastEventId, controller.signal)) {
    items.push(...message.frame);
    id = message.id;
    if (stop(items)) break;
  }
  return { items, id };
};

describe('the hub', () => {
  it('goes on after a break from the id of the last message, also in a new process (events lost over a restart)', async () => {
    const log = logOf();
    const first = new Hub(log.read, (packed) => packed);
    const opened = collect(first, 'tab-12345678', null, (items) => seqs(items, 'r').length >= 3);
    await new Promise((resolve) => setTimeout(resolve, 5));
    first.watch('tab-12345678', 'r', 0);
    first.publish('r', log.append('r', 3));
    const { id } = await opened;
    log.append('r', 2);
    const second = new Hub(log.read, (packed) => packed);
    const resumed = await collect(second, 'tab-12345678', id, (items) => seqs(items, 'r').length >= 2);
    expect(seqs(resumed.items, 'r')).toEqual([4, 5]);
    expect(resumed.items[0]).toEqual({ kind: 'hello', tab: 'tab-12345678' });
  });

  it('sends a late subscriber the text so far, and forgets it when the call has ended (half a reply)', async () => {
    const log = logOf();
    const hub = new Hub(log.read, (packed) => packed);
    const say = (offset: number, text: string) =>
      hub.delta({ runId: 'r', kind: 'model-delta', start: 1, nodeId: 'n', visit: 'v', offset, text });
    log.append('r', 1);
    say(0, 'Once upon ');
    say(10, 'a time');
    const opened = collect(hub, 'tab-late-one', null, (items) => items.some((item) => item.kind === 'delta'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    hub.watch('tab-late-one', 'r', 0);
    const { items } = await opened;
    expect(items.find((item) => item.kind === 'delta')).toMatchObject({ delta: { offset: 0, text: 'Once upon a time' } });
    hub.publish('r', [
      { runId: 'r', seq: 2, at: 2, visit: 'v', kind: 'visit-end', outcome: 'done', ports: [], edges: [], output: null, durationMs: 1 },
    ]);
    const after = collect(hub, 'tab-after', null, (seen) => seqs(seen, 'r').length > 0);
    await new Promise((resolve) => setTimeout(resolve, 5));
    hub.watch('tab-after', 'r', 0);
    expect((await after).items.some((item) => item.kind === 'delta')).toBe(false);
  });

  it('ends every stream when it closes and refuses to watch for a tab without one (a server that cannot stop)', async () => {
    const hub = new Hub(
      () => [],
      (packed) => packed,
    );
    const opened = collect(hub, 'tab-open-end', null, () => false);
    await new Promise((resolve) => setTimeout(resolve, 5));
    hub.close();
    expect((await opened).items).toEqual([{ kind: 'hello', tab: 'tab-open-end' }]);
    expect(hub.tabs).toBe(0);
    expect(() => hub.watch('tab-open-end', 'r', 0)).toThrow('no open stream');
  });
});
