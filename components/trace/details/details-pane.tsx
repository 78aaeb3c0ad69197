'use client';

import { ArrowLeft, X } from 'lucide-react';
import { visitOf } from '@/harness/trace/views/trace-index';
import { IconButton } from '../../ui/icon-button';
import { useTraceView } from '../trace-context';
import { CallDetails } from './call-details';
import { RunDetails } from './run-details';
import { VisitDetails } from './visit-details';

/** What is selected, in full. Beside the tab when there is room, over it when there is not. */
export function DetailsPane() {
  const { index, selection, select } = useTraceView();
  if (selection === null) return null;
  const visit = selection.kind === 'run' ? undefined : visitOf(index, selection.visit);
  const call = selection.kind === 'call' ? visit?.calls.find((candidate) => candidate.start.seq === selection.seq) : undefined;
  if (selection.kind !== 'run' && visit === undefined) return null;
  const title = selection.kind === 'run' ? (index.run.start?.flowName ?? 'Run') : (call?.name ?? visit?.label ?? '');
  const subtitle =
    call !== undefined ? `in ${visit?.label ?? ''}` : visit !== undefined && visit.number > 1 ? `visit ${visit.number}` : visit?.type;
  return (
    <aside
      aria-label="Details"
      className="flex min-h-0 w-[380px] shrink-0 flex-col border-line border-l bg-surface @max-[700px]:absolute @max-[700px]:inset-0 @max-[700px]:z-30 @max-[700px]:w-full @max-[700px]:border-l-0"
    >
      <header className="flex h-9 shrink-0 items-center gap-1 border-line border-b pr-1 pl-3">
        {call !== undefined && visit !== undefined ? (
          <IconButton
            size="sm"
            label={`Back to ${visit.label}`}
            icon={<ArrowLeft size={14} />}
            onClick={() => select({ kind: 'visit', visit: visit.id })}
            className="-ml-2"
          />
        ) : null}
        <h2 className="truncate font-medium text-sm">{title}</h2>
        <span className="truncate text-faint text-xs">{subtitle}</span>
        <IconButton size="sm" label="Close details" icon={<X size={14} />} onClick={() => select(null)} className="ml-auto" />
      </header>
      <div key={`${visit?.id ?? 'run'}/${call?.start.seq ?? ''}`} className="min-h-0 flex-1 overflow-y-auto">
        {selection.kind === 'run' ? <RunDetails /> : null}
        {visit !== undefined && call === undefined ? <VisitDetails visit={visit} /> : null}
        {visit !== undefined && call !== undefined ? <CallDetails visit={visit} call={call} /> : null}
      </div>
    </aside>
  );
}
