/** The stretch of the horizontal axis that is on screen, in the axis's own unit (milliseconds or events). */
export interface LaneWindow {
  from: number;
  to: number;
}

/** Narrowest stretch one can zoom to. */
const narrowest = 2;

const length = (window: LaneWindow): number => window.to - window.from;

/** Keeps a window inside the domain without changing its length, unless it is longer than the domain. */
export function clampWindow(window: LaneWindow, domain: LaneWindow): LaneWindow {
  const wanted = Math.min(Math.max(length(window), Math.min(narrowest, length(domain))), length(domain));
  const from = Math.min(Math.max(window.from, domain.from), domain.to - wanted);
  return { from, to: from + wanted };
}

/** Zooms by `factor` (above 1 = closer) so that the value under `anchor` stays where it is. */
export function zoomWindow(window: LaneWindow, domain: LaneWindow, factor: number, anchor: number): LaneWindow {
  const wanted = Math.min(Math.max(length(window) / factor, narrowest), Math.max(length(domain), narrowest));
  const share = length(window) === 0 ? 0.5 : (anchor - window.from) / length(window);
  const from = anchor - share * wanted;
  return clampWindow({ from, to: from + wanted }, domain);
}

/** Moves by a share of what is visible: 1 is one screen to the right. */
export const panWindow = (window: LaneWindow, domain: LaneWindow, share: number): LaneWindow => {
  const by = length(window) * share;
  return clampWindow({ from: window.from + by, to: window.to + by }, domain);
};

/** Moves as little as needed for a stretch to be seen. */
export function revealInWindow(window: LaneWindow, domain: LaneWindow, target: LaneWindow): LaneWindow {
  if (target.from >= window.from && target.to <= window.to) return window;
  const margin = length(window) * 0.1;
  const from = target.from < window.from ? target.from - margin : Math.min(target.to + margin - length(window), target.from - margin);
  return clampWindow({ from, to: from + length(window) }, domain);
}

/** Whole steps of 1, 2 or 5 times a power of ten, about one mark every `spacing` pixels. */
export function axisMarks(window: LaneWindow, width: number, spacing = 90): { marks: number[]; step: number } {
  const rough = length(window) / Math.max(1, width / spacing);
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = Math.max(1, [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough) ?? power * 10);
  const marks: number[] = [];
  for (let at = Math.ceil(window.from / step) * step; at <= window.to && marks.length < 200; at += step) marks.push(at);
  return { marks, step };
}

/** A mark of a time axis, written as exactly as the step between marks asks for: no two marks read the same. */
export function timeMark(milliseconds: number, step: number): string {
  if (milliseconds < 1_000 && step < 1_000) return `${milliseconds} ms`;
  const decimals = step >= 1_000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(decimals)} s`;
  const seconds = (milliseconds % 60_000) / 1_000;
  const text = seconds.toFixed(decimals).padStart(decimals === 0 ? 2 : decimals + 3, '0');
  const minutes = Math.floor(milliseconds / 60_000);
  return minutes < 60 ? `${minutes}:${text}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${text}`;
}
