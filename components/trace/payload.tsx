'use client';

import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Json } from '@/harness/contract/json';
import { messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { formatBytes } from '../ui/format';
import { Skeleton } from '../ui/skeleton';
import { fillPayloads, payloadsIn } from './payload-refs';

/** Payloads up to this many bytes together are fetched without asking. */
const quietLimit = 1_000_000;

export interface ResolvedProps {
  value: Json;
  children: (value: Json) => ReactNode;
}

/** Shows a value whole: parts of it that lists carry only as a reference are fetched when it is first shown, big ones on a click. */
export function Resolved({ value, children }: ResolvedProps) {
  const trpc = useTRPC();
  const references = useMemo(() => payloadsIn(value), [value]);
  const bytes = references.reduce((sum, reference) => sum + reference.bytes, 0);
  const [asked, setAsked] = useState(false);
  const wanted = asked || bytes <= quietLimit;
  const results = useQueries({
    queries: references.map((reference) => ({
      ...trpc.runs.payload.queryOptions({ hash: reference.$payload }),
      enabled: wanted,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  if (references.length === 0) return children(value);
  if (!wanted) {
    return (
      <div className="space-y-2">
        <p className="line-clamp-4 break-words rounded-md bg-sunken p-2 font-mono text-muted text-xs">{references[0]?.preview}…</p>
        <Button size="sm" onClick={() => setAsked(true)}>
          Load {formatBytes(bytes)}
        </Button>
      </div>
    );
  }
  const failed = results.find((result) => result.isError);
  if (failed !== undefined) return <p className="text-fail text-xs">The value could not be read: {messageOf(failed.error)}</p>;
  if (results.some((result) => result.data === undefined)) return <Skeleton className="h-16 w-full" />;
  const known = new Map<string, Json>(references.map((reference, i) => [reference.$payload, results[i]?.data?.json ?? null]));
  return children(fillPayloads(value, known));
}
