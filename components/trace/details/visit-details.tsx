'use client';

import { useMemo } from 'react';
import { receivedBy, sendersOf } from '@/harness/trace/views/provenance';
import type { VisitSpan } from '@/harness/trace/views/spans';
import { spanMs } from '@/harness/trace/views/spans';
import { eventAt } from '@/harness/trace/views/trace-index';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { formatClock, formatDuration } from '../../ui/format';
import { LayerChip } from '../../ui/layer-chip';
import { StatusBadge } from '../../ui/status';
import { DecisionView } from '../decision-view';
import { eventSummary } from '../event-words';
import { useTraceView } from '../trace-context';
import { CallRow } from './call-row';
import { ErrorBox, Fact, Facts, Part, Value } from './detail-parts';

function VisitFacts({ visit }: { visit: VisitSpan }) {
  const { index } = useTraceView();
  const waited = visit.waits.reduce((sum, wait) => sum + spanMs(wait, index.now), 0);
  const from = index.run.start?.at ?? visit.start.at;
  return (
    <Facts>
      <Fact name="Started">
        {formatClock(visit.start.at)}, {formatDuration(visit.start.at - from)} into the run
      </Fact>
      <Fact name="Took">
        {formatDuration(visit.durationMs ?? spanMs(visit, index.now))}
        {waited > 0 ? `, ${formatDuration(waited)} of it waiting` : ''}
      </Fact>
      {visit.attempts > 1 ? <Fact name="Attempts">{visit.attempts}</Fact> : null}
      {visit.ports.length > 0 ? <Fact name="Left by">{visit.ports.join(', ')}</Fact> : null}
      <Fact name="Node">
        <code>{visit.nodeId}</code>
      </Fact>
    </Facts>
  );
}

/** What a visit read, decided, called, changed and put out. */
export function VisitDetails({ visit }: { visit: VisitSpan }) {
  const { index, openVisit, setMoment, setTab } = useTraceView();
  const senders = useMemo(() => sendersOf(index, visit), [index, visit]);
  const received = useMemo(() => receivedBy(index, visit), [index, visit]);
  const decisions = visit.decisions.map((seq) => eventAt(index, seq));
  const verdicts = visit.verdicts.map((seq) => eventAt(index, seq));
  const patches = visit.patches.map((seq) => eventAt(index, seq)).filter((event) => event?.kind === 'state-patch');
  const logs = visit.logs.map((seq) => eventAt(index, seq)).filter((event) => event?.kind === 'log');
  const showState = (): void => {
    setMoment(visit.end?.seq ?? null);
    setTab('state');
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-1.5 px-3 py-2">
        <StatusBadge status={visit.status} />
        <LayerChip layer={visit.layer} />
        {visit.pin === undefined ? null : (
          <Badge tone="waiting">{visit.pin.runId === null ? 'Pinned by hand' : `Pinned from run ${visit.pin.runId.slice(0, 8)}`}</Badge>
        )}
      </div>
      <div className="px-3 pb-3">
        <VisitFacts visit={visit} />
      </div>
      {visit.error === undefined ? null : <ErrorBox error={visit.error} />}
      {decisions.map((event) =>
        event?.kind === 'decision' ? (
          <Part key={event.seq} title="Decision">
            <DecisionView decision={event.decision} />
          </Part>
        ) : null,
      )}
      {verdicts.map((event) =>
        event?.kind === 'guard-verdict' ? (
          <Part
            key={event.seq}
            title={`Guard ${event.policy}`}
            open={event.verdict !== 'allow'}
            aside={<Badge tone={event.verdict === 'allow' ? 'ok' : event.verdict === 'ask' ? 'waiting' : 'warn'}>{event.verdict}</Badge>}
          >
            <p className="text-xs">{eventSummary(event)}</p>
            {event.decision === undefined ? null : <DecisionView decision={event.decision} />}
          </Part>
        ) : null,
      )}
      {visit.calls.length > 0 ? (
        <Part title={`Calls (${visit.calls.length})`}>
          <ul className="-mx-1">
            {visit.calls.map((call) => (
              <CallRow key={`${call.kind}-${call.start.seq}`} visit={visit} call={call} />
            ))}
          </ul>
        </Part>
      ) : null}
      <Part title="Output">
        {visit.end === null ? <p className="text-faint text-xs">Still running.</p> : <Value value={visit.output} />}
      </Part>
      <Part
        title="Received"
        open={visit.status === 'failed'}
        aside={senders.map((sender) => (
          <Button
            key={sender.id}
            size="sm"
            variant="ghost"
            title="Go to the visit this came from"
            onClick={(event) => {
              event.preventDefault();
              openVisit(sender.id);
            }}
          >
            from {sender.label}
          </Button>
        ))}
      >
        <Value value={received} />
      </Part>
      {patches.length > 0 ? (
        <Part
          title={`State changes (${patches.length})`}
          aside={
            <Button
              size="sm"
              variant="ghost"
              onClick={(event) => {
                event.preventDefault();
                showState();
              }}
            >
              Show state then
            </Button>
          }
        >
          <ul className="space-y-1 font-mono text-xs">
            {patches.map((event) =>
              event === undefined ? null : (
                <li key={event.seq} className="break-words text-muted">
                  {eventSummary(event)}
                </li>
              ),
            )}
          </ul>
        </Part>
      ) : null}
      {logs.length > 0 ? (
        <Part title={`Log (${logs.length})`}>
          <ul className="space-y-1 text-xs">
            {logs.map((event) =>
              event?.kind === 'log' ? (
                <li key={event.seq} className={event.level === 'info' ? 'text-muted' : event.level === 'error' ? 'text-fail' : 'text-warn'}>
                  {event.message}
                </li>
              ) : null,
            )}
          </ul>
        </Part>
      ) : null}
    </>
  );
}
