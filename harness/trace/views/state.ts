import { applyPatches, enablePatches, type Patch } from 'immer';
import type { Json } from '../../contract/json';
import type { TraceEventOf } from '../events';
import type { TraceIndex } from './trace-index';
import { initialChannels } from './trace-index';

enablePatches();

type PatchEvent = TraceEventOf<'state-patch'>;
type Path = readonly (string | number)[];

/** Channel values by name. */
export type ChannelValues = Readonly<Record<string, Json>>;

/** How many of the patches have a seq at or before `seq`. */
export function patchesUpTo(patches: readonly PatchEvent[], seq: number): number {
  let low = 0;
  let high = patches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((patches[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A channel without a known first value begins as what its first patch can be applied to. */
const baseFor = (patches: readonly Patch[]): Json => {
  const head = patches[0]?.path[0];
  if (head === undefined) return null;
  return typeof head === 'number' ? [] : {};
};

/** A patch that does not fit (a part of the value is kept apart as a payload) is passed over; the others still count. */
function applyAll(box: { value: Json }, patches: readonly Patch[]): { value: Json } {
  try {
    return applyPatches(box, patches);
  } catch {
    let current = box;
    for (const patch of patches) {
      try {
        current = applyPatches(current, [patch]);
      } catch {
        // nothing at that path in this copy
      }
    }
    return current;
  }
}

/**
 * Applies patch events to channel values and returns new values; what it was given stays as it is. Patches of one channel are applied
 * together, so a list that grew ten thousand times costs one copy.
 */
export function applyChannelPatches(values: ChannelValues, events: readonly PatchEvent[]): ChannelValues {
  const grouped = new Map<string, Patch[]>();
  for (const event of events) {
    const group = grouped.get(event.channel);
    // Patches in events are immer's own, kept as JSON; only `value` may be absent there.
    const patches = event.patches as Patch[];
    if (group === undefined) grouped.set(event.channel, [...patches]);
    else group.push(...patches);
  }
  const next = new Map<string, Json>(Object.entries(values));
  for (const [channel, patches] of grouped) {
    const base = next.get(channel);
    const box = { value: base === undefined || (base === null && patches[0]?.path.length !== 0) ? baseFor(patches) : base };
    const boxed = patches.map((patch) => ({ ...patch, path: ['value', ...patch.path] }));
    next.set(channel, applyAll(box, boxed).value);
  }
  return Object.fromEntries(next);
}

/**
 * Every channel as it stood right after the event `seq` (time travel: the fold of the events up to it). `channels` are the values the run
 * began with, when the caller knows them better than the log (defaults, payloads put back).
 */
export const stateAt = (index: TraceIndex, seq: number, channels: ChannelValues = initialChannels(index)): ChannelValues =>
  applyChannelPatches(channels, index.patches.slice(0, patchesUpTo(index.patches, seq)));

export interface ChannelChange {
  channel: string;
  before: Json | undefined;
  after: Json | undefined;
}

const sameJson = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
};

export { sameJson };

/** Channels whose values differ, by name. */
export function changedChannels(before: ChannelValues, after: ChannelValues): ChannelChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const read = (values: ChannelValues, name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  return names
    .filter((name) => !sameJson(read(before, name), read(after, name)))
    .map((name) => ({ channel: name, before: read(before, name), after: read(after, name) }));
}

export interface ValueChange {
  path: Path;
  kind: 'added' | 'removed' | 'changed';
  before?: Json;
  after?: Json;
}

const joinable = (value: Json | undefined): value is Json[] | { [key: string]: Json } => typeof value === 'object' && value !== null;

/** Leaf by leaf difference of two values, at most `limit` entries; lists are compared place by place. */
export function valueChanges(before: Json | undefined, after: Json | undefined, limit = 200): ValueChange[] {
  const found: ValueChange[] = [];
  const walk = (path: Path, a: Json | undefined, b: Json | undefined): void => {
    if (found.length >= limit || sameJson(a, b)) return;
    if (a === undefined) found.push(b === undefined ? { path, kind: 'added' } : { path, kind: 'added', after: b });
    else if (b === undefined) found.push({ path, kind: 'removed', before: a });
    else if (joinable(a) && joinable(b) && Array.isArray(a) === Array.isArray(b)) {
      if (Array.isArray(a) && Array.isArray(b)) {
        for (let i = 0; i < Math.max(a.length, b.length); i += 1) walk([...path, i], a[i], b[i]);
      } else if (!Array.isArray(a) && !Array.isArray(b)) {
        for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
          walk([...path, key], Object.hasOwn(a, key) ? a[key] : undefined, Object.hasOwn(b, key) ? b[key] : undefined);
        }
      }
    } else found.push({ path, kind: 'changed', before: a, after: b });
  };
  walk([], before, after);
  return found;
}

/** The moment before the last visit that changed any channel at or before `seq`; 0 when nothing was written yet. */
export function previousWriteMoment(index: TraceIndex, seq: number): number {
  const count = patchesUpTo(index.patches, seq);
  const last = index.patches[count - 1];
  if (last === undefined) return 0;
  let first = count - 1;
  while (first > 0 && index.patches[first - 1]?.visit === last.visit && index.patches[first - 1]?.visit !== undefined) first -= 1;
  return (index.patches[first]?.seq ?? 1) - 1;
}
