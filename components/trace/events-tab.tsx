'use client';

import { useMemo, useState } from 'react';
import type { Json } from '@/harness/contract/json';
import type { TraceEvent } from '@/harness/trace/events';
import { visitOf } from '@/harness/trace/views/trace-index';
import { cn } from '../ui/cn';
import { CopyButton } from '../ui/copy-button';
import { EmptyState } from '../ui/empty-state';
import { formatDuration } from '../ui/format';
import { JsonView } from '../ui/json-view';
import { eventSummary, eventTitles } from './event-words';
import { FacetMenu } from './facet-menu';
import { Resolved } from './payload';
import { SearchField } from './search-field';
import { useTraceView } from './trace-context';
import { VirtualList } from './virtual-list';

/** An event as plain JSON. */
const asJson = (event: TraceEvent): Json =>
  event as Json; /* every event is plain JSON by its schema; optional fields are absent, not undefined */

const matches = (event: TraceEvent, words: readonly string[]): boolean => {
  if (words.length === 0) return true;
  const text = `${event.kind} ${event.nodeId ?? ''} ${eventSummary(event)}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** The log itself: what every other view is folded from. */
export function EventsTab() {
  const { index, at, following, setMoment, openVisit } = useTraceView();
  const [text, setText] = useState('');
  const [kinds, setKinds] = useState<string[]>([]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const event of index.events) found.set(event.kind, (found.get(event.kind) ?? 0) + 1);
    return [...found].map(([id, count]) => ({ id, label: id, count }));
  }, [index.events]);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return index.events.filter((event) => (kinds.length === 0 || kinds.includes(event.kind)) && matches(event, words));
  }, [index.events, kinds, text]);
  const start = index.run.start?.at ?? 0;
  const toggle = (seq: number): void => {
    const next = new Set(open);
    if (!next.delete(seq)) next.add(seq);
    setOpen(next);
  };
  const active = following ? undefined : shown.findIndex((event) => event.seq >= at);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
        <SearchField label="Filter events" value={text} onChange={setText} />
        <FacetMenu label="Kind" options={counts} chosen={kinds} onChosen={setKinds} />
        <span className="tabular ml-auto text-faint text-xs">
          {shown.length === index.events.length ? shown.length : `${shown.length} of ${index.events.length}`}
        </span>
        <CopyButton label="Copy the events shown" text={() => shown.map((event) => JSON.stringify(event)).join('\n')} />
      </div>
      {shown.length === 0 ? (
        <EmptyState title="No event passes these filters">Clear a filter to see more.</EmptyState>
      ) : (
        <VirtualList
          label="Events"
          items={shown}
          keyOf={(event) => event.seq}
          estimate={28}
          active={active}
          render={(event) => (
            <div
              className={cn(
                'border-line/70 border-b',
                !following && event.seq > at && 'opacity-45',
                !following && event.seq === at && 'bg-accent-soft',
              )}
            >
              <div className="flex h-7 items-center gap-3 pr-3 pl-2 text-xs hover:bg-hover">
                <button
                  type="button"
                  aria-expanded={open.has(event.seq)}
                  onClick={() => toggle(event.seq)}
                  className="flex h-7 min-w-0 flex-1 items-center gap-3 text-left"
                >
                  <span className="tabular w-12 shrink-0 text-right text-faint">{event.seq}</span>
                  <span className="tabular w-16 shrink-0 text-right text-faint">{formatDuration(Math.max(0, event.at - start))}</span>
                  <span className="w-32 shrink-0 truncate" title={event.kind}>
                    {eventTitles[event.kind]}
                  </span>
                  <span className="min-w-0 flex-1 truncate font-mono text-muted">{eventSummary(event)}</span>
                </button>
                {event.visit === undefined ? null : (
                  <button
                    type="button"
                    className="max-w-36 shrink-0 truncate rounded-sm px-1 text-muted hover:bg-pressed hover:text-ink"
                    onClick={() => {
                      openVisit(event.visit ?? '');
                      setMoment(event.seq === index.last ? null : event.seq);
                    }}
                  >
                    {visitOf(index, event.visit)?.label ?? event.nodeId}
                  </button>
                )}
              </div>
              {open.has(event.seq) ? (
                <div className="border-line/70 border-t bg-sunken px-3 py-2">
                  <Resolved value={asJson(event)}>{(value) => <JsonView value={value} openTo={2} />}</Resolved>
                </div>
              ) : null}
            </div>
          )}
        />
      )}
    </div>
  );
}
