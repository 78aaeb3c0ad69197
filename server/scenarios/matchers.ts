import type { Json, JsonObject } from '@/harness/contract/json';
import { isJsonObject } from '@/harness/contract/json';

/**
 * Holds a value against a pattern and says where they differ, or null. Objects match when every key of the pattern does (others may be there);
 * lists match whole. `{"$…": …}` tests instead of comparing.
 */
export function mismatch(value: Json | undefined, pattern: Json, path = ''): string | null {
  if (isJsonObject(pattern)) {
    const tests = Object.entries(pattern).filter(([key]) => key.startsWith('$'));
    if (tests.length > 0) return firstFault(tests.map(([key, wanted]) => test(value, { key, wanted, path })));
    return matchObject(value, pattern, path);
  }
  if (Array.isArray(pattern)) return matchList(value, pattern, path);
  if (typeof pattern === 'number' && typeof value === 'number' && Math.abs(value - pattern) <= 1e-9) return null;
  return value === pattern ? null : `${at(path)} is ${show(value)}, expected ${show(pattern)}`;
}

const firstFault = (faults: (string | null)[]): string | null => faults.find((fault) => fault !== null) ?? null;
const at = (path: string): string => (path === '' ? 'the value' : path);
const below = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

export function show(value: Json | undefined): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function matchObject(value: Json | undefined, pattern: JsonObject, path: string): string | null {
  if (!isJsonObject(value)) return `${at(path)} is ${show(value)}, expected an object`;
  return firstFault(
    Object.entries(pattern).map(([key, wanted]) => mismatch(Object.hasOwn(value, key) ? value[key] : undefined, wanted, below(path, key))),
  );
}

function matchList(value: Json | undefined, pattern: Json[], path: string): string | null {
  if (!Array.isArray(value)) return `${at(path)} is ${show(value)}, expected a list`;
  if (value.length !== pattern.length) return `${at(path)} has ${value.length} items, expected ${pattern.length}: ${show(value)}`;
  return firstFault(pattern.map((wanted, index) => mismatch(value[index], wanted, below(path, index))));
}

type Test = (value: Json | undefined, wanted: Json) => boolean;
const asText = (value: Json | undefined): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));
const compare =
  (holds: (value: number, wanted: number) => boolean): Test =>
  (value, wanted) =>
    typeof value === 'number' && typeof wanted === 'number' && holds(value, wanted);

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['$any', (value, wanted) => (value !== undefined && value !== null) === wanted],
  ['$absent', (value, wanted) => (value === undefined || value === null) === wanted],
  ['$equals', (value, wanted) => JSON.stringify(value) === JSON.stringify(wanted)],
  [
    '$contains',
    (value, wanted) =>
      Array.isArray(value) ? value.some((item) => mismatch(item, wanted) === null) : asText(value).includes(asText(wanted)),
  ],
  ['$matches', (value, wanted) => typeof wanted === 'string' && new RegExp(wanted, 'u').test(asText(value))],
  ['$not', (value, wanted) => mismatch(value, wanted) !== null],
  ['$oneOf', (value, wanted) => Array.isArray(wanted) && wanted.some((choice) => mismatch(value, choice) === null)],
  ['$size', (value, wanted) => mismatch(sizeOf(value), wanted) === null],
  ['$gt', compare((value, wanted) => value > wanted)],
  ['$gte', compare((value, wanted) => value >= wanted)],
  ['$lt', compare((value, wanted) => value < wanted)],
  ['$lte', compare((value, wanted) => value <= wanted)],
]);

function sizeOf(value: Json | undefined): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : -1;
}

function test(value: Json | undefined, { key, wanted, path }: { key: string; wanted: Json; path: string }): string | null {
  const known = tests.get(key);
  if (!known) return `${at(path)}: there is no test "${key}"; there are ${[...tests.keys()].join(', ')}`;
  return known(value, wanted) ? null : `${at(path)} is ${show(value)}, expected ${key} ${show(wanted)}`;
}
