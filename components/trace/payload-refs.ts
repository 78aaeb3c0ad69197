import { isJsonObject, type Json } from '@/harness/contract/json';
import type { PayloadReference } from '@/server/api-types';

/** Whether a value stands for a payload that is kept apart. */
export function payloadOf(value: Json): PayloadReference | null {
  if (!isJsonObject(value)) return null;
  const { $payload, bytes, preview } = value;
  if (typeof $payload !== 'string' || typeof bytes !== 'number' || typeof preview !== 'string') return null;
  return Object.keys(value).length === 3 ? { $payload, bytes, preview } : null;
}

/** Every payload a value refers to, each once. */
export function payloadsIn(value: Json): PayloadReference[] {
  const found = new Map<string, PayloadReference>();
  const walk = (part: Json): void => {
    const reference = payloadOf(part);
    if (reference !== null) found.set(reference.$payload, reference);
    else if (Array.isArray(part)) part.forEach(walk);
    else if (isJsonObject(part)) Object.values(part).forEach(walk);
  };
  walk(value);
  return [...found.values()];
}

/** The value with the payloads that are known put in their places. */
export function fillPayloads(value: Json, known: ReadonlyMap<string, Json>): Json {
  const reference = payloadOf(value);
  if (reference !== null) return known.get(reference.$payload) ?? value;
  if (Array.isArray(value)) return value.map((part) => fillPayloads(part, known));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fillPayloads(part, known)]));
}
