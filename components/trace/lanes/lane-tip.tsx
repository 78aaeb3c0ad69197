import { decisionLine } from '@/harness/trace/views/decision-words';
import type { LaneBar } from '@/harness/trace/views/lanes';
import { spanMs } from '@/harness/trace/views/spans';
import { eventAt, type TraceIndex } from '@/harness/trace/views/trace-index';
import { formatDuration } from '../../ui/format';
import { StatusDot } from '../../ui/status';

export interface LaneTipProps {
  bar: LaneBar;
  index: TraceIndex;
  x: number;
  y: number;
  maxX: number;
}

/** What the bar under the pointer is. Everything in it stands in the details pane as well. */
export function LaneTip({ bar, index, x, y, maxX }: LaneTipProps) {
  const { visit } = bar;
  const last = visit.decisions[visit.decisions.length - 1];
  const event = last === undefined ? undefined : eventAt(index, last);
  const models = visit.calls.filter((call) => call.kind === 'model').length;
  const tools = visit.calls.filter((call) => call.kind === 'tool').length;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-20 w-64 rounded-md border border-line bg-surface p-2 text-xs shadow-pop"
      style={{ left: Math.max(4, Math.min(x + 12, maxX - 264)), top: y + 16 }}
    >
      <div className="flex items-center gap-1.5 font-medium text-ink">
        <StatusDot status={visit.status} size={12} />
        <span className="truncate">{visit.label}</span>
        {visit.number > 1 ? <span className="text-faint">visit {visit.number}</span> : null}
        <span className="tabular ml-auto text-muted">{formatDuration(visit.durationMs ?? spanMs(visit, index.now))}</span>
      </div>
      {models + tools > 0 ? (
        <p className="mt-1 text-muted">
          {[models > 0 ? `${models} model` : null, tools > 0 ? `${tools} tool` : null].filter(Boolean).join(', ')}{' '}
          {models + tools === 1 ? 'call' : 'calls'}
        </p>
      ) : null}
      {event?.kind === 'decision' ? <p className="mt-1 line-clamp-2 font-mono text-muted">{decisionLine(event.decision)}</p> : null}
      {visit.error ? <p className="mt-1 line-clamp-2 text-fail">{visit.error.message}</p> : null}
    </div>
  );
}
