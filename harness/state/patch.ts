import type { Patch } from 'immer';
import { applyPatches, enablePatches } from 'immer';
import { isJsonObject, type Json, type JsonObject } from '../contract/json';
import type { TraceEventOf } from '../trace/events';

enablePatches();

/** A channel's value after the patches of one `state-patch` event; an empty path replaces the whole value. */
export function patchChannel(base: Json, patches: TraceEventOf<'state-patch'>['patches']): Json {
  // applyPatches starts from an object, so the value is patched as a field of one.
  const moved = patches.map((patch): Patch => ({ ...patch, path: ['value', ...patch.path] }));
  return applyPatches({ value: base }, moved).value;
}

export type Patches = TraceEventOf<'state-patch'>['patches'];
type Path = Patches[number]['path'];

/**
 * Patches that turn `before` into `after`: `patchChannel(before, patchesBetween(before, after))` equals `after`. Only what differs is named, so
 * an append is one `add` and a changed field one `replace`; empty when nothing changed.
 */
export function patchesBetween(before: Json, after: Json): Patches {
  const patches: Patches = [];
  compare(before, after, [], patches);
  return patches;
}

function compare(before: Json, after: Json, path: Path, patches: Patches): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after) && after.length >= before.length) {
    for (const [index, item] of before.entries()) compare(item, after[index] ?? null, [...path, index], patches);
    for (let index = before.length; index < after.length; index++) {
      patches.push({ op: 'add', path: [...path, index], value: after[index] ?? null });
    }
  } else if (isJsonObject(before) && isJsonObject(after) && !hasUnsafeKey(before) && !hasUnsafeKey(after)) {
    compareObjects({ before, after }, path, patches);
  } else {
    patches.push({ op: 'replace', path, value: after });
  }
}

function compareObjects({ before, after }: { before: JsonObject; after: JsonObject }, path: Path, patches: Patches): void {
  for (const key of Object.keys(before)) {
    if (Object.hasOwn(after, key)) compare(before[key] ?? null, after[key] ?? null, [...path, key], patches);
    else patches.push({ op: 'remove', path: [...path, key] });
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) patches.push({ op: 'add', path: [...path, key], value: after[key] ?? null });
  }
}

/** Immer refuses to patch along these keys, so an object that has one is replaced whole. */
const hasUnsafeKey = (value: JsonObject): boolean => ['__proto__', 'constructor', 'prototype'].some((key) => Object.hasOwn(value, key));
