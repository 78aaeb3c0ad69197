import type { Json } from '../../../contract/json';
import type { TraceEvent, TraceEventOf } from '../../events';
import type { Moment } from '../spans';
import { applyChannelPatches, type ChannelValues } from '../state';
import type { TraceIndex } from '../trace-index';

/** The channels the views of the control layers are drawn from. */
export const layerChannels = [
  'diagnostics',
  'controlState',
  'worldModel',
  'taskGraph',
  'evidenceStore',
  'strategyState',
  'failureDiagnostics',
  'verification',
] as const;
export type LayerChannel = (typeof layerChannels)[number];
const known: ReadonlySet<string> = new Set(layerChannels);

/** A channel's value right after one visit had written it. */
export interface LayerPoint extends Moment {
  visit: string | undefined;
  value: Json;
}

/** Channels as one branch of a dispatch saw them, from the run's beginning: what it inherited, then its own writes. */
export interface LayerBranch {
  /** Its scope; '' for the run itself. */
  id: string;
  /** Its place among the branches of one dispatch, from 0. */
  position: number;
  /** The visit that sent it out; undefined for the run itself. */
  visit: string | undefined;
  opened: number;
  /** Seq at which a merging node took it in; null while it walks. */
  closed: number | null;
  points: Readonly<Partial<Record<string, readonly LayerPoint[]>>>;
}

/**
 * Every value the followed channels ever had, one point per writing visit. A value: `extendLayers` gives a new one, and the list of a channel
 * that nobody wrote since stays the same list, so that what is derived from it can be kept.
 */
export interface LayerHistory {
  /** Seq of the last event folded in. */
  last: number;
  initial: ChannelValues;
  /** The channels that are followed; writes to others are passed over. */
  channels: ReadonlySet<string>;
  branches: ReadonlyMap<string, LayerBranch>;
  /** Branch that a scope's writes go to: itself for a branch, that of the container's visit for a container body. */
  owners: ReadonlyMap<string, string>;
}

export const ownBranch = '';
const none: readonly LayerPoint[] = [];

/** A history before the first event, of the channels of the control layers or of others. */
export const emptyLayers = (initial: ChannelValues, channels: ReadonlySet<string> = known): LayerHistory => ({
  last: 0,
  initial,
  channels,
  branches: new Map([[ownBranch, { id: ownBranch, position: 0, visit: undefined, opened: 0, closed: null, points: {} }]]),
  owners: new Map(),
});

/** Gives a value with its parts put back that are kept apart from the log; undefined while one of them has not come yet. */
export type Resolve = (value: Json) => Json | undefined;

/** A branch while events are folded in: lists that were written are in `own`, every other is shared with the history before. */
interface OpenBranch extends LayerBranch {
  own: Map<string, LayerPoint[]>;
}

interface Working {
  initial: ChannelValues;
  channels: ReadonlySet<string>;
  branches: Map<string, LayerBranch>;
  open: Map<string, OpenBranch>;
  owners: Map<string, string>;
}

type PatchEvent = TraceEventOf<'state-patch'>;

/** The patches with whole values; undefined while one is not known. */
function wholePatches(event: PatchEvent, resolve: Resolve): PatchEvent | undefined {
  const patches: PatchEvent['patches'] = [];
  for (const patch of event.patches) {
    if (patch.value === undefined) {
      patches.push(patch);
      continue;
    }
    const value = resolve(patch.value);
    if (value === undefined) return undefined;
    patches.push(value === patch.value ? patch : { ...patch, value });
  }
  return { ...event, patches };
}

const ownerOf = (working: Pick<Working, 'owners'>, scope: string | undefined): string =>
  scope === undefined ? ownBranch : (working.owners.get(scope) ?? ownBranch);

/** The branch as this extension may change it. */
function openBranch(working: Working, id: string): OpenBranch | undefined {
  const held = working.open.get(id);
  if (held !== undefined) return held;
  const branch = working.branches.get(id);
  if (branch === undefined) return undefined;
  const copy = { ...branch, own: new Map<string, LayerPoint[]>() };
  working.open.set(id, copy);
  return copy;
}

function write(working: Working, channel: string, event: PatchEvent): void {
  const branch = openBranch(working, ownerOf(working, event.scope));
  if (branch === undefined) return;
  const points = branch.own.get(channel) ?? [...(branch.points[channel] ?? none)];
  branch.own.set(channel, points);
  const before = points[points.length - 1];
  const base = before?.value ?? working.initial[channel];
  const values = applyChannelPatches(base === undefined ? {} : { [channel]: base }, [event]);
  const point: LayerPoint = { seq: event.seq, at: event.at, visit: event.visit, value: values[channel] ?? null };
  if (before !== undefined && event.visit !== undefined && before.visit === event.visit) points[points.length - 1] = point;
  else points.push(point);
}

/** Each branch begins with what the scope it left had seen until then. */
function openBranches(working: Working, event: TraceEventOf<'branches-open'>): void {
  const outer = ownerOf(working, event.scope);
  const open = working.open.get(outer);
  const from = open ?? working.branches.get(outer);
  const points: Partial<Record<string, readonly LayerPoint[]>> = { ...from?.points };
  for (const [channel, list] of open?.own ?? []) points[channel] = [...list];
  event.branches.forEach(({ scope }, position) => {
    working.branches.set(scope, { id: scope, position, visit: event.visit, opened: event.seq, closed: null, points });
    working.owners.set(scope, scope);
  });
}

/** Folds one event in; false when a value of it is not known yet. */
function fold(working: Working, event: TraceEvent, resolve: Resolve): boolean {
  if (event.kind === 'state-patch') {
    if (!working.channels.has(event.channel)) return true;
    const whole = wholePatches(event, resolve);
    if (whole === undefined) return false;
    write(working, event.channel, whole);
  } else if (event.kind === 'branches-open') openBranches(working, event);
  else if (event.kind === 'scopes-open') {
    const owner = ownerOf(working, event.scope);
    for (const scope of event.scopes) working.owners.set(scope, owner);
  } else if (event.kind === 'visit-start') {
    for (const id of event.merged ?? []) {
      const branch = openBranch(working, id);
      if (branch !== undefined) branch.closed = event.seq;
    }
  }
  return true;
}

/**
 * Folds the events that came since into the history. It stops before the first event of which a part has not come yet (`last` says
 * where), and goes on from there the next time.
 */
export function extendLayers(history: LayerHistory, index: TraceIndex, resolve: Resolve = (value) => value): LayerHistory {
  if (history.last >= index.last) return history;
  const working: Working = {
    initial: history.initial,
    channels: history.channels,
    branches: new Map(history.branches),
    open: new Map(),
    owners: new Map(history.owners),
  };
  let last = history.last;
  for (let i = history.last; i < index.events.length; i += 1) {
    const event = index.events[i];
    if (event === undefined || !fold(working, event, resolve)) break;
    last = event.seq;
  }
  if (last === history.last) return history;
  for (const [id, { own, points, ...branch }] of working.open) {
    working.branches.set(id, { ...branch, points: { ...points, ...Object.fromEntries(own) } });
  }
  return { last, initial: history.initial, channels: history.channels, branches: working.branches, owners: working.owners };
}

/** The points of a channel in a branch, oldest first; empty while nobody wrote it. */
export const pointsOf = (history: LayerHistory, branch: string, channel: string): readonly LayerPoint[] =>
  history.branches.get(branch)?.points[channel] ?? none;

/** Position of the last entry at or before `seq` in a list by seq; -1 before the first. */
export function placeAt(entries: readonly { seq: number }[], seq: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The last entry at or before `seq`. */
export const entryAt = <P extends { seq: number }>(entries: readonly P[], seq: number): P | undefined => entries[placeAt(entries, seq)];

/** A channel's value at a moment of a branch; what the run began with before anybody wrote it. */
export const layerValueAt = (history: LayerHistory, place: { branch: string; channel: string; seq: number }): Json =>
  entryAt(pointsOf(history, place.branch, place.channel), place.seq)?.value ?? history.initial[place.channel] ?? null;

/** Branches that had been sent out by a moment, the run's own first, newest after it. */
export function branchesAt(history: LayerHistory, seq: number): LayerBranch[] {
  const found = [...history.branches.values()].filter((branch) => branch.opened <= seq);
  return found.sort((a, b) => Number(b.id === ownBranch) - Number(a.id === ownBranch) || b.opened - a.opened || a.position - b.position);
}

/** Whether any control layer has written anything. */
export const hasLayers = (index: Pick<TraceIndex, 'patches'>): boolean => index.patches.some(({ channel }) => known.has(channel));
