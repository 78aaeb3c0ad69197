import type { Clock } from '../engine/host';

/** A clock that moves only when told to: `advance` fires what is due, in time order. */
export class VirtualClock implements Clock {
  private time: number;
  private next = 0;
  private readonly timers = new Map<number, { at: number; callback: () => void }>();

  constructor(start = 1_767_268_800_000) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  wakeAt(at: number, callback: () => void): () => void {
    const id = this.next++;
    this.timers.set(id, { at, callback });
    return () => this.timers.delete(id);
  }

  /** Milliseconds until the next timer, or null when none is set. */
  untilNext(): number | null {
    const due = [...this.timers.values()].map((timer) => timer.at);
    return due.length === 0 ? null : Math.max(0, Math.min(...due) - this.time);
  }

  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const due = [...this.timers.entries()].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
      if (!due) break;
      this.timers.delete(due[0]);
      this.time = Math.max(this.time, due[1].at);
      due[1].callback();
    }
    this.time = end;
  }
}
