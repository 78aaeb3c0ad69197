'use client';

import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { categories } from '@/harness/contract/layers';
import { buildLanes, type LaneAxis, type LaneBar, preferredAxis } from '@/harness/trace/views/lanes';
import { seqAtTime } from '@/harness/trace/views/trace-index';
import { catalogue } from '@/nodes/catalog';
import { cn } from '../../ui/cn';
import { formatDuration } from '../../ui/format';
import { IconButton } from '../../ui/icon-button';
import { useTraceView } from '../trace-context';
import { LaneLabels } from './lane-labels';
import { barAt, domainOf, fromPixels, layoutLanes, neighbourBar, rulerHeight } from './lane-layout';
import { LaneTip } from './lane-tip';
import { type LaneWindow, panWindow, revealInWindow, zoomWindow } from './lane-window';
import { useLanePaint, useLaneTheme, useSize, useTicking } from './use-lane-canvas';

const labelWidth = 176;

function categoryOf(type: string): { id: string; title: string } | undefined {
  const manifest = catalogue.nodes.get(type);
  return manifest === undefined ? undefined : { id: manifest.category, title: categories[manifest.category].title };
}

const directions: Readonly<Record<string, 'left' | 'right' | 'up' | 'down'>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

function AxisSwitch({ axis, onAxis }: { axis: LaneAxis; onAxis: (axis: LaneAxis) => void }) {
  const option = (value: LaneAxis, label: string, title: string) => (
    <button
      type="button"
      title={title}
      aria-pressed={axis === value}
      onClick={() => onAxis(value)}
      className={cn('h-5 rounded-sm px-1.5 text-xs', axis === value ? 'bg-surface text-ink shadow-card' : 'text-muted hover:text-ink')}
    >
      {label}
    </button>
  );
  return (
    <div className="flex rounded-md bg-hover p-px">
      {option('time', 'Time', 'Bars by the run’s clock')}
      {option('order', 'Events', 'One unit per event: short steps stay visible beside long waits')}
    </div>
  );
}

/** One row per layer or node, one bar per visit. Wheel or plus and minus zoom, dragging or Shift with arrows pans, arrows walk the visits. */
export function LanesTab() {
  const trace = useTraceView();
  const { index, selection, at, following } = trace;
  const [chosenAxis, setAxis] = useState<LaneAxis | null>(null);
  const [chosenWindow, setWindow] = useState<LaneWindow | null>(null);
  const [hover, setHover] = useState<{ bar: LaneBar; x: number; y: number } | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<{ x: number; window: LaneWindow; moved: boolean; scrub: boolean } | null>(null);
  const theme = useLaneTheme(scroller);
  const outer = useSize(scroller);
  const { width } = useSize(area);
  const moving = index.run.status === 'running' || index.run.status === 'waiting';
  const tick = useTicking(moving && following);

  const axis = chosenAxis ?? preferredAxis(index);
  const shown = useMemo(() => (tick === null ? index : { ...index, now: Math.max(index.now, tick) }), [index, tick]);
  const view = useMemo(() => buildLanes(shown, { axis, categoryOf }), [shown, axis]);
  const layout = useMemo(() => layoutLanes(view), [view]);
  const domain = domainOf(view);
  const window = chosenWindow ?? domain;
  const selected = selection !== null && selection.kind !== 'run' ? selection.visit : null;
  const momentAt = axis === 'order' ? at + 1 : (index.events[at - 1]?.at ?? 0);

  const scrollPaint = useLanePaint(
    canvas,
    theme === null || width === 0
      ? null
      : {
          view,
          layout,
          window,
          width,
          height: outer.height,
          theme,
          now: shown.now,
          last: index.last,
          moment: following ? null : momentAt,
          momentSeq: at,
          selected,
          hovered: hover?.bar.visit.id ?? null,
          selectedNode: trace.selectedNode,
          stops: index.stops,
          nodeLanes: view.lanes.some((lane) => lane.id.startsWith('node:')),
        },
  );

  // A window chosen on one axis means nothing on the other, nor in another run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the axis and the run are what this resets on
  useEffect(() => setWindow(null), [axis, trace.runId]);

  const wheel = (event: WheelEvent): void => {
    const fits = layout.height + rulerHeight <= outer.height;
    const zoom = event.ctrlKey || event.metaKey || (fits && !event.shiftKey && Math.abs(event.deltaY) > Math.abs(event.deltaX));
    if (zoom) {
      event.preventDefault();
      const x = event.clientX - (canvas.current?.getBoundingClientRect().left ?? 0);
      setWindow(zoomWindow(window, domain, Math.exp(-event.deltaY * 0.0025), fromPixels(x, window, width)));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      setWindow(panWindow(window, domain, (event.deltaX || event.deltaY) / Math.max(1, width)));
    }
  };
  const latestWheel = useRef(wheel);
  latestWheel.current = wheel;
  useEffect(() => {
    const target = area.current;
    // React's own wheel listener is passive and could not keep the page from zooming.
    const handle = (event: WheelEvent): void => latestWheel.current(event);
    target?.addEventListener('wheel', handle, { passive: false });
    return () => target?.removeEventListener('wheel', handle);
  }, []);

  const pointOf = (event: PointerEvent): { x: number; y: number; inRuler: boolean } => {
    const box = canvas.current?.getBoundingClientRect();
    const [x, y] = [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
    return { x, y: y - rulerHeight + (scroller.current?.scrollTop ?? 0), inRuler: y < rulerHeight };
  };
  const scrubTo = (x: number): void => {
    const value = fromPixels(x, window, width);
    const seq = axis === 'order' ? Math.round(value - 0.5) : seqAtTime(index, value);
    trace.setMoment(seq >= index.last ? null : Math.max(1, seq));
  };
  const zoomBy = (factor: number): void => setWindow(zoomWindow(window, domain, factor, (window.from + window.to) / 2));

  const onPointerMove = (event: PointerEvent): void => {
    const point = pointOf(event);
    const held = drag.current;
    if (held?.scrub) scrubTo(point.x);
    else if (held !== null) {
      held.moved ||= Math.abs(point.x - held.x) > 4;
      if (held.moved) setWindow(panWindow(held.window, domain, (held.x - point.x) / Math.max(1, width)));
    } else {
      const bar = point.inRuler ? null : barAt(layout, view, { window, width }, point);
      if (bar === null) setHover(null);
      else setHover({ bar, x: point.x, y: point.y + rulerHeight });
    }
  };
  const onPointerUp = (event: PointerEvent): void => {
    const held = drag.current;
    drag.current = null;
    if (held === null || held.moved || held.scrub) return;
    const bar = barAt(layout, view, { window, width }, pointOf(event));
    if (bar !== null) trace.openVisit(bar.visit.id);
    else trace.select(null);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = directions[event.key];
    if (direction !== undefined && event.shiftKey && (direction === 'left' || direction === 'right')) {
      setWindow(panWindow(window, domain, direction === 'left' ? -0.25 : 0.25));
    } else if (direction !== undefined) {
      const current = layout.rows.flatMap((row) => row.lane.bars).find((bar) => bar.visit.id === selected) ?? null;
      const next = neighbourBar(layout, current, direction);
      if (next === null) return;
      if (chosenWindow !== null) setWindow(revealInWindow(chosenWindow, domain, { from: next.from, to: next.to }));
      trace.openVisit(next.visit.id);
    } else if (event.key === '+' || event.key === '=') zoomBy(1.5);
    else if (event.key === '-' || event.key === '_') zoomBy(1 / 1.5);
    else if (event.key === '0') setWindow(null);
    else if (event.key === 'Escape') trace.select(null);
    else return;
    event.preventDefault();
  };

  const selectedBar = selected === null ? undefined : index.visits.find((visit) => visit.id === selected);
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="img"
        aria-label="Visits over time, by layer. Arrow keys walk the visits; the Spans tab has the same as a tree."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={(event) => scrollPaint(event.currentTarget.scrollTop)}
        className="relative min-h-0 flex-1 overflow-y-auto overflow-x-hidden outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--ring)]"
      >
        <div className="flex min-h-full" style={{ height: layout.height + rulerHeight }}>
          <div className="shrink-0 border-line border-r bg-surface" style={{ width: labelWidth }}>
            <div
              className="sticky top-0 z-10 flex items-center justify-between border-line border-b bg-surface pr-2 pl-3"
              style={{ height: rulerHeight }}
            >
              <AxisSwitch axis={axis} onAxis={setAxis} />
            </div>
            <LaneLabels layout={layout} />
          </div>
          <div ref={area} className="relative min-w-0 flex-1">
            <canvas
              ref={canvas}
              className={cn('sticky top-0 block touch-none', hover ? 'cursor-pointer' : 'cursor-default')}
              style={{ width, height: outer.height }}
              onPointerDown={(event) => {
                const point = pointOf(event);
                event.currentTarget.setPointerCapture(event.pointerId);
                setHover(null);
                drag.current = { x: point.x, window, moved: false, scrub: point.inRuler };
                if (point.inRuler) scrubTo(point.x);
              }}
              onPointerMove={onPointerMove}
              onPointerUp={onPointerUp}
              onPointerLeave={() => setHover(null)}
              onDoubleClick={() => setWindow(null)}
            />
            {hover === null ? null : <LaneTip bar={hover.bar} index={shown} x={hover.x} y={hover.y} maxX={width} />}
          </div>
        </div>
      </div>
      <div className="absolute right-2 bottom-2 flex rounded-md border border-line bg-surface shadow-card">
        <IconButton
          size="sm"
          label="Zoom out"
          shortcut="-"
          tooltipSide="top"
          icon={<ZoomOut size={14} />}
          onClick={() => zoomBy(1 / 1.5)}
        />
        <IconButton size="sm" label="Zoom in" shortcut="+" tooltipSide="top" icon={<ZoomIn size={14} />} onClick={() => zoomBy(1.5)} />
        <IconButton
          size="sm"
          label="Show the whole run"
          shortcut="0"
          tooltipSide="top"
          icon={<Maximize2 size={14} />}
          onClick={() => setWindow(null)}
        />
      </div>
      <p className="sr-only" aria-live="polite">
        {selectedBar === undefined
          ? ''
          : `${selectedBar.label}, visit ${selectedBar.number}, ${selectedBar.status}${selectedBar.durationMs === null ? '' : `, ${formatDuration(selectedBar.durationMs)}`}`}
      </p>
    </div>
  );
}
