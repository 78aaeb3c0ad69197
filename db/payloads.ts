import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@/harness/contract/json';
import type { TraceEvent } from '@/harness/trace/events';

/** A value whose JSON text is longer than this (in UTF-16 units) is stored apart from its event. */
export const inlineLimit = 8192;
const previewLength = 200;

export interface Payload {
  hash: string;
  json: string;
  bytes: number;
}

export interface PackedEvent {
  event: TraceEvent;
  payloads: Payload[];
}

/**
 * The fields of events that hold any JSON; a reference may stand only there or inside, so that a packed event still has the type of an
 * event. `visit-end.outcome` is a word, `tool-end.outcome` is JSON; the length decides well enough, for the word is short.
 */
const jsonFields = ['input', 'output', 'request', 'reply', 'outcome', 'value', 'values', 'items', 'channels', 'outputs', 'carry'] as const;
/** Fields whose type is a list or a record of JSON: only their members may be replaced. */
const membersOnly: ReadonlySet<string> = new Set(['items', 'channels', 'outputs', 'carry']);

const referenceKey = '$payload';

/** The JSON text of a value, and the value with its large parts replaced. */
class Packer {
  readonly payloads: Payload[] = [];

  pack(value: Json): Json {
    if (typeof value === 'string') return value.length > inlineLimit ? this.#apart(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    // an object that looks like a reference must not be taken for one when it is read
    if (!Array.isArray(value) && Object.hasOwn(value, referenceKey)) return this.#apart(value);
    const slim = this.members(value);
    return JSON.stringify(slim).length > inlineLimit ? this.#apart(value) : slim;
  }

  members<T extends Json[] | JsonObject>(value: T): T;
  members(value: Json[] | JsonObject): Json[] | JsonObject {
    if (Array.isArray(value)) return value.map((item) => this.pack(item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.pack(item)]));
  }

  #apart(value: Json): JsonObject {
    const json = JSON.stringify(value);
    const hash = createHash('sha256').update(json).digest('hex');
    const bytes = Buffer.byteLength(json);
    this.payloads.push({ hash, json, bytes });
    const text = typeof value === 'string' ? value : json;
    return { [referenceKey]: hash, bytes, preview: text.slice(0, previewLength) };
  }
}

/** Takes the large values out of an event; null when there is nothing large. `json` is the event's JSON text. */
export function packEvent(event: TraceEvent, json: string): PackedEvent | null {
  if (json.length <= inlineLimit) return null;
  const packer = new Packer();
  const slim: Record<string, unknown> = { ...event };
  for (const field of jsonFields) {
    const value = slim[field];
    if (value === undefined) continue;
    // the named fields are JSON by the event schema
    const plain = value as Json;
    const container = Array.isArray(plain) || isJsonObject(plain);
    slim[field] = membersOnly.has(field) && container ? packer.members(plain) : packer.pack(plain);
  }
  if (event.kind === 'state-patch') {
    slim.patches = event.patches.map((patch) => (patch.value === undefined ? patch : { ...patch, value: packer.pack(patch.value) }));
  }
  if (event.kind === 'ask-open' && event.ask.shown !== undefined) slim.ask = { ...event.ask, shown: packer.pack(event.ask.shown) };
  if (packer.payloads.length === 0) return null;
  // only JSON fields were exchanged, for other JSON
  return { event: slim as unknown as TraceEvent, payloads: packer.payloads };
}

/** Puts stored values back in place of their references. `load` returns the JSON text of a payload. */
export function unpackEvent(packed: TraceEvent, load: (hash: string) => string): TraceEvent {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isJsonObject(value)) return value;
    const hash = Object.hasOwn(value, referenceKey) ? value[referenceKey] : undefined;
    if (typeof hash === 'string') return JSON.parse(load(hash));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
  };
  // the same fields hold what they held before packing
  return walk(packed) as TraceEvent;
}
