import type { Lane, LaneBar, LaneView } from '@/harness/trace/views/lanes';
import type { LaneWindow } from './lane-window';

export const rulerHeight = 24;
export const trackHeight = 24;
export const barHeight = 18;
const lanePadding = 4;
/** Bars beyond this many side by side share the last track. */
const mostTracks = 10;
/** A visit is never drawn thinner than this, in pixels. */
export const thinnestBar = 3;

export interface LaneRow {
  lane: Lane;
  top: number;
  height: number;
}

export interface LaneLayout {
  rows: LaneRow[];
  height: number;
}

export function layoutLanes(view: LaneView): LaneLayout {
  let top = 0;
  const rows = view.lanes.map((lane) => {
    const height = Math.min(lane.tracks, mostTracks) * trackHeight + lanePadding * 2;
    const row = { lane, top, height };
    top += height;
    return row;
  });
  return { rows, height: top };
}

/** The domain of the axis with a little room at its end, so that a last visit of no length can still be seen. */
export const domainOf = (view: LaneView): LaneWindow => {
  const least = view.axis === 'order' ? 4 : 1;
  const room = view.axis === 'order' ? 1 : (view.to - view.from) * 0.01;
  return { from: view.from, to: Math.max(view.to + room, view.from + least) };
};

export const toPixels = (value: number, window: LaneWindow, width: number): number =>
  ((value - window.from) / Math.max(window.to - window.from, 1e-9)) * width;
export const fromPixels = (x: number, window: LaneWindow, width: number): number =>
  window.from + (x / Math.max(width, 1)) * (window.to - window.from);

export interface BarBox {
  x: number;
  y: number;
  width: number;
}

export function boxOf(bar: LaneBar, row: LaneRow, view: LaneView, place: { window: LaneWindow; width: number }): BarBox {
  const from = toPixels(bar.from, place.window, place.width);
  const to = toPixels(view.axis === 'order' ? bar.to + 1 : bar.to, place.window, place.width);
  const track = Math.min(bar.track, mostTracks - 1);
  return {
    x: from,
    y: row.top + lanePadding + track * trackHeight + (trackHeight - barHeight) / 2,
    width: Math.max(thinnestBar, to - from - 1),
  };
}

/** The visit's bar under a point of the lane area (y from the top of the first lane); the one drawn last wins. */
export function barAt(
  layout: LaneLayout,
  view: LaneView,
  place: { window: LaneWindow; width: number },
  point: { x: number; y: number },
): LaneBar | null {
  const row = layout.rows.find((candidate) => point.y >= candidate.top && point.y < candidate.top + candidate.height);
  if (row === undefined) return null;
  for (let i = row.lane.bars.length - 1; i >= 0; i -= 1) {
    const bar = row.lane.bars[i];
    if (bar === undefined) continue;
    const box = boxOf(bar, row, view, place);
    if (point.x >= box.x - 2 && point.x <= box.x + box.width + 2 && point.y >= box.y - 3 && point.y <= box.y + barHeight + 3) return bar;
  }
  return null;
}

/** The bar a key leads to: before or after in time across all lanes, or the nearest in time in the lane above or below. */
export function neighbourBar(layout: LaneLayout, from: LaneBar | null, direction: 'left' | 'right' | 'up' | 'down'): LaneBar | null {
  const all = layout.rows.flatMap((row) => row.lane.bars);
  if (from === null)
    return all.reduce<LaneBar | null>((first, bar) => (first === null || bar.visit.order < first.visit.order ? bar : first), null);
  if (direction === 'left' || direction === 'right') {
    const order = from.visit.order + (direction === 'right' ? 1 : -1);
    return all.find((bar) => bar.visit.order === order) ?? from;
  }
  const place = layout.rows.findIndex((row) => row.lane.bars.some((bar) => bar.visit.id === from.visit.id));
  const row = layout.rows[place + (direction === 'down' ? 1 : -1)];
  if (row === undefined) return from;
  const middle = (from.from + from.to) / 2;
  const gap = (bar: LaneBar): number => Math.abs((bar.from + bar.to) / 2 - middle);
  return row.lane.bars.reduce<LaneBar | null>((best, bar) => (best === null || gap(bar) < gap(best) ? bar : best), null) ?? from;
}
