import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelDelta, TraceEvent } from '@/harness/trace/events';
import { emptyRunBuffer, lastSeqOf, takeDelta, takeEvents } from './run-buffer';

const log = (seq: number): TraceEvent => ({ runId: 'r', seq, at: seq, kind: 'log', level: 'info', message: String(seq) });
const delta = (offset: number, text: string): ModelDelta => ({
  runId: 'r',
  kind: 'model-delta',
  start: 1,
  nodeId: 'n',
  visit: 'v',
  offset,
  text,
});

describe('what a tab knows of a run', () => {
  it('shows every event once, in order, however stream and history interleave', () => {
    const batches = fc.array(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(batches, (seqs) => {
        const buffer = emptyRunBuffer();
        for (const batch of seqs) takeEvents(buffer, batch.map(log));
        takeEvents(
          buffer,
          Array.from({ length: 30 }, (_, index) => log(index + 1)),
        );
        expect(buffer.events.map((event) => event.seq)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
        expect(buffer.early.size).toBe(0);
      }),
    );
  });

  it('reports a gap instead of showing what follows it', () => {
    const buffer = emptyRunBuffer();
    expect(takeEvents(buffer, [log(1), log(3)])).toEqual({ changed: true, gap: true });
    expect(lastSeqOf(buffer)).toBe(1);
    expect(takeEvents(buffer, [log(2)])).toEqual({ changed: true, gap: false });
    expect(lastSeqOf(buffer)).toBe(3);
  });

  it('does not repeat text when a reconnect sends the text so far again', () => {
    const buffer = emptyRunBuffer();
    takeDelta(buffer, delta(0, 'Hello '));
    takeDelta(buffer, delta(6, 'wor'));
    takeDelta(buffer, delta(0, 'Hello world'));
    expect(buffer.texts.get(1)?.text).toBe('Hello world');
  });

  it('ends a text with the model-end of its own call, not of a neighbour', () => {
    const buffer = emptyRunBuffer();
    const start = (seq: number, key: string): TraceEvent => ({
      runId: 'r',
      seq,
      at: 0,
      visit: 'v',
      kind: 'model-start',
      key,
      role: 'primary',
      provider: 'p',
      model: 'm',
      request: {},
    });
    takeEvents(buffer, [start(1, 'a'), start(2, 'b')]);
    takeDelta(buffer, delta(0, 'x'));
    takeDelta(buffer, { ...delta(0, 'y'), start: 2 });
    const end: TraceEvent = {
      runId: 'r',
      seq: 3,
      at: 0,
      visit: 'v',
      kind: 'model-end',
      key: 'b',
      inputTokens: null,
      outputTokens: null,
      cost: null,
      durationMs: 1,
    };
    takeEvents(buffer, [end]);
    expect([buffer.texts.get(1)?.done, buffer.texts.get(2)?.done]).toEqual([false, true]);
  });
});
