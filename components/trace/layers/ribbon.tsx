'use client';

import { type KeyboardEvent, useMemo, useRef } from 'react';
import { plainNumber } from '@/harness/trace/views/decision-words';
import { entryAt } from '@/harness/trace/views/layers/history';
import { type ControlSegment, controlReading, controlSegments, segmentAt } from '@/harness/trace/views/layers/ribbon';
import { Badge } from '../../ui/badge';
import { cn } from '../../ui/cn';
import { useTraceView } from '../trace-context';
import { controlLooks } from './control-words';
import { VisitDecisions, VisitLink } from './parts';
import { useLayers } from './use-layers';

/** Narrower than this a segment could not be hit; a ribbon of many segments scrolls instead. */
const narrowest = 14;

function Segment({ segment, current, tabbable }: { segment: ControlSegment; current: boolean; tabbable: boolean }) {
  const { index, setMoment, openVisit } = useTraceView();
  const look = controlLooks[segment.word];
  return (
    <li
      className="@container min-w-3.5 overflow-hidden border-surface border-r last:border-r-0"
      style={{ flexGrow: Math.max(1, segment.to - segment.from), flexBasis: 0 }}
    >
      <button
        type="button"
        tabIndex={tabbable ? 0 : -1}
        data-segment={segment.from}
        aria-current={current || undefined}
        aria-label={`${segment.word} from event ${segment.from} to ${segment.to}`}
        title={`${segment.word}, events ${segment.from} to ${segment.to}`}
        onClick={() => {
          setMoment(segment.from >= index.last ? null : segment.from);
          if (segment.visit !== undefined) openVisit(segment.visit);
        }}
        className={cn(
          'flex h-full w-full items-center gap-1 px-1 font-medium text-xs -outline-offset-2',
          look.className,
          current && 'shadow-[inset_0_-3px_0_currentColor]',
        )}
      >
        <look.icon aria-hidden size={12} className="hidden shrink-0 @min-[34px]:block" />
        <span className="hidden truncate @min-[84px]:inline">{segment.word}</span>
        <span className="@min-[34px]:hidden">{segment.word.slice(0, 1)}</span>
      </button>
    </li>
  );
}

/** Why the control state is what it is at the chosen moment. */
function Reasons({ segment }: { segment: ControlSegment }) {
  const { at } = useTraceView();
  const { points } = useLayers();
  const point = entryAt(points('controlState'), at);
  const reading = point === undefined ? null : controlReading(point.value);
  if (point === undefined || reading === null) return null;
  const look = controlLooks[reading.word];
  return (
    <div className="flex min-w-0 flex-wrap items-start gap-x-4 gap-y-1 text-xs">
      <p className="flex items-center gap-1.5">
        <span className={cn('inline-flex h-5 items-center gap-1 rounded-sm px-1.5 font-medium', look.className)}>
          <look.icon aria-hidden size={12} />
          {reading.word}
        </span>
        <span className="text-muted">{look.meaning}</span>
      </p>
      <p className="text-faint">
        since event {segment.from}, by <VisitLink wrote={{ seq: segment.from, visit: segment.visit }} />
        {point.seq === segment.from ? null : (
          <>
            {' '}
            · last confirmed by <VisitLink wrote={point} />
          </>
        )}
      </p>
      {reading.risk === null || reading.confidence === null ? null : (
        <p className="tabular text-faint">
          risk {plainNumber(reading.risk)} · confidence {plainNumber(reading.confidence)}
        </p>
      )}
      {reading.mask.length > 0 ? (
        <ul className="flex w-full flex-wrap gap-1.5" aria-label="What blocks">
          {reading.mask.map((reason) => (
            <li key={reason.dimension}>
              <Badge tone="fail">
                <span className="tabular">
                  {reason.dimension.replaceAll('_', ' ')} {plainNumber(reason.value)}
                </span>
                <span aria-hidden>→</span>
                <span className="sr-only">is recovered by</span>
                {reason.action.replaceAll('_', ' ')}
              </Badge>
            </li>
          ))}
        </ul>
      ) : null}
      {reading.notes.length > 0 ? (
        <ul className="w-full space-y-0.5 text-muted">
          {reading.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      <div className="w-full">
        <VisitDecisions visit={point.visit} limit={1} />
      </div>
    </div>
  );
}

/** The control state over the run: a segment for each stretch in which it said the same, each a way to the visit that decided it. */
export function ControlRibbon() {
  const { index, at } = useTraceView();
  const { points } = useLayers();
  const list = useRef<HTMLOListElement>(null);
  const control = points('controlState');
  const segments = useMemo(() => controlSegments(control, index.last), [control, index.last]);
  const current = segmentAt(segments, at);
  const first = segments[0];
  if (first === undefined) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -segments.length, End: segments.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const focused = event.target instanceof HTMLElement ? Number(event.target.dataset.segment) : Number.NaN;
    const place = segments.findIndex((segment) => segment.from === focused);
    const next = segments[Math.min(segments.length - 1, Math.max(0, place + step))];
    list.current?.querySelector<HTMLElement>(`[data-segment="${next?.from}"]`)?.focus();
  };
  // The part before the first decision belongs to the run too, so that the ribbon and the gauges below tell the same time.
  const lead = first.from - 1;
  const share = (at - 1) / Math.max(1, index.last - 1);
  return (
    <div className="space-y-2">
      <div className="overflow-x-auto rounded-md border border-line">
        <div className="relative flex h-7" style={{ minWidth: segments.length * narrowest }}>
          {lead > 0 ? <div className="bg-sunken" style={{ flexGrow: lead, flexBasis: 0 }} title="Before the first decision" /> : null}
          <ol
            ref={list}
            className="flex min-w-0"
            style={{ flexGrow: Math.max(1, index.last - lead), flexBasis: 0 }}
            aria-label="Control state over the run"
            onKeyDown={onKeyDown}
          >
            {segments.map((segment) => (
              <Segment key={segment.from} segment={segment} current={segment === current} tabbable={segment === (current ?? segments[0])} />
            ))}
          </ol>
          <span aria-hidden className="pointer-events-none absolute inset-y-0 w-px bg-accent" style={{ left: `${share * 100}%` }} />
        </div>
      </div>
      {current === undefined ? (
        <p className="text-faint text-xs">Control state has not decided anything yet at this moment.</p>
      ) : (
        <Reasons segment={current} />
      )}
    </div>
  );
}
