import { describe, expect, it } from 'vitest';
import { longLog } from '@/harness/trace/views/test-log';
import { indexTrace } from '@/harness/trace/views/trace-index';
import { fillPayloads, payloadOf, payloadsIn } from './payload-refs';
import { stepMoment } from './step-moment';
import { createTraceFolder } from './trace-folder';

const reference = (hash: string) => ({ $payload: hash, bytes: 9_000, preview: 'abc' });

describe('values kept apart', () => {
  it('finds each payload once, however deep, and puts it back where it was', () => {
    const value = { a: [reference('h1'), { b: reference('h2') }], c: reference('h1') };
    expect(payloadsIn(value).map((found) => found.$payload)).toEqual(['h1', 'h2']);
    const whole = fillPayloads(
      value,
      new Map([
        ['h1', 'one'],
        ['h2', 'two'],
      ]),
    );
    expect(whole).toEqual({ a: ['one', { b: 'two' }], c: 'one' });
  });

  it('leaves a value alone that only looks like a reference (data of a person with such a key)', () => {
    expect(payloadOf({ $payload: 'h1', bytes: 1, preview: '', more: true })).toBeNull();
    expect(payloadOf({ $payload: 5, bytes: 1, preview: '' })).toBeNull();
  });
});

describe('following a run', () => {
  const events = longLog(8);

  it('folds a growing list to the same index, and begins anew with another run', () => {
    const folder = createTraceFolder();
    folder.fold('a', events.slice(0, 10));
    expect(folder.fold('a', events)).toEqual(indexTrace(events));
    expect(folder.fold('b', events.slice(0, 4)).last).toBe(4);
    expect(folder.fold('a', events.slice(0, 6)).last).toBe(6);
  });

  it('steps from visit to visit to both ends and no further', () => {
    const index = indexTrace(events);
    const forward: number[] = [];
    for (let at: number | null = 1; at !== null; at = stepMoment(index, at, 1)) forward.push(at);
    expect(forward.length).toBe(1 + 8 * 2);
    const back: number[] = [];
    for (let at = index.last; at > 1; at = stepMoment(index, at, -1) ?? 1) back.push(at);
    expect(back.slice(1)).toEqual(forward.slice(1).reverse());
  });
});
