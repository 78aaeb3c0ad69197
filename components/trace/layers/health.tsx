'use client';

import { ArrowDown, ArrowDownToLine, Check, X } from 'lucide-react';
import { type KeyboardEvent, memo, type PointerEvent, useMemo, useState } from 'react';
import { decisionBrief, decisionLine, plainNumber } from '@/harness/trace/views/decision-words';
import {
  type Band,
  bandOf,
  type GaugeFacts,
  type GaugePoint,
  gaugeList,
  gaugePoints,
  gaugeWords,
} from '@/harness/trace/views/layers/gauges';
import { entryAt, placeAt, pointsOf } from '@/harness/trace/views/layers/history';
import { sparkX, sparkY, stepPath } from '@/harness/trace/views/layers/spark';
import { entriesOfVisit } from '@/harness/trace/views/layers/visit-decisions';
import { cn } from '../../ui/cn';
import { IconButton } from '../../ui/icon-button';
import { layerColor } from '../../ui/layer-chip';
import { useTraceView } from '../trace-context';
import { LayerEmpty, useVisitTitle, VisitLink } from './parts';
import { useLayers } from './use-layers';

const [chartWidth, chartHeight] = [200, 40];

const bandLooks: Readonly<Record<Band, { text: string; className: string; icon: typeof Check }>> = {
  critical: { text: 'critical', className: 'text-fail', icon: ArrowDownToLine },
  caution: { text: 'caution', className: 'text-warn', icon: ArrowDown },
  well: { text: 'well', className: 'text-ok', icon: Check },
};

interface Probe {
  name: GaugeFacts['name'];
  seq: number;
}

/** The line of one dimension; drawn again only when the run has grown. */
const Line = memo(function Line({ name, points, last }: { name: GaugeFacts['name']; points: readonly GaugePoint[]; last: number }) {
  const box = { from: 1, to: last, width: chartWidth, height: chartHeight };
  const path = stepPath(
    points.map((point) => ({ seq: point.seq, value: point.health[name] })),
    box,
  );
  return <path d={path} fill="none" stroke={layerColor('diagnostics')} strokeWidth={1.75} vectorEffect="non-scaling-stroke" />;
});

function Gauge({
  facts,
  points,
  probe,
  onProbe,
}: {
  facts: GaugeFacts;
  points: readonly GaugePoint[];
  probe: Probe | null;
  onProbe: (probe: Probe | null) => void;
}) {
  const { index, at, setMoment } = useTraceView();
  const { settings } = useLayers();
  const visitTitle = useVisitTitle();
  const box = { from: 1, to: index.last, width: chartWidth, height: chartHeight };
  const seq = probe?.seq ?? at;
  const point = entryAt(points, seq);
  const value = point?.health[facts.name] ?? null;
  const look = value === null ? null : bandLooks[bandOf(value, settings)];
  const words = value === null ? 'no value yet' : gaugeWords(value, settings);
  const active = probe?.name === facts.name;
  const go = (target: GaugePoint | undefined): void => {
    if (target !== undefined) onProbe({ name: facts.name, seq: target.seq });
  };
  const moveTo = (target: GaugePoint | undefined): void => {
    if (target !== undefined) setMoment(target.seq >= index.last ? null : target.seq);
  };
  const onPointer = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const under = 1 + Math.round(((event.clientX - left) / Math.max(1, width)) * Math.max(0, index.last - 1));
    go(entryAt(points, under) ?? points[0]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const place = placeAt(points, seq);
    if (event.key === 'ArrowLeft') go(points[Math.max(0, place - (active ? 1 : 0))]);
    else if (event.key === 'ArrowRight') go(points[Math.min(points.length - 1, place + 1)]);
    else if (event.key === 'Home') go(points[0]);
    else if (event.key === 'End') go(points[points.length - 1]);
    else if (event.key === 'Enter') moveTo(point);
    else if (event.key === 'Escape' && active) onProbe(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <figure
      className={cn('min-w-0 rounded-md border bg-surface p-2', active ? 'border-accent-line' : 'border-line')}
      aria-label={facts.title}
    >
      <figcaption className="flex min-w-0 items-baseline justify-between gap-2 text-xs">
        <span
          className="truncate text-muted"
          title={facts.inverted ? `${facts.title}, shown as health: 1 minus what is stored` : facts.title}
        >
          {facts.title}
          {facts.inverted ? <span className="text-faint"> (as health)</span> : null}
        </span>
        <span className={cn('tabular flex shrink-0 items-center gap-1 font-medium', look?.className ?? 'text-faint')}>
          {look === null ? null : <look.icon aria-hidden size={12} />}
          {value === null ? '–' : plainNumber(value)}
          {look === null ? null : <span className="sr-only"> {look.text}</span>}
        </span>
      </figcaption>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${facts.title} over the run`}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={value ?? 0}
        aria-valuetext={
          point === undefined ? words : `${plainNumber(value ?? 0)}, ${words}, event ${point.seq}, ${visitTitle(point.visit)}`
        }
        className="mt-1 cursor-crosshair rounded-sm"
        onPointerMove={onPointer}
        onClick={() => moveTo(point)}
        onKeyDown={onKeyDown}
      >
        <svg viewBox={`0 0 ${chartWidth} ${chartHeight}`} preserveAspectRatio="none" className="h-10 w-full" aria-hidden>
          <rect
            x={0}
            width={chartWidth}
            y={sparkY(settings.critical, box)}
            height={chartHeight - sparkY(settings.critical, box)}
            fill="var(--fail-soft)"
          />
          <rect
            x={0}
            width={chartWidth}
            y={sparkY(settings.caution, box)}
            height={Math.max(0, sparkY(settings.critical, box) - sparkY(settings.caution, box))}
            fill="var(--warn-soft)"
          />
          {[
            { at: settings.critical, colour: 'var(--fail)', dash: undefined },
            { at: settings.caution, colour: 'var(--warn)', dash: '3 3' },
          ].map((line) => (
            <line
              key={line.colour}
              x1={0}
              x2={chartWidth}
              y1={sparkY(line.at, box)}
              y2={sparkY(line.at, box)}
              stroke={line.colour}
              strokeWidth={1}
              strokeDasharray={line.dash}
              opacity={0.75}
              vectorEffect="non-scaling-stroke"
            />
          ))}
          <Line name={facts.name} points={points} last={index.last} />
          <line
            x1={sparkX(seq, box)}
            x2={sparkX(seq, box)}
            y1={0}
            y2={chartHeight}
            stroke="var(--accent)"
            strokeWidth={active ? 1.5 : 1}
            opacity={probe === null || active ? 1 : 0.5}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </div>
      <p
        className={cn('tabular mt-0.5 truncate text-xs', look === null || look.text === 'well' ? 'text-faint' : look.className)}
        title={words}
      >
        {words}
      </p>
    </figure>
  );
}

/** What stood at the probed point: value, visit, its decision, and what control state made of it. */
function Readout({ probe, points, onClose }: { probe: Probe; points: readonly GaugePoint[]; onClose: () => void }) {
  const { index } = useTraceView();
  const { history, branch, settings } = useLayers();
  const facts = gaugeList.find((gauge) => gauge.name === probe.name);
  const point = entryAt(points, probe.seq);
  if (facts === undefined || point === undefined) return null;
  const value = point.health[facts.name];
  const own = entriesOfVisit(index, point.visit)[0];
  const control = pointsOf(history, branch?.id ?? '', 'controlState').find((candidate) => candidate.seq > point.seq);
  const verdict = entriesOfVisit(index, control?.visit)[0];
  return (
    <div className="flex items-start gap-2 rounded-md border border-accent-line bg-sunken px-3 py-2 text-xs">
      <div className="min-w-0 flex-1 space-y-1">
        <p>
          <span className="font-medium">{facts.title}</span> <span className="tabular font-medium">{plainNumber(value)}</span>{' '}
          <span className="text-muted">{gaugeWords(value, settings)}</span>
          {facts.inverted ? <span className="text-faint"> · stored as {plainNumber(1 - value)}</span> : null}
          <span className="text-faint"> · event {point.seq}, </span>
          <VisitLink wrote={point} />
        </p>
        {own === undefined ? null : (
          <p className="truncate font-mono text-muted" title={decisionLine(own.decision)}>
            {decisionBrief(own.decision)}
          </p>
        )}
        {control === undefined || verdict === undefined ? null : (
          <p className="truncate" title={decisionLine(verdict.decision)}>
            <span className="text-faint">then </span>
            <VisitLink wrote={control} />
            <span className="font-mono text-muted"> {decisionBrief(verdict.decision)}</span>
          </p>
        )}
      </div>
      <IconButton size="sm" label="Close the reading" icon={<X size={14} />} onClick={onClose} />
    </div>
  );
}

/** The ten dimensions over the run, each against the two thresholds of control state. */
export function HealthSection() {
  const { at, following } = useTraceView();
  const { points, settings } = useLayers();
  // A reading belongs to the moment it was taken at: choosing another lets go of it, a run that goes on does not.
  const moment = following ? null : at;
  const [held, setHeld] = useState<{ probe: Probe; moment: number | null } | null>(null);
  const probe = held !== null && held.moment === moment ? held.probe : null;
  const setProbe = (next: Probe | null): void => setHeld(next === null ? null : { probe: next, moment });
  const written = points('diagnostics');
  const gauges = useMemo(() => gaugePoints(written), [written]);
  if (gauges.length === 0) return <LayerEmpty type="diagnostics" title="Diagnostics" what="gauges" />;
  return (
    <div className="@container min-h-0 flex-1 space-y-3 overflow-y-auto p-3">
      {/* One height for both, so that pointing at a line does not move it. */}
      <div className="sticky top-0 z-10 min-h-20">
        {probe === null ? (
          <p className="text-faint text-xs">
            Health from 0 to 1. Below <span className="tabular text-fail">{plainNumber(settings.critical)}</span> (critical, solid line) a
            dimension blocks; below <span className="tabular text-warn">{plainNumber(settings.caution)}</span> (caution, dashed) it calls
            for care. Point at a line or use the arrow keys on it; Enter goes to that moment.
          </p>
        ) : (
          <Readout probe={probe} points={gauges} onClose={() => setProbe(null)} />
        )}
      </div>
      <div className="grid grid-cols-1 gap-2 @min-[420px]:grid-cols-2 @min-[720px]:grid-cols-3 @min-[1000px]:grid-cols-5">
        {gaugeList.map((facts) => (
          <Gauge key={facts.name} facts={facts} points={gauges} probe={probe} onProbe={setProbe} />
        ))}
      </div>
    </div>
  );
}
