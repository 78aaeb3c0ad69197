'use client';

import { outcomeWords } from '@/harness/trace/views/outcome-words';
import { errorOrigin } from '@/harness/trace/views/provenance';
import type { RunSummary } from '@/server/api-types';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { formatDuration, formatNumber, formatRunCost, formatTokens } from '../ui/format';
import { StatusBadge } from '../ui/status';
import { useTicking } from './lanes/use-lane-canvas';
import { RunActions } from './run-actions';
import { useTraceView } from './trace-context';

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <span className="tabular whitespace-nowrap text-xs">
      <span className="text-faint">{name} </span>
      {children}
    </span>
  );
}

/** How the run stands, why, what it used, and what can be done with it. */
export function RunHeader({ summary, compact }: { summary: RunSummary | null; compact: boolean }) {
  const { index, select, openVisit, titleOf } = useTraceView();
  const { run } = index;
  // The stored status knows of a process that died; the events alone cannot.
  const status = run.end === null && summary !== null ? summary.status : run.status;
  const words = outcomeWords(index, titleOf, status);
  const tick = useTicking(run.end === null && (status === 'running' || status === 'waiting'));
  const startedAt = run.start?.at ?? index.now;
  const origin = status === 'failed' ? errorOrigin(index) : null;
  const why = [words.detail, words.hint].filter((part) => part !== null).join(' ');
  return (
    <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1">
      <button type="button" onClick={() => select({ kind: 'run' })} title="Show the run's input, output and usage" className="rounded-sm">
        <StatusBadge status={status} {...(status === 'waiting' || status === 'limit' ? { label: words.title } : {})} />
      </button>
      {run.rehearsal ? (
        <Badge tone="accent" title="The built-in rehearsal model wrote at least one reply">
          Rehearsal model
        </Badge>
      ) : null}
      {run.replayed ? (
        <Badge tone="outline" title="Answers were taken from a recorded run">
          Recorded answers
        </Badge>
      ) : null}
      <Figure name="Took">{formatDuration((run.end?.at ?? Math.max(index.now, tick ?? 0)) - startedAt)}</Figure>
      <Figure name="Visits">{formatNumber(run.steps)}</Figure>
      <Figure name="Tokens">{`${run.unreportedCalls > 0 ? '≥ ' : ''}${formatTokens(run.inputTokens + run.outputTokens)}`}</Figure>
      <Figure name="Cost">{formatRunCost(run)}</Figure>
      <div className="ml-auto">
        <RunActions status={status} compact={compact} />
      </div>
      {why === '' ? null : (
        <p className="flex w-full min-w-0 items-center gap-2 text-muted text-xs">
          <span className="min-w-0 truncate" title={why}>
            {why}
          </span>
          {origin === null ? null : (
            <Button size="sm" variant="ghost" onClick={() => openVisit(origin.id)}>
              Go to {origin.label}
            </Button>
          )}
        </p>
      )}
    </header>
  );
}
