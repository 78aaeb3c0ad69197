import type { LaneBar, LaneView } from '@/harness/trace/views/lanes';
import type { Span } from '@/harness/trace/views/spans';
import { formatDuration } from '../../ui/format';
import type { BarBox, LaneLayout, LaneRow } from './lane-layout';
import { barHeight, boxOf, rulerHeight, thinnestBar, toPixels } from './lane-layout';
import type { LaneTheme } from './lane-theme';
import { axisMarks, type LaneWindow, timeMark } from './lane-window';

export interface LanePicture {
  view: LaneView;
  layout: LaneLayout;
  window: LaneWindow;
  width: number;
  height: number;
  scrollTop: number;
  theme: LaneTheme;
  now: number;
  last: number;
  /** Position of the chosen moment on the axis; null while following. */
  moment: number | null;
  momentSeq: number;
  selected: string | null;
  hovered: string | null;
  selectedNode: string | null;
  stops: readonly Span[];
  nodeLanes: boolean;
}

type Context = CanvasRenderingContext2D;
type Marks = ReturnType<typeof axisMarks>;

const onAxis = (span: Span, picture: LanePicture): { from: number; to: number } =>
  picture.view.axis === 'time'
    ? { from: span.start.at, to: Math.max(span.start.at, span.end?.at ?? picture.now) }
    : { from: span.start.seq, to: (span.end?.seq ?? picture.last) + 1 };

/** Slanted lines inside a box: a stretch in which nothing was done. */
function hatch(context: Context, box: { x: number; y: number; width: number; height: number }, color: string): void {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let x = box.x - box.height; x < box.x + box.width; x += 6) {
    context.moveTo(x, box.y + box.height);
    context.lineTo(x + box.height, box.y);
  }
  context.stroke();
  context.restore();
}

function paintLanesBackground(context: Context, picture: LanePicture): void {
  const { layout, theme, width } = picture;
  context.lineWidth = 1;
  for (const row of layout.rows) {
    context.strokeStyle = theme.line;
    context.globalAlpha = 0.7;
    context.beginPath();
    context.moveTo(0, row.top + row.height - 0.5);
    context.lineTo(width, row.top + row.height - 0.5);
    context.stroke();
  }
  context.globalAlpha = 1;
}

function paintMarks(context: Context, picture: LanePicture, height: number): Marks {
  const { theme, window, width } = picture;
  const offset = picture.view.axis === 'time' ? picture.view.from : 0;
  const relative = { from: window.from - offset, to: window.to - offset };
  const found = axisMarks(relative, width);
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.globalAlpha = 0.55;
  context.beginPath();
  for (const mark of found.marks) {
    const x = Math.round(toPixels(mark, relative, width)) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  context.stroke();
  context.globalAlpha = 1;
  return found;
}

const barColor = (bar: LaneBar, theme: LaneTheme): string => {
  if (bar.visit.status === 'failed') return theme.fail;
  if (bar.visit.status === 'waiting') return theme.waiting;
  if (bar.visit.status === 'running') return theme.running;
  if (bar.visit.status === 'cancelled' || bar.visit.status === 'disabled') return theme.skipped;
  if (bar.visit.status === 'pinned') return theme.waiting;
  return bar.visit.layer === 'flow' ? theme.neutral : theme.layer(bar.visit.layer);
};

function paintInner(context: Context, picture: LanePicture, bar: LaneBar, box: BarBox): void {
  const { theme, window, width } = picture;
  for (const wait of bar.visit.waits) {
    const span = onAxis(wait, picture);
    const x = toPixels(span.from, window, width);
    const length = toPixels(span.to, window, width) - x;
    if (length < 1) continue;
    context.globalAlpha = 0.4;
    hatch(context, { x, y: box.y, width: length, height: barHeight }, theme.waiting);
  }
  context.globalAlpha = 1;
  if (box.width < 8) return;
  for (const call of bar.visit.calls) {
    if (call.kind === 'effect') continue;
    const span = onAxis(call, picture);
    const x = Math.max(box.x + 3, toPixels(span.from, window, width));
    const length = Math.min(Math.max(2, toPixels(span.to, window, width) - x), box.x + box.width - x);
    if (length <= 0) continue;
    context.fillStyle =
      call.status === 'failed' || call.status === 'denied' ? theme.fail : call.kind === 'model' ? theme.running : theme.tool;
    context.fillRect(x, box.y + barHeight - 4, length, 3);
  }
}

function labelOf(bar: LaneBar, picture: LanePicture): string {
  const { visit } = bar;
  const mark = visit.status === 'failed' ? '× ' : '';
  const turn = visit.number > 1 ? `#${visit.number} ` : '';
  const duration = visit.durationMs === null ? '' : formatDuration(visit.durationMs);
  return picture.nodeLanes && visit.layer === 'flow' ? `${mark}${turn}${duration}` : `${mark}${turn}${visit.label}`;
}

function paintBar(context: Context, picture: LanePicture, bar: LaneBar, row: LaneRow): void {
  const { theme, selected, hovered, selectedNode } = picture;
  const box = boxOf(bar, row, picture.view, picture);
  if (box.x > picture.width || box.x + box.width < 0) return;
  const color = barColor(bar, theme);
  const future = picture.moment !== null && bar.visit.start.seq > picture.momentSeq;
  const fade = future || (selectedNode !== null && bar.visit.nodeId !== selectedNode) ? 0.35 : 1;
  const strong = bar.visit.id === selected || bar.visit.id === hovered;
  context.globalAlpha = fade * (strong ? 0.5 : 0.26);
  context.fillStyle = color;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, barHeight, Math.min(4, box.width / 2));
  context.fill();
  context.globalAlpha = fade;
  context.fillRect(box.x, box.y, Math.min(3, Math.max(thinnestBar - 1, box.width)), barHeight);
  if (fade === 1) paintInner(context, picture, bar, box);
  context.globalAlpha = fade;
  if (bar.visit.id === selected) {
    context.strokeStyle = theme.accent;
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(box.x - 1, box.y - 1, box.width + 2, barHeight + 2, 5);
    context.stroke();
  }
  const visibleFrom = Math.max(box.x, 0);
  const room = box.x + box.width - visibleFrom - 10;
  if (room < 22) return;
  const label = labelOf(bar, picture);
  context.save();
  context.beginPath();
  context.rect(visibleFrom, box.y, room + 8, barHeight);
  context.clip();
  context.fillStyle = theme.ink;
  context.fillText(label, visibleFrom + 7, box.y + barHeight / 2 - 0.5);
  context.restore();
}

function paintStops(context: Context, picture: LanePicture, height: number): void {
  for (const stop of picture.stops) {
    const span = onAxis(stop, picture);
    const x = toPixels(span.from, picture.window, picture.width);
    const width = toPixels(span.to, picture.window, picture.width) - x;
    if (width < 2) continue;
    context.globalAlpha = 0.25;
    hatch(context, { x, y: 0, width, height }, picture.theme.warn);
    context.globalAlpha = 1;
  }
}

function paintRuler(context: Context, picture: LanePicture, { marks, step }: Marks): void {
  const { theme, window, width, view } = picture;
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, width, rulerHeight);
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, rulerHeight - 0.5);
  context.lineTo(width, rulerHeight - 0.5);
  context.stroke();
  context.fillStyle = theme.faint;
  const offset = view.axis === 'time' ? view.from : 0;
  for (const mark of marks) {
    const x = toPixels(mark + offset, window, width);
    context.fillText(view.axis === 'time' ? timeMark(mark, step) : `#${mark}`, Math.max(4, x + 4), rulerHeight / 2);
  }
}

function paintMoment(context: Context, picture: LanePicture): void {
  if (picture.moment === null) return;
  const x = Math.round(toPixels(picture.moment, picture.window, picture.width)) + 0.5;
  context.strokeStyle = picture.theme.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, picture.height);
  context.stroke();
  context.fillStyle = picture.theme.accent;
  context.beginPath();
  context.moveTo(x - 5, 0);
  context.lineTo(x + 5, 0);
  context.lineTo(x, 7);
  context.fill();
}

/** Bars that fall on the same pixels of the same track as the one before are drawn once: ten thousand visits cost what fits on screen. */
function paintBars(context: Context, picture: LanePicture): void {
  const { layout, scrollTop, height } = picture;
  for (const row of layout.rows) {
    if (row.top + row.height < scrollTop || row.top > scrollTop + height) continue;
    const lastPixel = new Map<number, number>();
    for (const bar of row.lane.bars) {
      const box = boxOf(bar, row, picture.view, picture);
      const end = Math.floor(box.x + box.width);
      const special = bar.visit.id === picture.selected || bar.visit.id === picture.hovered || bar.visit.status === 'failed';
      if (box.width <= thinnestBar && lastPixel.get(bar.track) === end && !special) continue;
      lastPixel.set(bar.track, end);
      paintBar(context, picture, bar, row);
    }
  }
}

export function paintLanes(context: Context, picture: LanePicture): void {
  const { width, height, theme, scrollTop } = picture;
  context.clearRect(0, 0, width, height);
  context.font = `11.5px ${theme.font}`;
  context.textBaseline = 'middle';
  context.save();
  context.beginPath();
  context.rect(0, rulerHeight, width, height - rulerHeight);
  context.clip();
  context.translate(0, rulerHeight - scrollTop);
  paintLanesBackground(context, picture);
  const total = Math.max(picture.layout.height, height + scrollTop);
  const marks = paintMarks(context, picture, total);
  paintStops(context, picture, total);
  paintBars(context, picture);
  context.restore();
  paintRuler(context, picture, marks);
  paintMoment(context, picture);
}
