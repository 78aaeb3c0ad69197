'use client';

import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { DoctorCheck } from '@/server/api-types';
import { Page } from '../shell/page';
import { Loaded } from '../state/loaded';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { formatCount, formatRelative } from '../ui/format';
import { Skeleton } from '../ui/skeleton';
import { StatusBadge, StatusDot } from '../ui/status';
import { useNow } from '../ui/use-now';

const order = { problem: 0, warning: 1, ok: 2 } as const;

const loading = (
  <div className="flex flex-col gap-2">
    <Skeleton className="h-16" />
    <Skeleton className="h-16" />
    <Skeleton className="h-16" />
  </div>
);

function summaryOf(checks: readonly DoctorCheck[]): { status: DoctorCheck['status']; text: string } {
  const problems = checks.filter((check) => check.status === 'problem').length;
  const warnings = checks.filter((check) => check.status === 'warning').length;
  if (problems > 0) return { status: 'problem', text: `${formatCount(problems, 'problem')} to fix before everything works` };
  if (warnings > 0) return { status: 'warning', text: `Everything works; ${formatCount(warnings, 'thing')} to know about` };
  return { status: 'ok', text: 'Everything works' };
}

/** What is configured, what is missing, and how to fix it. */
export function DoctorPage() {
  const trpc = useTRPC();
  const now = useNow(10_000);
  const report = useQuery(trpc.doctor.report.queryOptions(undefined, { staleTime: 0 }));
  return (
    <Page
      title="Doctor"
      width="narrow"
      summary="What this server has, what it lacks, and how to fix it."
      actions={
        <Button icon={<RotateCw size={14} />} busy={report.isFetching} onClick={() => void report.refetch()}>
          Check again
        </Button>
      }
    >
      <Loaded query={report} what="The report" loading={loading}>
        {({ checks, at }) => {
          const summary = summaryOf(checks);
          return (
            <>
              <p role="status" className="mb-4 flex items-center gap-2 text-base">
                <StatusDot status={summary.status} size={18} />
                <span className="font-medium">{summary.text}</span>
                <span className="text-faint text-sm">checked {formatRelative(at, now)}</span>
              </p>
              <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
                {[...checks]
                  .sort((a, b) => order[a.status] - order[b.status])
                  .map((check) => (
                    <li key={check.id} className="px-4 py-3">
                      <div className="flex items-center justify-between gap-3">
                        <h2 className="font-medium">{check.title}</h2>
                        <StatusBadge status={check.status} />
                      </div>
                      <p className="mt-0.5 break-words text-muted">{check.detail}</p>
                      {check.fix === undefined ? null : (
                        <div className="mt-2 flex items-start gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
                          <p className="min-w-0 flex-1 break-words py-1">{check.fix}</p>
                          <CopyButton text={() => check.fix ?? ''} label="Copy the fix" />
                        </div>
                      )}
                    </li>
                  ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
