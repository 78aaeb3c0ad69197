import { stableJson } from '../../flow/stable-json';

/** True when two plain JSON values say the same. */
export const same = (left: unknown, right: unknown): boolean => left === right || stableJson(left) === stableJson(right);

/** The value of the last branch that changed it; the one from before the branches when none did. */
export function lastChanged<T>(base: T, values: readonly T[]): T {
  const at = values.findLastIndex((value) => !same(value, base));
  if (at === -1) return base;
  // null is a change too, so the place decides; findLastIndex has found it, so there is a value
  return values[at] as T;
}

/** What branches added to a counter, all of it. */
export const summed = (base: number, values: readonly number[]): number => base + values.reduce((sum, value) => sum + value - base, 0);

/** A list that branches only added to: what was there, then each branch's additions in branch order. */
export function appended<T>(base: readonly T[], lists: readonly (readonly T[])[]): T[] {
  const kept = lists.every((list) => list.length >= base.length) ? [...base] : [];
  return [...kept, ...lists.flatMap((list) => additions(base, list))];
}

/** Items beyond those that were there before; where the list was rewritten, all that is not among them. */
export function additions<T>(base: readonly T[], list: readonly T[]): T[] {
  if (list.length >= base.length && base.every((item, index) => same(item, list[index]))) return list.slice(base.length);
  const known = new Set(base.map((item) => stableJson(item)));
  return list.filter((item) => !known.has(stableJson(item)));
}

export const united = <T>(base: readonly T[], lists: readonly (readonly T[])[]): T[] => [...new Set([...base, ...lists.flat()])];

/**
 * Items by key: of an item that several branches changed the later branch's stands, one that a branch alone changed keeps that change, one
 * that a branch took out is gone unless another changed it (layers.md R7).
 */
export function mergedBy<T>(base: readonly T[], lists: readonly (readonly T[])[], keyOf: (item: T) => string): T[] {
  const before = new Map(base.map((item) => [keyOf(item), item]));
  const merged = new Map(before);
  for (const list of lists) {
    const there = new Set<string>();
    for (const item of list) {
      const key = keyOf(item);
      there.add(key);
      const old = before.get(key);
      if (old === undefined || !same(old, item)) merged.set(key, item);
    }
    for (const [key, item] of before) if (!there.has(key) && merged.get(key) === item) merged.delete(key);
  }
  const kept = [...before.keys()].filter((key) => merged.has(key));
  const added = [...merged.keys()].filter((key) => !before.has(key));
  return [...kept, ...added].flatMap((key) => {
    const item = merged.get(key);
    return item === undefined ? [] : [item];
  });
}

/** The same for records. */
export function mergedRecord<T>(base: Readonly<Record<string, T>>, records: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  return Object.fromEntries(
    mergedBy(
      Object.entries(base),
      records.map((record) => Object.entries(record)),
      ([key]) => key,
    ),
  );
}
