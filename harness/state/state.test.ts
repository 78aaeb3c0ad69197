import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Json } from '../contract/json';
import { type ChannelSpec, defineChannel } from './channel';
import { patchChannel, patchesBetween } from './patch';
import { applyWrite } from './reduce';

const valueAfter = (...write: Parameters<typeof applyWrite>): Json => applyWrite(...write).value;

const channel = (reducer: ChannelSpec['reducer'], schema: z.ZodType): ChannelSpec =>
  defineChannel({ id: 'notes', title: 'Notes', summary: '', schema, reducer, scope: 'run', initial: null, writers: 'many' });
const items = z.array(z.object({ id: z.string(), n: z.number() }));

describe('a write to a channel', () => {
  it('replaces, appends one or many, merges and upserts by id', () => {
    expect(valueAfter(channel('replace', z.number()), 1, 2)).toBe(2);
    expect(valueAfter(channel('append', z.array(z.number())), [1], 2)).toEqual([1, 2]);
    expect(valueAfter(channel('append', z.array(z.number())), null, [1, 2])).toEqual([1, 2]);
    expect(valueAfter(channel('merge', z.record(z.string(), z.number())), { a: 1 }, { b: 2 })).toEqual({ a: 1, b: 2 });
    const before = [
      { id: 'a', n: 1 },
      { id: 'b', n: 1 },
    ];
    expect(
      valueAfter(channel('upsert', items), before, [
        { id: 'b', n: 2 },
        { id: 'c', n: 3 },
        { id: 'c', n: 4 },
      ]),
    ).toEqual([
      { id: 'a', n: 1 },
      { id: 'b', n: 2 },
      { id: 'c', n: 4 },
    ]);
    expect(before[1]).toEqual({ id: 'b', n: 1 });
  });

  it.each<[ChannelSpec['reducer'], z.ZodType, Json, Json]>([
    ['replace', z.number(), 1, 'x'],
    ['append', z.array(z.number()), [1], 'x'],
    ['append', z.array(z.number()), { a: 1 }, 1],
    ['merge', z.record(z.string(), z.number()), {}, [1]],
    ['upsert', items, [], { n: 1 }],
    ['upsert', items, [], { id: 'a', n: 'x' }],
  ])('%s of a value that does not fit says so instead of storing it', (reducer, schema, current, value) => {
    expect(() => applyWrite(channel(reducer, schema), current, value)).toThrow(/Notes/);
  });

  it('answers with the patches too, so that the trace need not hold the whole list', () => {
    expect(applyWrite(channel('append', z.array(z.number())), [1], 2).patches).toEqual([{ op: 'add', path: [1], value: 2 }]);
  });

  it('keeps a key named __proto__ as data', () => {
    const next = valueAfter(channel('merge', z.json()), {}, JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(JSON.stringify(next)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('patches between two values', () => {
  it('name only what differs', () => {
    expect(patchesBetween([1, 2], [1, 2, 3])).toEqual([{ op: 'add', path: [2], value: 3 }]);
    expect(patchesBetween({ a: { b: 1, c: 2 } }, { a: { b: 9, c: 2 } })).toEqual([{ op: 'replace', path: ['a', 'b'], value: 9 }]);
    expect(patchesBetween({ a: 1 }, {})).toEqual([{ op: 'remove', path: ['a'] }]);
    expect(patchesBetween({ a: [1] }, { a: [1] })).toEqual([]);
  });

  it('lead from the first to the second, whatever the two are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        // through JSON text, as channel values always are; immer leaves a key "__proto__" out of what it writes
        fc.pre(!JSON.stringify([left, right]).includes('__proto__'));
        const [before, after]: [Json, Json] = JSON.parse(JSON.stringify([left, right]));
        expect(patchChannel(before, patchesBetween(before, after))).toEqual(after);
      }),
    );
  });
});
