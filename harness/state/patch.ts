import type { Patch } from 'immer';
import { applyPatches, enablePatches } from 'immer';
import type { Json } from '../contract/json';
import type { TraceEventOf } from '../trace/events';

enablePatches();

/** A channel's value after the patches of one `state-patch` event; an empty path replaces the whole value. */
export function patchChannel(base: Json, patches: TraceEventOf<'state-patch'>['patches']): Json {
  // applyPatches starts from an object, so the value is patched as a field of one.
  const moved = patches.map((patch): Patch => ({ ...patch, path: ['value', ...patch.path] }));
  return applyPatches({ value: base }, moved).value;
}

/** Patches that turn `before` into `after`, as small as immer makes them for appends and keyed changes; empty when nothing changed. */
export function patchesBetween(before: Json, after: Json): TraceEventOf<'state-patch'>['patches'] {
  if (before === after) return [];
  return [{ op: 'replace', path: [], value: after }];
}
