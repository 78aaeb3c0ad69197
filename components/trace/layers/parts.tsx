'use client';

import type { ReactNode } from 'react';
import { decisionBrief, decisionLine } from '@/harness/trace/views/decision-words';
import type { Wrote } from '@/harness/trace/views/layers/conflicts';
import { entriesOfVisit } from '@/harness/trace/views/layers/visit-decisions';
import { visitOf } from '@/harness/trace/views/trace-index';
import { cn } from '../../ui/cn';
import { EmptyState } from '../../ui/empty-state';
import { useTraceView } from '../trace-context';
import { useLayers } from './use-layers';

/** The visit that wrote something, as a way to it: opens it everywhere and moves to the moment of the write. */
export function VisitLink({ wrote, className }: { wrote: Wrote; className?: string }) {
  const { index, openVisit, setMoment } = useTraceView();
  const visit = visitOf(index, wrote.visit);
  const label = visit === undefined ? `event ${wrote.seq}` : `${visit.label}${visit.number > 1 ? `, visit ${visit.number}` : ''}`;
  return (
    <button
      type="button"
      className={cn('rounded-sm text-left text-muted underline decoration-line-strong underline-offset-2 hover:text-ink', className)}
      title={`Go to event ${wrote.seq}`}
      onClick={() => {
        setMoment(wrote.seq >= index.last ? null : wrote.seq);
        if (visit !== undefined) openVisit(visit.id);
      }}
    >
      {label}
    </button>
  );
}

/** Title of a visit for text that cannot hold a link. */
export function useVisitTitle(): (id: string | undefined) => string {
  const { index } = useTraceView();
  return (id) => {
    const visit = visitOf(index, id);
    return visit === undefined ? '' : `${visit.label}${visit.number > 1 ? `, visit ${visit.number}` : ''}`;
  };
}

/** What a visit decided, one line each. */
export function VisitDecisions({ visit, limit = 3 }: { visit: string | undefined; limit?: number }) {
  const { index } = useTraceView();
  const entries = entriesOfVisit(index, visit);
  if (entries.length === 0) return null;
  return (
    <ul className="space-y-0.5">
      {entries.slice(0, limit).map((entry) => (
        <li key={entry.seq} className="line-clamp-2 break-words font-mono text-muted text-xs" title={decisionLine(entry.decision)}>
          {decisionBrief(entry.decision)}
        </li>
      ))}
      {entries.length > limit ? <li className="text-faint text-xs">and {entries.length - limit} more in the visit</li> : null}
    </ul>
  );
}

/** Says why a section is empty and what would fill it: the layer is not drawn, or has not been visited yet. */
export function LayerEmpty({ type, title, what }: { type: string; title: string; what: string }) {
  const { nodeOfType } = useLayers();
  const { document } = useTraceView();
  const node = nodeOfType(type);
  return (
    <EmptyState title={`No ${what} at this moment`}>
      {node === undefined && document !== undefined
        ? `The flow that ran has no ${title} node. Add one, and what it writes appears here.`
        : `${node?.label || title} has not written any yet. Move the moment forward, or wait for its first visit.`}
    </EmptyState>
  );
}

export function SectionTitle({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <h3 className="font-medium text-sm">{children}</h3>
      {aside === undefined ? null : <span className="min-w-0 text-faint text-xs">{aside}</span>}
    </div>
  );
}
