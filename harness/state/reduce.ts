import { userError } from '../contract/errors';
import { isJsonObject, type Json } from '../contract/json';
import type { ChannelSpec } from './channel';
import { type Patches, patchesBetween } from './patch';

/** What one write makes of a channel: the value after it, and the patches that lead there. */
export interface ChannelWrite {
  value: Json;
  patches: Patches;
}

/**
 * One write to a channel; `current` is not changed. The result always fits the channel's schema: a write that would
 * break it throws `CHANNEL_WRITE` with the place and the reason, and a reducer that cannot take such a value says which shape it takes.
 */
export function applyWrite(channel: ChannelSpec, current: Json, value: Json): ChannelWrite {
  const next = reducers[channel.reducer](channel, current, value);
  const checked = channel.schema.safeParse(next);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const at = issue?.path.map(String).join('.') || 'the value';
    throw userError('CHANNEL_WRITE', `A write to "${channel.title}" does not fit: ${at}: ${issue?.message ?? 'not valid'}.`, {
      channel: channel.id,
      path: at,
    });
  }
  return { value: next, patches: patchesBetween(current, next) };
}

type Reduce = (channel: ChannelSpec, current: Json, value: Json) => Json;

const reducers: Record<ChannelSpec['reducer'], Reduce> = {
  replace: (_channel, _current, value) => value,
  append: (channel, current, value) => {
    const items = Array.isArray(value) ? value : [value];
    return items.length === 0 ? listOf(channel, current) : [...listOf(channel, current), ...items];
  },
  merge: (channel, current, value) => {
    if (!isJsonObject(value)) throw wrongShape(channel, 'an object whose keys are merged in');
    const base = current === null ? {} : current;
    if (!isJsonObject(base)) throw wrongShape(channel, 'an object, and what it holds is none');
    // own keys by definition, so that a key named like a property of objects stays data
    return Object.fromEntries([...Object.entries(base), ...Object.entries(value)]);
  },
  upsert: (channel, current, value) => {
    const items = (Array.isArray(value) ? value : [value]).map((item) => ({ item, id: idOf(channel, item) }));
    const next = [...listOf(channel, current)];
    const places = new Map(next.map((item, index) => [isJsonObject(item) ? (item.id ?? null) : null, index]));
    for (const { item, id } of items) {
      const place = places.get(id);
      if (place === undefined) places.set(id, next.push(item) - 1);
      else next[place] = item;
    }
    return next;
  },
};

function listOf(channel: ChannelSpec, current: Json): Json[] {
  if (current === null) return [];
  if (Array.isArray(current)) return current;
  throw wrongShape(channel, 'a list, and what it holds is none');
}

function idOf(channel: ChannelSpec, item: Json): string {
  const id = isJsonObject(item) ? item.id : undefined;
  if (typeof id === 'string' && id !== '') return id;
  throw wrongShape(channel, 'objects with a text "id"');
}

const wrongShape = (channel: ChannelSpec, takes: string) =>
  userError('CHANNEL_WRITE', `"${channel.title}" (${channel.reducer}) takes ${takes}.`, { channel: channel.id });
