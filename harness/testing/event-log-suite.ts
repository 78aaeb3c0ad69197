import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { toErrorRecord } from '../contract/errors';
import type { Json } from '../contract/json';
import type { EventLog } from '../engine/event-log';
import type { TraceEvent } from '../trace/events';

export interface EventLogUnderTest {
  log: EventLog;
  /** A second log over the same storage, as a restarted process would open it; absent when the storage dies with the process. */
  reopen?: () => EventLog;
  close: () => void;
}

const note = (runId: string, seq: number, message: string): TraceEvent => ({
  runId,
  seq,
  at: 1000 + seq,
  kind: 'log',
  level: 'info',
  message,
});

const effect = (runId: string, seq: number, value: Json): TraceEvent => ({
  runId,
  seq,
  at: 1000 + seq,
  nodeId: 'node "quoted" é',
  visit: 'v1',
  layer: 'flow',
  kind: 'effect-end',
  key: 'k',
  value,
});

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (thrown) {
    return toErrorRecord(thrown).code;
  }
  return 'nothing thrown';
};

/** What every `EventLog` must do (design §9). Call it from a test file with a factory that makes an empty log. */
export function describeEventLog(name: string, make: () => EventLogUnderTest): void {
  describe(`event log: ${name}`, () => {
    const open: EventLogUnderTest[] = [];
    const fresh = (): EventLogUnderTest => {
      const made = make();
      open.push(made);
      return made;
    };
    afterEach(() => {
      for (const made of open.splice(0)) made.close();
    });

    it('gives back what was appended, in order (a lost or reordered event)', async () => {
      const { log } = fresh();
      await log.append('a', [note('a', 1, 'one'), effect('a', 2, { deep: [1, null, 'x'] })]);
      await log.append('a', [note('a', 3, 'three')]);
      expect(await log.read('a')).toEqual([note('a', 1, 'one'), effect('a', 2, { deep: [1, null, 'x'] }), note('a', 3, 'three')]);
      expect(await log.lastSeq('a')).toBe(3);
    });

    it('knows nothing of a run that was never written (an error instead of an empty answer)', async () => {
      const { log } = fresh();
      expect(await log.read('none')).toEqual([]);
      expect(await log.lastSeq('none')).toBe(0);
    });

    it('keeps runs apart (events of one run leaking into another)', async () => {
      const { log } = fresh();
      await log.append('a', [note('a', 1, 'of a')]);
      await log.append('ab', [note('ab', 1, 'of ab'), note('ab', 2, 'of ab')]);
      expect(await log.read('a')).toEqual([note('a', 1, 'of a')]);
      expect(await log.lastSeq('ab')).toBe(2);
    });

    it('reads from after a seq, at most so many (a stream that repeats or skips at the seam)', async () => {
      const { log } = fresh();
      await log.append(
        'a',
        Array.from({ length: 10 }, (_, index) => note('a', index + 1, `n${index + 1}`)),
      );
      expect((await log.read('a', { after: 4, limit: 3 })).map((event) => event.seq)).toEqual([5, 6, 7]);
      expect((await log.read('a', { after: 8 })).map((event) => event.seq)).toEqual([9, 10]);
      expect(await log.read('a', { after: 10 })).toEqual([]);
      expect((await log.read('a', { limit: 2 })).map((event) => event.seq)).toEqual([1, 2]);
    });

    it.each([
      ['a gap', [note('a', 3, 'gap')]],
      ['a repeated seq', [note('a', 1, 'again')]],
      ['a gap inside the batch', [note('a', 2, 'fine'), note('a', 4, 'gap')]],
      ['an event of another run', [note('b', 2, 'foreign')]],
    ])('refuses %s and writes none of the batch (a trace with holes)', async (_name, batch) => {
      const { log } = fresh();
      await log.append('a', [note('a', 1, 'one')]);
      expect(await codeOf(() => log.append('a', batch))).toBe('LOG_SEQUENCE');
      expect(await log.read('a')).toEqual([note('a', 1, 'one')]);
      await log.append('a', [note('a', 2, 'two')]);
      expect(await log.lastSeq('a')).toBe(2);
    });

    it('takes an empty batch as nothing (a transaction left open)', async () => {
      const { log } = fresh();
      await log.append('a', []);
      expect(await log.lastSeq('a')).toBe(0);
      await log.append('a', [note('a', 1, 'one')], { durable: true });
      expect(await log.lastSeq('a')).toBe(1);
    });

    it('is not changed when the caller changes its event afterwards (shared memory)', async () => {
      const { log } = fresh();
      const value = { list: ['kept'] };
      await log.append('a', [effect('a', 1, value)]);
      value.list.push('sneaked in');
      expect(await log.read('a')).toEqual([effect('a', 1, { list: ['kept'] })]);
      const [first] = await log.read('a');
      if (first?.kind === 'effect-end') first.value = 'changed by a reader';
      expect(await log.read('a')).toEqual([effect('a', 1, { list: ['kept'] })]);
    });

    it('puts large values back whole, also the same one twice and text that looks like a reference (lost payloads)', async () => {
      const { log, reopen } = fresh();
      const large = 'wide 文字 '.repeat(5000);
      const events = [
        effect('a', 1, { prompt: large, small: 1 }),
        effect('a', 2, large),
        effect('a', 3, { $payload: 'not-a-hash', nested: { $payload: large, bytes: 1, preview: '' } }),
        effect('a', 4, { $payload: 'small and literal' }),
        effect(
          'a',
          5,
          Array.from({ length: 4000 }, (_, index) => ({ index, text: 'many small ones' })),
        ),
        effect('a', 6, JSON.parse('{"__proto__": "own key", "constructor": 1}')),
      ];
      await log.append('a', events);
      expect(await log.read('a')).toEqual(events);
      if (reopen !== undefined) expect(await reopen().read('a')).toEqual(events);
    });

    it('gives back any JSON value exactly (an encoding that loses something)', async () => {
      const { log } = fresh();
      let seq = 0;
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), async (value) => {
          // negative zero is the one number JSON text cannot say
          const plain: Json = JSON.parse(JSON.stringify(value));
          seq += 1;
          await log.append('p', [effect('p', seq, plain)]);
          expect(await log.read('p', { after: seq - 1 })).toEqual([effect('p', seq, plain)]);
        }),
        { numRuns: 100 },
      );
    });

    it('goes on where it stopped after a restart (a counter that begins anew)', async () => {
      const { log, reopen } = fresh();
      if (reopen === undefined) return;
      await log.append('a', [note('a', 1, 'one'), note('a', 2, 'two')]);
      const second = reopen();
      expect(await second.lastSeq('a')).toBe(2);
      await second.append('a', [note('a', 3, 'three')]);
      expect(await codeOf(() => log.append('a', [note('a', 3, 'written by the dead process')]))).toBe('LOG_SEQUENCE');
      expect((await second.read('a')).map((event) => event.seq)).toEqual([1, 2, 3]);
    });
  });
}
