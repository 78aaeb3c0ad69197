import { isJsonObject, type Json } from '../../contract/json';
import type { Moment } from './spans';
import { applyChannelPatches, type ChannelValues } from './state';
import { initialChannels, type TraceIndex } from './trace-index';

export interface ChannelPoint extends Moment {
  value: Json;
}

/** The values a channel had, one point per visit that changed it (its last write counts); empty while nobody wrote it. */
export function channelSeries(index: TraceIndex, channel: string, channels: ChannelValues = initialChannels(index)): ChannelPoint[] {
  const points: ChannelPoint[] = [];
  let value: ChannelValues = Object.hasOwn(channels, channel) ? { [channel]: channels[channel] ?? null } : {};
  let visit: string | undefined;
  for (const event of index.patches) {
    if (event.channel !== channel) continue;
    value = applyChannelPatches(value, [event]);
    const point = { seq: event.seq, at: event.at, value: value[channel] ?? null };
    if (event.visit !== undefined && event.visit === visit) points[points.length - 1] = point;
    else points.push(point);
    visit = event.visit;
  }
  return points;
}

export interface NumberSeries {
  /** Dotted path inside the channel. */
  path: string;
  name: string;
  points: { seq: number; at: number; value: number }[];
}

/** Every number inside a channel's values over time, by path, in the order they first appear. */
export function numberSeries(points: readonly ChannelPoint[]): NumberSeries[] {
  const found = new Map<string, NumberSeries>();
  const walk = (value: Json, path: string[], point: ChannelPoint): void => {
    if (typeof value === 'number') {
      const key = path.join('.');
      const series = found.get(key) ?? { path: key, name: path[path.length - 1] ?? key, points: [] };
      series.points.push({ seq: point.seq, at: point.at, value });
      found.set(key, series);
    } else if (isJsonObject(value)) {
      for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name], point);
    }
  };
  for (const point of points) walk(point.value, [], point);
  return [...found.values()];
}

/** Thresholds that decisions up to `seq` held this number against, smallest first: a gauge shows the lines that rules go by. */
export function thresholdsFor(index: TraceIndex, series: Pick<NumberSeries, 'name' | 'path'>, seq: number): number[] {
  const found = new Set<number>();
  for (const entry of index.decisions) {
    if (entry.seq > seq) break;
    for (const reason of entry.decision.because) {
      const names = reason.name === series.path || reason.name === series.name || reason.name.endsWith(`_${series.name}`);
      if (names && typeof reason.threshold === 'number') found.add(reason.threshold);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** The last point at or before `seq`. */
export function pointAt<P extends { seq: number }>(points: readonly P[], seq: number): P | undefined {
  for (let i = points.length - 1; i >= 0; i -= 1) {
    const point = points[i];
    if (point !== undefined && point.seq <= seq) return point;
  }
  return undefined;
}
