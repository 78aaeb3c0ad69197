'use client';

import { useQuery } from '@tanstack/react-query';
import { GitCompareArrows, Pencil } from 'lucide-react';
import Link from 'next/link';
import { type KeyboardEvent, useState } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { BarSlot } from '../../shell/bar-slot';
import { codeOf, messageOf } from '../../state/api-error';
import { useTRPC } from '../../state/trpc';
import { buttonClass } from '../../ui/button';
import { ErrorState } from '../../ui/error-state';
import { formatDateTime } from '../../ui/format';
import { Skeleton } from '../../ui/skeleton';
import { FrozenCanvas } from '../frozen-canvas';
import { panelStorage } from '../panel-storage';
import { stepMoment } from '../step-moment';
import { TraceOf } from '../trace-panel';
import { useTrace } from '../use-trace';

/** Keys that belong to whatever has the focus. */
const ownsKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest(
    'input, textarea, select, [contenteditable], [role="tree"], [role="img"], [role="application"], [role="menu"], [role="tablist"], [role="dialog"]',
  ) !== null;

function Origin({ origin }: { origin: { runId: string; kind: 'fork' | 'replay'; seq: number | null } }) {
  return (
    <Link
      href={`/runs/${encodeURIComponent(origin.runId)}`}
      className="truncate text-muted text-xs underline underline-offset-2 hover:text-ink"
    >
      {origin.kind === 'fork' ? `Forked from event ${origin.seq ?? ''} of another run` : 'Replay of another run'}
    </Link>
  );
}

/** One run: the flow exactly as it ran, beside everything that happened. Comma and full stop step through its visits. */
export function RunPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const run = useQuery(trpc.runs.get.queryOptions({ id }));
  const trace = useTrace(id);
  const { index } = trace;
  const [seq, setSeq] = useState<number | null>(null);
  const [selectedNode, setSelectedNode] = useState<string | null>(null);
  const layout = useDefaultLayout({ id: 'bridle:run-page', panelIds: ['canvas', 'trace'], storage: panelStorage });
  const at = seq === null ? index.last : Math.min(seq, index.last);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || ownsKeys(event.target)) return;
    if (event.key === ',' || event.key === 'ArrowLeft') setSeq(stepMoment(index, at, -1));
    else if (event.key === '.' || event.key === 'ArrowRight') setSeq(stepMoment(index, at, 1));
    else if (event.key === 'Home') setSeq(1);
    else if (event.key === 'End') setSeq(null);
    else return;
    event.preventDefault();
  };

  if (run.isError) {
    return codeOf(run.error) === 'RUN_NOT_FOUND' || codeOf(run.error) === 'NOT_FOUND' ? (
      <ErrorState
        title="There is no such run"
        message="It may have been deleted."
        className="h-full"
        action={
          <Link href="/runs" className={buttonClass()}>
            See all runs
          </Link>
        }
      />
    ) : (
      <ErrorState
        title="The run could not be loaded"
        message={messageOf(run.error)}
        onRetry={() => void run.refetch()}
        className="h-full"
      />
    );
  }
  const summary = run.data;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that step through the run, for what is inside and has no keys of its own
    <div className="h-full min-h-0" onKeyDown={onKeyDown}>
      <BarSlot place="start">
        {summary === undefined ? null : (
          <>
            <h1 className="truncate font-medium text-sm">{summary.flowName}</h1>
            <span className="tabular truncate text-faint text-xs">{formatDateTime(summary.startedAt)}</span>
            {summary.origin === null ? null : <Origin origin={summary.origin} />}
          </>
        )}
      </BarSlot>
      <BarSlot place="end">
        {summary === undefined ? null : (
          <>
            {summary.origin === null ? null : (
              <Link
                href={`/runs/compare?a=${encodeURIComponent(summary.origin.runId)}&b=${encodeURIComponent(id)}`}
                className={buttonClass('ghost', 'sm')}
              >
                <GitCompareArrows aria-hidden size={14} />
                Compare
              </Link>
            )}
            <Link href={`/flows/${encodeURIComponent(summary.flowId)}`} className={buttonClass('ghost', 'sm')}>
              <Pencil aria-hidden size={14} />
              Open flow
            </Link>
          </>
        )}
      </BarSlot>
      <Group orientation="vertical" className="h-full" defaultLayout={layout.defaultLayout} onLayoutChanged={layout.onLayoutChanged}>
        <Panel id="canvas" defaultSize="46%" minSize="15%">
          {summary === undefined ? (
            <Skeleton className="m-4 h-[calc(100%-32px)]" />
          ) : (
            <FrozenCanvas
              document={summary.document}
              events={index.events}
              at={at}
              selectedNode={selectedNode}
              onSelectNode={setSelectedNode}
            />
          )}
        </Panel>
        <Separator className="h-px bg-line outline-none transition-colors hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent" />
        <Panel id="trace" defaultSize="54%" minSize="25%">
          <TraceOf runId={id} trace={trace} seq={seq} onSeq={setSeq} selectedNode={selectedNode} onSelectNode={setSelectedNode} />
        </Panel>
      </Group>
    </div>
  );
}
