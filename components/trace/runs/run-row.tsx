'use client';

import Link from 'next/link';
import { isJsonObject, type Json } from '@/harness/contract/json';
import { plainValue } from '@/harness/trace/views/decision-words';
import type { RunSummary } from '@/server/api-types';
import { Checkbox } from '../../ui/checkbox';
import { cn } from '../../ui/cn';
import { formatDateTime, formatDuration, formatRelative, formatRunCost, formatTokens } from '../../ui/format';
import { StatusBadge } from '../../ui/status';

export const runColumns = [
  { title: 'Status', className: 'w-36 shrink-0' },
  { title: 'Flow', className: 'w-44 shrink-0' },
  { title: 'Input', className: 'min-w-0 flex-1' },
  { title: 'Started', className: 'w-28 shrink-0' },
  { title: 'Took', className: 'w-20 shrink-0 text-right' },
  { title: 'Tokens', className: 'w-20 shrink-0 text-right' },
  { title: 'Cost', className: 'w-20 shrink-0 text-right' },
] as const;

/** What a run was given, as a person would say it. */
export function inputWords(input: Json): string {
  if (isJsonObject(input)) {
    for (const key of ['message', 'question', 'text', 'task']) {
      const value = input[key];
      if (typeof value === 'string') return plainValue(value, 160);
    }
  }
  return plainValue(input, 160);
}

export interface RunRowProps {
  run: RunSummary;
  now: number;
  top: number;
  chosen: boolean;
  onToggle: () => void;
  onOpen: () => void;
}

export function RunRow({ run, now, top, chosen, onToggle, onOpen }: RunRowProps) {
  const [status, flow, input, started, took, tokens, cost] = runColumns;
  const address = `/runs/${encodeURIComponent(run.id)}`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the flow's name in the row is a link and does the same
    <li
      onClick={onOpen}
      style={{ transform: `translateY(${top}px)` }}
      className={cn(
        'absolute inset-x-0 top-0 flex h-10 cursor-default items-center gap-3 border-line/70 border-b px-3 text-sm',
        chosen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keeps a click on the box from opening the run */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <span className="w-4" onClick={(event) => event.stopPropagation()}>
        <Checkbox
          checked={chosen}
          onCheckedChange={onToggle}
          aria-label={`Choose the run of ${run.flowName}, ${formatDateTime(run.startedAt)}`}
        />
      </span>
      <span className={status.className}>
        <StatusBadge status={run.status} />
      </span>
      <span className={cn(flow.className, 'truncate font-medium')}>
        <Link href={address} onClick={(event) => event.stopPropagation()} className="rounded-sm hover:underline">
          {run.flowName}
        </Link>
      </span>
      <span className={cn(input.className, 'truncate text-muted')}>
        {run.error === null ? inputWords(run.input) : <span className="text-fail">{run.error.message}</span>}
      </span>
      <span className={cn(started.className, 'tabular text-muted text-xs')} title={formatDateTime(run.startedAt)}>
        {formatRelative(run.startedAt, now)}
      </span>
      <span className={cn(took.className, 'tabular text-xs')}>{formatDuration((run.endedAt ?? now) - run.startedAt)}</span>
      <span className={cn(tokens.className, 'tabular text-xs')}>{formatTokens(run.usage.inputTokens + run.usage.outputTokens)}</span>
      <span className={cn(cost.className, 'tabular text-xs')} title={run.rehearsal ? 'The rehearsal model costs nothing' : undefined}>
        {formatRunCost(run.usage)}
      </span>
    </li>
  );
}
