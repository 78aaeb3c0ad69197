import { type LayerId, layers } from '../../contract/layers';
import type { VisitSpan } from './spans';
import { spanMs } from './spans';
import type { TraceIndex } from './trace-index';

/** How the horizontal axis is measured: by the run's clock, or one unit per event (short runs, long pauses). */
export type LaneAxis = 'time' | 'order';

export interface LaneBar {
  visit: VisitSpan;
  /** Row inside the lane; bars that overlap stand below one another. */
  track: number;
  from: number;
  to: number;
}

export interface Lane {
  id: string;
  title: string;
  /** Degrees in OKLCH; null for neutral lanes. */
  hue: number | null;
  bars: readonly LaneBar[];
  tracks: number;
  /** Union of its bars: parallel work counts once (BR-51). */
  busyMs: number;
}

export interface LaneView {
  lanes: readonly Lane[];
  axis: LaneAxis;
  from: number;
  to: number;
}

export interface LaneOptions {
  axis: LaneAxis;
  /** Title of a node type's palette group, for runs with more flow nodes than lanes are useful for. */
  categoryOf?: (type: string) => { id: string; title: string } | undefined;
  /** At most this many flow nodes get a lane of their own. */
  maxNodeLanes?: number;
}

interface Group {
  id: string;
  title: string;
  hue: number | null;
}

const layerOrder = Object.keys(layers);
// Any text may stand in an event's layer; only the known ones have a title.
const knownLayer = (id: string): id is LayerId => Object.hasOwn(layers, id);
const isFlow = (visit: VisitSpan): boolean => visit.layer === 'flow' || visit.layer === '';

function grouping(visits: readonly VisitSpan[], options: LaneOptions): (visit: VisitSpan) => Group {
  const flowNodes = new Set(visits.filter(isFlow).map(nodeKey));
  const perNode = flowNodes.size <= (options.maxNodeLanes ?? 16);
  return (visit) => {
    if (!isFlow(visit)) {
      return knownLayer(visit.layer)
        ? { id: `layer:${visit.layer}`, title: layers[visit.layer].title, hue: layers[visit.layer].hue }
        : { id: `layer:${visit.layer}`, title: visit.layer, hue: null };
    }
    if (perNode) return { id: `node:${nodeKey(visit)}`, title: visit.label, hue: null };
    const category = options.categoryOf?.(visit.type);
    return { id: `category:${category?.id ?? visit.type}`, title: category?.title ?? visit.type, hue: null };
  };
}

/** A node's identity across container bodies: ids inside a sub-flow are that flow's own. */
export const nodeKey = (visit: Pick<VisitSpan, 'path' | 'nodeId'>): string =>
  visit.path.length === 0 ? visit.nodeId : JSON.stringify([...visit.path, visit.nodeId]);

/** Puts bars that overlap on different tracks, first free track first; bars must come by their start. */
function packTracks(bars: { from: number; to: number }[]): number[] {
  const ends: number[] = [];
  return bars.map((bar) => {
    const free = ends.findIndex((end) => end <= bar.from);
    const track = free === -1 ? ends.length : free;
    // A bar without length still takes its place, so that two at one moment do not hide each other.
    ends[track] = Math.max(bar.to, bar.from + Number.EPSILON);
    return track;
  });
}

/** Length of the union of intervals: five branches of two seconds side by side are two seconds, not ten. */
export function unionLength(intervals: readonly { from: number; to: number }[]): number {
  const sorted = [...intervals].sort((a, b) => a.from - b.from);
  let total = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const interval of sorted) {
    if (interval.to <= end) continue;
    total += interval.to - Math.max(interval.from, end);
    end = interval.to;
  }
  return total;
}

const barOf = (visit: VisitSpan, axis: LaneAxis, index: TraceIndex): { from: number; to: number } => {
  if (axis === 'time') return { from: visit.start.at, to: visit.start.at + spanMs(visit, index.now) };
  return { from: visit.start.seq, to: Math.max(visit.start.seq, visit.end?.seq ?? index.last) };
};

const rank = (group: Group): number => {
  if (!group.id.startsWith('layer:')) return layerOrder.length;
  const place = layerOrder.indexOf(group.id.slice('layer:'.length));
  return place === -1 ? layerOrder.length - 1 : place;
};

/** One lane per control layer in layer order, then the flow nodes by first visit (one each when few, else by palette group). */
export function buildLanes(index: TraceIndex, options: LaneOptions): LaneView {
  const groupOf = grouping(index.visits, options);
  const groups = new Map<string, { group: Group; visits: VisitSpan[] }>();
  for (const visit of index.visits) {
    const group = groupOf(visit);
    const entry = groups.get(group.id);
    if (entry === undefined) groups.set(group.id, { group, visits: [visit] });
    else entry.visits.push(visit);
  }
  const lanes = [...groups.values()]
    .sort((a, b) => rank(a.group) - rank(b.group))
    .map(({ group, visits }): Lane => {
      const spans = visits
        .map((visit) => ({ visit, ...barOf(visit, options.axis, index) }))
        .sort((a, b) => a.from - b.from || a.visit.order - b.visit.order);
      const tracks = packTracks(spans);
      const bars = spans.map((span, i) => ({ ...span, track: tracks[i] ?? 0 }));
      const timed = visits.map((visit) => ({ from: visit.start.at, to: visit.start.at + spanMs(visit, index.now) }));
      return { ...group, bars, tracks: Math.max(1, ...tracks.map((track) => track + 1)), busyMs: unionLength(timed) };
    });
  const start = index.run.start;
  const from = options.axis === 'time' ? (start?.at ?? index.now) : Math.min(1, index.last);
  const to = options.axis === 'time' ? Math.max(index.now, from) : index.last;
  return { lanes, axis: options.axis, from, to };
}

/** Time when it shows the work; order when most visits would be thinner than a pixel or the run was over at once. */
export function preferredAxis(index: TraceIndex): LaneAxis {
  const total = index.now - (index.run.start?.at ?? index.now);
  if (total < 200 || index.visits.length === 0) return 'order';
  const visible = index.visits.filter((visit) => spanMs(visit, index.now) > total / 1000).length;
  return visible >= Math.min(4, index.visits.length / 4) ? 'time' : 'order';
}
