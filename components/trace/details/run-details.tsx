'use client';

import { errorOrigin, resultOrigin } from '@/harness/trace/views/provenance';
import { Button } from '../../ui/button';
import { formatDateTime, formatDuration, formatNumber, formatRunCost, formatTokens } from '../../ui/format';
import { StatusBadge } from '../../ui/status';
import { useTraceView } from '../trace-context';
import { ErrorBox, Fact, Facts, Part, Value } from './detail-parts';

/** The run as a whole: input, output, usage, and where its output or error came from. */
export function RunDetails() {
  const { index, openVisit } = useTraceView();
  const { run } = index;
  const origin = run.end?.error === undefined ? resultOrigin(index) : errorOrigin(index);
  const startedAt = run.start?.at ?? index.now;
  const goThere =
    origin === null ? null : (
      <Button
        size="sm"
        variant="ghost"
        onClick={(event) => {
          event.preventDefault();
          openVisit(origin.id);
        }}
      >
        from {origin.label}
      </Button>
    );
  return (
    <>
      <div className="px-3 py-2">
        <StatusBadge status={run.status} />
      </div>
      <div className="px-3 pb-3">
        <Facts>
          <Fact name="Started">{formatDateTime(startedAt)}</Fact>
          <Fact name="Took">{formatDuration((run.end?.at ?? index.now) - startedAt)}</Fact>
          <Fact name="Visits">{formatNumber(run.steps)}</Fact>
          <Fact name="Calls">
            {formatNumber(run.modelCalls)} model, {formatNumber(run.toolCalls)} tool
          </Fact>
          <Fact name="Tokens">
            {formatTokens(run.inputTokens)} in, {formatTokens(run.outputTokens)} out
            {run.unreportedCalls > 0 ? `, and ${formatNumber(run.unreportedCalls)} calls that did not report theirs` : ''}
          </Fact>
          <Fact name="Cost">
            {formatRunCost(run)}
            {run.unpricedCalls > 0 ? `, ${formatNumber(run.unpricedCalls)} calls of unknown price` : ''}
          </Fact>
          <Fact name="Run">
            <code>{run.start?.runId}</code>
          </Fact>
          <Fact name="Plan">
            <code>{run.start?.planHash.slice(0, 12)}</code>
          </Fact>
        </Facts>
      </div>
      {run.end?.error === undefined ? null : <ErrorBox error={run.end.error}>{goThere}</ErrorBox>}
      {run.end === null || run.end.error !== undefined ? null : (
        <Part title="Output" aside={goThere}>
          <Value value={run.end.output} />
        </Part>
      )}
      <Part title="Input">
        <Value value={run.start?.input ?? null} />
      </Part>
    </>
  );
}
