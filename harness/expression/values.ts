import { unexpectedError, userError } from '../contract/errors';
import { isJsonObject, type Json } from '../contract/json';

/**
 * JSON as CEL sees it: integral numbers are `int` (BigInt), others `double`; objects become `Map`s, so that no key of the data
 * (`constructor`, `__proto__`) can be taken for a property of a JavaScript object.
 */
export function toCel(value: Json): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  if (isJsonObject(value)) {
    const map = new Map<string, unknown>();
    for (const key of Object.keys(value)) map.set(key, toCel(value[key] ?? null));
    return map;
  }
  return value;
}

/** Which parts of a value an expression can look at; `whole` when it may look at all of it. */
export interface Wanted {
  whole: boolean;
  fields: Map<string, Wanted>;
}

export const wantNothing = (): Wanted => ({ whole: false, fields: new Map() });

export function want(wanted: Wanted, path: readonly string[]): void {
  let at = wanted;
  for (const step of path) {
    let next = at.fields.get(step);
    if (!next) {
      next = wantNothing();
      at.fields.set(step, next);
    }
    at = next;
  }
  at.whole = true;
}

/** Converts only the wanted parts, so that a large output costs nothing in an expression that reads one field of it. */
export function projectToCel(value: Json, wanted: Wanted): unknown {
  if (wanted.whole || !isJsonObject(value)) return toCel(value);
  const map = new Map<string, unknown>();
  for (const [key, inner] of wanted.fields) {
    if (Object.hasOwn(value, key)) map.set(key, projectToCel(value[key] ?? null, inner));
  }
  return map;
}

/** The result of CEL as JSON. Throws `EXPRESSION_FAILED` for what JSON cannot say (infinite numbers, bytes). */
export function fromCel(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return Number(value);
    case 'number':
      if (Number.isFinite(value)) return value;
      throw userError(
        'EXPRESSION_FAILED',
        `The result is ${value}, which is not a number that JSON can hold. Check for a division by zero.`,
      );
    case 'object':
      return objectFromCel(value);
    default:
      throw unexpectedError('EXPRESSION_FAILED', `The result is of a kind that cannot be stored (${typeof value}).`);
  }
}

function objectFromCel(value: object | null): Json {
  if (value === null) return null;
  if (Array.isArray(value) || value instanceof Set) return Array.from(value, fromCel);
  if (value instanceof Map) {
    const entries = Array.from(value, ([key, inner]): [string, Json] => [String(key), fromCel(inner)]);
    return Object.fromEntries(entries);
  }
  if (value instanceof Uint8Array) {
    throw userError('EXPRESSION_FAILED', 'The result is bytes. Use string(…) to turn bytes into text.');
  }
  if ('toISOString' in value && typeof value.toISOString === 'function') return String(value.toISOString());
  if ('hasValue' in value && typeof value.hasValue === 'function' && 'value' in value && typeof value.value === 'function') {
    return value.hasValue() ? fromCel(value.value()) : null;
  }
  if (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fromCel(inner)]));
  }
  const primitive: unknown = value.valueOf();
  if (typeof primitive === 'bigint') return Number(primitive);
  return String(value);
}
