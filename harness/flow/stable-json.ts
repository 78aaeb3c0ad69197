import { isJsonObject, type Json } from '../contract/json';
import { byText } from './flow-graph';

/** JSON with the keys of every object in one order: equal values give equal text. */
export function stableJson(value: Json, indent = 0): string {
  return JSON.stringify(sortKeys(value), null, indent);
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort(byText)
      .map((key): [string, Json] => [key, sortKeys(value[key] ?? null)]),
  );
}
