import { isJsonObject, type Json } from '@/harness/contract/json';

/** Equal values give equal text, whatever the order of keys. */
export function stableJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableJson(value[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}
