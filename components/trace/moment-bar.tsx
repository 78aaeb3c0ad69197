'use client';

import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { eventAt, visitOf } from '@/harness/trace/views/trace-index';
import { formatDuration, formatNumber } from '../ui/format';
import { IconButton } from '../ui/icon-button';
import { eventTitles } from './event-words';
import { stepMoment } from './step-moment';
import { useTraceView } from './trace-context';

/** Time travel: every view shows the run as it stood at the chosen event. */
export function MomentBar({ children }: { children?: ReactNode }) {
  const { index, at, following, setMoment } = useTraceView();
  const event = eventAt(index, at);
  const words = useMemo(() => {
    if (event === undefined) return '';
    const label = visitOf(index, event.visit)?.label ?? '';
    return [eventTitles[event.kind], label].filter(Boolean).join(' · ');
  }, [event, index]);
  const since = event === undefined || index.run.start === null ? 0 : event.at - index.run.start.at;
  const move = (seq: number | null): void => setMoment(seq !== null && seq >= index.last ? null : seq);
  return (
    <div className="flex h-9 shrink-0 items-center gap-1 border-line border-t bg-surface px-2">
      <IconButton
        size="sm"
        label="First event"
        tooltipSide="top"
        icon={<ChevronFirst size={14} />}
        disabled={at <= 1}
        onClick={() => move(1)}
      />
      <IconButton
        size="sm"
        label="Visit before"
        tooltipSide="top"
        icon={<ChevronLeft size={14} />}
        disabled={at <= 1}
        onClick={() => move(stepMoment(index, at, -1))}
      />
      <IconButton
        size="sm"
        label="Visit after"
        tooltipSide="top"
        icon={<ChevronRight size={14} />}
        disabled={following}
        onClick={() => move(stepMoment(index, at, 1))}
      />
      <IconButton
        size="sm"
        label="Now"
        tooltipSide="top"
        icon={<ChevronLast size={14} />}
        disabled={following}
        onClick={() => setMoment(null)}
      />
      <input
        type="range"
        aria-label="Moment of the run"
        aria-valuetext={`Event ${at} of ${index.last}, ${words}`}
        className="mx-2 h-1 min-w-16 flex-1 accent-accent"
        min={1}
        max={Math.max(1, index.last)}
        value={at}
        onChange={(change) => move(Number(change.currentTarget.value))}
      />
      <span className="tabular shrink-0 text-muted text-xs">
        {following ? <span className="text-ink">Now</span> : null} {formatNumber(at)} / {formatNumber(index.last)}
      </span>
      <span className="tabular min-w-16 shrink-0 whitespace-nowrap text-right text-faint text-xs">{formatDuration(since)}</span>
      <span className="hidden w-56 shrink-0 truncate pl-2 text-muted text-xs @min-[760px]:inline" title={words}>
        {words}
      </span>
      {children}
    </div>
  );
}
