'use client';

import { Brain, Database, Wrench } from 'lucide-react';
import { type CallSpan, spanMs, type VisitSpan } from '@/harness/trace/views/spans';
import { cn } from '../../ui/cn';
import { formatDuration } from '../../ui/format';
import { StatusDot } from '../../ui/status';
import { useTraceView } from '../trace-context';

export function CallRow({ visit, call }: { visit: VisitSpan; call: CallSpan }) {
  const { index, select } = useTraceView();
  const Icon = call.kind === 'model' ? Brain : call.kind === 'tool' ? Wrench : Database;
  return (
    <li>
      <button
        type="button"
        onClick={() => select({ kind: 'call', visit: visit.id, seq: call.start.seq })}
        className="flex h-7 w-full min-w-0 items-center gap-2 rounded-sm px-1 text-left text-xs hover:bg-hover"
      >
        <Icon aria-hidden size={13} className={cn('shrink-0', call.kind === 'model' ? 'text-running' : 'text-muted')} />
        <span className="min-w-0 flex-1 truncate">{call.name}</span>
        {call.status === 'done' ? null : <StatusDot status={call.status === 'denied' ? 'cancelled' : call.status} size={12} />}
        <span className="tabular shrink-0 text-faint">{formatDuration(call.durationMs ?? spanMs(call, index.now))}</span>
      </button>
    </li>
  );
}
