'use client';

import { ArrowRight, CircleCheck, OctagonX, TriangleAlert, Zap } from 'lucide-react';
import { useMemo } from 'react';
import { plainNumber } from '@/harness/trace/views/decision-words';
import {
  type ConflictBelief,
  type ConflictRecord,
  confidencesOf,
  conflictRecords,
  conflictsAt,
  consequenceOf,
} from '@/harness/trace/views/layers/conflicts';
import { Badge, type BadgeTone } from '../../ui/badge';
import { cn } from '../../ui/cn';
import { useTraceView } from '../trace-context';
import { VirtualList } from '../virtual-list';
import { LayerEmpty, VisitLink } from './parts';
import { useLayers } from './use-layers';

const severityTones: Readonly<Record<string, BadgeTone>> = { LOW: 'neutral', MEDIUM: 'warn', HIGH: 'fail', SYSTEM_BREAKING: 'fail' };

function SeverityBadge({ severity }: { severity: string }) {
  const Icon = severity === 'SYSTEM_BREAKING' ? OctagonX : severity === 'HIGH' ? Zap : TriangleAlert;
  return (
    <Badge tone={severityTones[severity] ?? 'neutral'} icon={<Icon aria-hidden size={12} />}>
      {severity.replaceAll('_', ' ')}
    </Badge>
  );
}

const shown = (value: number | null): string => (value === null ? '–' : plainNumber(value));

/** One side of a conflict: what it says, and what became of its confidence. */
function Side({ belief, now }: { belief: ConflictBelief; now: number | null | undefined }) {
  const gone = belief.retired !== null;
  const moved = belief.after !== null && now !== undefined && now !== null && Math.abs(now - belief.after) > 0.00005;
  return (
    <div className={cn('min-w-0 flex-1 space-y-1 rounded-md border border-line bg-sunken px-2.5 py-2', gone && 'opacity-70')}>
      <p className={cn('break-words text-sm', gone && 'line-through decoration-line-strong')}>{belief.statement || belief.id}</p>
      <p className="tabular flex flex-wrap items-center gap-x-1.5 text-muted text-xs">
        {belief.applied === null ? (
          <span>confidence {shown(now ?? null)}, not changed by this</span>
        ) : (
          <>
            <span>confidence {shown(belief.before)}</span>
            <ArrowRight role="img" size={12} aria-label="to" />
            <span className={cn('font-medium', belief.after !== belief.before && 'text-warn')}>{shown(belief.after)}</span>
            {belief.others > 0 ? (
              <span className="text-faint">
                together with {belief.others} other {belief.others === 1 ? 'conflict' : 'conflicts'} of that visit
              </span>
            ) : null}
            {moved && !gone ? <span className="text-faint">· {shown(now)} at this moment</span> : null}
          </>
        )}
        {belief.retired === null ? null : (
          <span>
            · given up by <VisitLink wrote={belief.retired} />
          </span>
        )}
      </p>
      <code className="block truncate text-faint text-xs">{belief.id}</code>
    </div>
  );
}

function Conflict({ record, confidences }: { record: ConflictRecord; confidences: ReadonlyMap<string, number | null> }) {
  const retired = record.beliefs.some((belief) => belief.retired !== null && belief.retired.seq === record.settled?.seq);
  return (
    <article className="mx-3 mb-2 space-y-2 rounded-lg border border-line bg-surface p-3" aria-label={record.description}>
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        <SeverityBadge severity={record.severity} />
        <span className="text-muted">
          {record.type}, scope {record.scope}
        </span>
        <span className="text-faint">
          found by <VisitLink wrote={record.found} />
        </span>
        <span className="ml-auto">
          {record.settled === null ? (
            <Badge tone="warn" icon={<TriangleAlert aria-hidden size={12} />}>
              Standing
            </Badge>
          ) : (
            <span className="inline-flex items-center gap-1.5">
              <Badge tone="ok" icon={<CircleCheck aria-hidden size={12} />}>
                {retired ? 'Settled, a belief was given up' : 'Settled'}
              </Badge>
              <span className="text-faint">
                by <VisitLink wrote={record.settled} />
              </span>
            </span>
          )}
        </span>
      </header>
      <div className="flex flex-col gap-2 @min-[560px]:flex-row">
        {record.beliefs.map((belief) => (
          <Side key={belief.id} belief={belief} now={confidences.get(belief.id)} />
        ))}
      </div>
      <p className="break-words text-faint text-xs">
        {record.description}
        {record.description.endsWith('.') ? '' : '.'} {consequenceOf(record.severity)}
      </p>
    </article>
  );
}

/** Every conflict up to the chosen moment: who says what, what it did to both, whether and by whom it was settled. Standing ones first. */
export function ConflictsSection() {
  const { at } = useTraceView();
  const { points, value, initial } = useLayers();
  const written = points('worldModel');
  const start = initial('worldModel');
  const records = useMemo(() => conflictRecords(written, start), [written, start]);
  const model = value('worldModel');
  const confidences = useMemo(() => confidencesOf(model), [model]);
  const shownRecords = useMemo(
    () => conflictsAt(records, at).sort((a, b) => Number(a.settled !== null) - Number(b.settled !== null) || b.found.seq - a.found.seq),
    [records, at],
  );
  if (shownRecords.length === 0) return <LayerEmpty type="contradiction" title="Contradiction" what="contradictions" />;
  const standing = shownRecords.filter((record) => record.settled === null).length;
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <p className="shrink-0 px-3 py-2 text-muted text-xs">
        {standing} standing, {shownRecords.length - standing} settled at this moment
      </p>
      <VirtualList
        label="Contradictions"
        items={shownRecords}
        keyOf={(record) => `${record.id} ${record.found.seq}`}
        estimate={170}
        render={(record) => <Conflict record={record} confidences={confidences} />}
      />
    </div>
  );
}
