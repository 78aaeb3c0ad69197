import type { TraceIndex } from '@/harness/trace/views/trace-index';

/** Seqs at which a visit began or ended: the moments worth stopping at. */
function stopsOf(index: TraceIndex): number[] {
  const seqs = index.visits.flatMap((visit) => (visit.end === null ? [visit.start.seq] : [visit.start.seq, visit.end.seq]));
  return [...new Set(seqs)].sort((a, b) => a - b);
}

/** The next stop in a direction; null means the run as it stands. */
export function stepMoment(index: TraceIndex, at: number, direction: 1 | -1): number | null {
  const stops = stopsOf(index);
  if (direction === 1) return stops.find((seq) => seq > at) ?? null;
  for (let i = stops.length - 1; i >= 0; i -= 1) {
    const seq = stops[i];
    if (seq !== undefined && seq < at) return seq;
  }
  return 1;
}
