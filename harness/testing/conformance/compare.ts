import { isJsonObject, type Json } from '../../contract/json';

/** Equal up to the tolerance in numbers and exactly in everything else, order of lists included. */
export function matches(actual: Json, expected: Json, tolerance: number): boolean {
  if (typeof actual === 'number' && typeof expected === 'number') return Math.abs(actual - expected) <= tolerance;
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.length === expected.length && actual.every((item, index) => matches(item, expected[index] ?? null, tolerance));
  }
  if (isJsonObject(actual) && isJsonObject(expected)) {
    const keys = Object.keys(expected);
    return (
      keys.length === Object.keys(actual).length &&
      keys.every((key) => key in actual && matches(actual[key] ?? null, expected[key] ?? null, tolerance))
    );
  }
  return actual === expected;
}

/** Replaces generated ids by `$c1`, `$c2`, … in order of first appearance in the given list. */
export function placeholders(ids: readonly string[]): (id: string) => string {
  const names = new Map<string, string>();
  for (const id of ids) if (!names.has(id)) names.set(id, `$c${names.size + 1}`);
  return (id) => names.get(id) ?? id;
}

/** Plain JSON of a result: `undefined` fields are left out. */
export const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null));
