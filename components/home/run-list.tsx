import Link from 'next/link';
import type { RunSummary } from '@/server/api-types';
import { formatDateTime, formatDuration, formatRelative, formatRunCost } from '../ui/format';
import { textOf } from '../ui/json-text';
import { StatusBadge } from '../ui/status';

/** Recent runs, newest first, each leading to its trace. */
export function RunList({ runs, now }: { runs: readonly RunSummary[]; now: number }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {runs.map((run) => (
        <li key={run.id}>
          <Link
            href={`/runs/${encodeURIComponent(run.id)}`}
            className="block px-3 py-2.5 transition-colors hover:bg-sunken focus-visible:outline-offset-[-2px]"
          >
            <span className="flex items-center justify-between gap-2">
              <span className="min-w-0 truncate font-medium">{run.flowName}</span>
              <StatusBadge status={run.status} />
            </span>
            <span className="block truncate text-muted">{textOf(run.input) || 'No input'}</span>
            <span className="tabular mt-0.5 flex gap-1.5 text-faint text-xs">
              <span title={formatDateTime(run.startedAt)}>{formatRelative(run.startedAt, now)}</span>
              {run.endedAt === null ? null : <span>· {formatDuration(run.endedAt - run.startedAt)}</span>}
              <span>· {run.rehearsal ? 'rehearsal' : `cost ${formatRunCost(run.usage)}`}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
