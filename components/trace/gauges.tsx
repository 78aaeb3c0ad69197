'use client';

import { useMemo } from 'react';
import { isJsonObject, type Json } from '@/harness/contract/json';
import { plainNumber, plainValue } from '@/harness/trace/views/decision-words';
import { type ChannelPoint, channelSeries, type NumberSeries, numberSeries, pointAt, thresholdsFor } from '@/harness/trace/views/series';
import type { ChannelValues } from '@/harness/trace/views/state';
import { cn } from '../ui/cn';
import { layerColor } from '../ui/layer-chip';
import { useTraceView } from './trace-context';

const [chartWidth, chartHeight] = [160, 36];

/** One number over the run, with the thresholds rules held it against. */
function Gauge({ series }: { series: NumberSeries }) {
  const { index, at } = useTraceView();
  const thresholds = thresholdsFor(index, series, index.last);
  const now = pointAt(series.points, at);
  const all = [...series.points.map((point) => point.value), ...thresholds];
  const low = Math.min(0, ...all);
  const high = Math.max(1, ...all);
  const x = (seq: number): number => (seq / Math.max(1, index.last)) * chartWidth;
  const y = (value: number): number => chartHeight - 2 - ((value - low) / (high - low)) * (chartHeight - 4);
  // A value holds until the next one: steps, not slopes.
  const path = series.points
    .map((point, i) => (i === 0 ? `M${x(point.seq)},${y(point.value)}` : `H${x(point.seq)}V${y(point.value)}`))
    .join('');
  const below = now === undefined ? 0 : thresholds.filter((threshold) => now.value < threshold).length;
  return (
    <figure className="min-w-0 rounded-md border border-line bg-surface p-2">
      <figcaption className="flex items-baseline justify-between gap-2 text-xs">
        <span className="truncate text-muted" title={series.path}>
          {series.name.replaceAll('_', ' ')}
        </span>
        <span className={cn('tabular font-medium', below > 0 ? 'text-warn' : 'text-ink')}>
          {now === undefined ? '–' : plainNumber(now.value)}
          {below > 0 ? <span className="sr-only"> below {below === 1 ? 'a threshold' : `${below} thresholds`}</span> : null}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${chartWidth} ${chartHeight}`}
        preserveAspectRatio="none"
        className="mt-1 h-9 w-full"
        role="img"
        aria-label={`${series.name} over the run`}
      >
        {thresholds.map((threshold) => (
          <line
            key={threshold}
            x1={0}
            x2={chartWidth}
            y1={y(threshold)}
            y2={y(threshold)}
            stroke="var(--warn)"
            strokeWidth={1}
            strokeDasharray="3 3"
            opacity={0.7}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <path
          d={`${path}H${chartWidth}`}
          fill="none"
          stroke={layerColor('diagnostics')}
          strokeWidth={1.75}
          vectorEffect="non-scaling-stroke"
        />
        <line x1={x(at)} x2={x(at)} y1={0} y2={chartHeight} stroke="var(--accent)" strokeWidth={1} vectorEffect="non-scaling-stroke" />
      </svg>
      {thresholds.length > 0 ? (
        <p className="tabular text-faint text-xs">
          {thresholds.length === 1 ? 'threshold' : 'thresholds'} {thresholds.map(plainNumber).join(', ')}
        </p>
      ) : null}
    </figure>
  );
}

const wordOf = (value: Json): string => {
  if (!isJsonObject(value)) return plainValue(value, 30);
  for (const key of ['risk_summary', 'execution_mode', 'permission', 'mode', 'state']) {
    const word = value[key];
    if (typeof word === 'string') return word;
  }
  return plainValue(value, 30);
};

const tones: readonly { words: readonly string[]; className: string }[] = [
  { words: ['BLOCKED', 'DENY', 'RECOVERY'], className: 'bg-fail-soft text-fail' },
  { words: ['CAUTIOUS', 'CAUTION'], className: 'bg-warn-soft text-warn' },
  { words: ['HUMAN', 'ESCALATE'], className: 'bg-waiting-soft text-waiting' },
  { words: ['NORMAL', 'ALLOW'], className: 'bg-ok-soft text-ok' },
];
const toneOf = (word: string): string =>
  tones.find((tone) => tone.words.some((known) => word.toUpperCase().includes(known)))?.className ?? 'bg-hover text-muted';

/** The control state over the run: one segment for each stretch in which it stayed the same. */
function Ribbon({ points }: { points: readonly ChannelPoint[] }) {
  const { index, setMoment } = useTraceView();
  const segments: { word: string; from: number; to: number }[] = [];
  for (const point of points) {
    const last = segments[segments.length - 1];
    const word = wordOf(point.value);
    if (last !== undefined) last.to = point.seq;
    if (last?.word !== word) segments.push({ word, from: point.seq, to: index.last });
    else last.to = index.last;
  }
  return (
    <ol className="flex h-6 overflow-hidden rounded-md border border-line" aria-label="Control state over the run">
      {segments.map((segment) => (
        <li
          key={segment.from}
          className="min-w-4 overflow-hidden border-line border-r last:border-r-0"
          style={{ flexGrow: Math.max(1, segment.to - segment.from), flexBasis: 0 }}
        >
          <button
            type="button"
            title={`${segment.word} from event ${segment.from}`}
            onClick={() => setMoment(segment.from)}
            className={cn('h-full w-full truncate px-1.5 text-left font-medium text-xs', toneOf(segment.word))}
          >
            {segment.word}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Gauges for the diagnostics and a ribbon for the control state; nothing while a run has neither channel. */
export function GaugePanel({ channels }: { channels: ChannelValues }) {
  const { index } = useTraceView();
  const series = useMemo(() => numberSeries(channelSeries(index, 'diagnostics', channels)), [index, channels]);
  const control = useMemo(() => channelSeries(index, 'controlState', channels), [index, channels]);
  if (series.length === 0 && control.length === 0) return null;
  return (
    <section aria-label="Diagnostics and control state" className="mb-3 space-y-3">
      {control.length > 0 ? <Ribbon points={control} /> : null}
      {series.length > 0 ? (
        <div className="grid grid-cols-2 gap-2 @min-[640px]:grid-cols-3 @min-[900px]:grid-cols-5">
          {series.map((one) => (
            <Gauge key={one.path} series={one} />
          ))}
        </div>
      ) : null}
    </section>
  );
}
