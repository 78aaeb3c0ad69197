'use client';

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { CircleGauge, GitCompareArrows, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { RunStatus } from '@/harness/trace/events';
import { outcomes } from '@/harness/trace/events';
import { statusTitles } from '@/harness/trace/views/outcome-words';
import type { RunSummary } from '@/server/api-types';
import { messageOf } from '../../state/api-error';
import { useTRPC } from '../../state/trpc';
import { Button, buttonClass } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { EmptyState } from '../../ui/empty-state';
import { ErrorState } from '../../ui/error-state';
import { Select } from '../../ui/select';
import { Skeleton } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { useNow } from '../../ui/use-now';
import { RunRow, runColumns } from './run-row';

const pageSize = 100;
const all = 'all';
const statuses: readonly RunStatus[] = ['running', ...outcomes];

/** Every run, newest first, live. Choose two to compare them. */
export function RunsPage() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const navigation = useRouter();
  const now = useNow(15_000);
  const [flowId, setFlowId] = useState(all);
  const [status, setStatus] = useState<string>(all);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [deleting, setDeleting] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);

  const flows = useQuery(trpc.flows.list.queryOptions());
  const runs = useInfiniteQuery(
    trpc.runs.list.infiniteQueryOptions(
      { limit: pageSize, ...(flowId === all ? {} : { flowId }) },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  const loaded: RunSummary[] = useMemo(() => runs.data?.pages.flatMap((page) => page.runs) ?? [], [runs.data]);
  const shown = useMemo(() => (status === all ? loaded : loaded.filter((run) => run.status === status)), [loaded, status]);
  const remove = useMutation({
    ...trpc.runs.remove.mutationOptions(),
    onError: (error) => toast.error('The run was not deleted.', { description: messageOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: trpc.runs.list.pathKey() }),
  });
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 40,
    overscan: 12,
    getItemKey: (at) => shown[at]?.id ?? at,
  });
  const rows = virtualizer.getVirtualItems();
  const lastShown = rows[rows.length - 1]?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = runs;
  useEffect(() => {
    // A status filter may leave little of a page: read on until the screen is full or the runs are at their end.
    if (lastShown >= shown.length - 10 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [lastShown, shown.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const present = chosen.filter((id) => loaded.some((run) => run.id === id));
  const toggle = (id: string): void => setChosen(present.includes(id) ? present.filter((other) => other !== id) : [...present, id]);
  const compare = (): void => {
    const [a, b] = loaded.filter((run) => present.includes(run.id)).sort((x, y) => x.startedAt - y.startedAt);
    if (a !== undefined && b !== undefined) navigation.push(`/runs/compare?a=${encodeURIComponent(a.id)}&b=${encodeURIComponent(b.id)}`);
  };
  const removeChosen = async (): Promise<void> => {
    const left: string[] = [];
    // a refusal has told its reason through `onError`; the others still go, and what is left stays chosen
    for (const id of present) await remove.mutateAsync({ id }).catch(() => left.push(id));
    setDeleting(false);
    setChosen(left);
  };
  const flowOptions = [{ value: all, label: 'All flows' }, ...(flows.data ?? []).map((flow) => ({ value: flow.id, label: flow.name }))];

  return (
    <div className="mx-auto flex h-full min-h-0 w-full max-w-6xl flex-col px-6 pt-8">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <h1 className="font-semibold text-2xl tracking-tight">Runs</h1>
        <div className="flex flex-wrap items-center gap-2">
          {present.length > 0 ? (
            <>
              <Button
                icon={<GitCompareArrows size={14} />}
                disabled={present.length !== 2}
                onClick={compare}
                title={present.length === 2 ? 'Compare the two chosen runs' : 'Choose exactly two runs to compare'}
              >
                Compare
              </Button>
              <Button variant="danger-ghost" icon={<Trash2 size={14} />} onClick={() => setDeleting(true)}>
                Delete {present.length}
              </Button>
            </>
          ) : null}
          <div className="w-48">
            <Select aria-label="Flow" value={flowId} onValueChange={setFlowId} options={flowOptions} />
          </div>
          <div className="w-40">
            <Select
              aria-label="Status"
              value={status}
              onValueChange={setStatus}
              options={[{ value: all, label: 'Any status' }, ...statuses.map((value) => ({ value, label: statusTitles[value] }))]}
            />
          </div>
        </div>
      </div>
      {runs.isError ? (
        <ErrorState title="The runs could not be loaded" message={messageOf(runs.error)} onRetry={() => void runs.refetch()} />
      ) : null}
      {runs.isPending ? (
        <div className="space-y-2" role="status" aria-label="Loading the runs">
          {[0, 1, 2, 3, 4].map((row) => (
            <Skeleton key={row} className="h-9 w-full" />
          ))}
        </div>
      ) : null}
      {runs.isSuccess && shown.length === 0 && !hasNextPage ? (
        <EmptyState
          icon={<CircleGauge size={18} />}
          title={loaded.length === 0 ? 'No runs yet' : 'No run passes these filters'}
          action={
            loaded.length === 0 ? (
              <Link href="/" className={buttonClass('primary')}>
                Open a template
              </Link>
            ) : (
              <Button
                onClick={() => {
                  setStatus(all);
                  setFlowId(all);
                }}
              >
                Clear filters
              </Button>
            )
          }
        >
          {loaded.length === 0 ? 'Run a flow or send a message in its chat; each run is kept here with the exact flow it ran.' : null}
        </EmptyState>
      ) : null}
      {shown.length > 0 ? (
        <div className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-t-lg border border-line border-b-0 bg-surface">
          <div aria-hidden className="flex h-8 shrink-0 items-center gap-3 border-line border-b bg-sunken px-3 text-faint text-xs">
            <span className="w-4" />
            {runColumns.map((column) => (
              <span key={column.title} className={column.className}>
                {column.title}
              </span>
            ))}
          </div>
          <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
            <ul aria-label="Runs" className="relative" style={{ height: virtualizer.getTotalSize() }}>
              {rows.map((row) => {
                const run = shown[row.index];
                return run === undefined ? null : (
                  <RunRow
                    key={row.key}
                    run={run}
                    now={now}
                    top={row.start}
                    chosen={present.includes(run.id)}
                    onToggle={() => toggle(run.id)}
                    onOpen={() => navigation.push(`/runs/${encodeURIComponent(run.id)}`)}
                  />
                );
              })}
            </ul>
          </div>
        </div>
      ) : null}
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={present.length === 1 ? 'Delete this run?' : `Delete ${present.length} runs?`}
        description="Their events, results and recorded answers are deleted. This cannot be undone."
        confirm={present.length === 1 ? 'Delete run' : 'Delete runs'}
        busy={remove.isPending}
        onConfirm={() => void removeChosen()}
      />
    </div>
  );
}
