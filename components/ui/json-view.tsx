'use client';

import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { Json } from '@/harness/contract/json';
import { cn } from './cn';
import { CopyButton } from './copy-button';
import { formatNumber } from './format';

/** How many children of one list or object are put on the page at a time, and how much of a string. */
const childPage = 100;
const stringLimit = 600;

const isBranch = (value: Json): value is Json[] | { [key: string]: Json } => typeof value === 'object' && value !== null;

function summaryOf(value: Json[] | { [key: string]: Json }): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${formatNumber(value.length)}]`;
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  const shown = keys.slice(0, 4).join(', ');
  return `{${shown.length > 48 ? `${shown.slice(0, 48)}…` : shown}${keys.length > 4 ? ', …' : ''}}`;
}

function Leaf({ value }: { value: Exclude<Json, Json[] | { [key: string]: Json }> }) {
  const [whole, setWhole] = useState(false);
  if (typeof value === 'string') {
    const cut = !whole && value.length > stringLimit;
    return (
      <span className="whitespace-pre-wrap break-words text-ok">
        "{cut ? value.slice(0, stringLimit) : value}
        {cut ? '…' : '"'}
        {cut ? (
          <button type="button" className="ml-1 rounded-sm bg-hover px-1 text-muted hover:text-ink" onClick={() => setWhole(true)}>
            Show all {formatNumber(value.length)} characters
          </button>
        ) : null}
      </span>
    );
  }
  if (value === null) return <span className="text-faint">null</span>;
  return <span className={typeof value === 'number' ? 'tabular text-running' : 'text-waiting'}>{String(value)}</span>;
}

function Branch({ name, value, depth, openTo }: { name: string | null; value: Json; depth: number; openTo: number }) {
  const [open, setOpen] = useState(depth < openTo);
  const [limit, setLimit] = useState(childPage);
  const label = name === null ? null : <span className="text-muted">{name}: </span>;
  if (!isBranch(value)) {
    return (
      <div className="pl-4">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const entries: [string, Json][] = open ? Object.entries(value) : [];
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full min-w-0 items-start rounded-sm text-left hover:bg-hover"
      >
        <ChevronRight aria-hidden size={12} className={cn('mt-1 mr-1 shrink-0 text-faint transition-transform', open && 'rotate-90')} />
        <span className="min-w-0 truncate">
          {label}
          <span className="text-faint">{summaryOf(value)}</span>
        </span>
      </button>
      {open ? (
        <div className="ml-[5px] border-line border-l pl-2">
          {entries.slice(0, limit).map(([key, child]) => (
            <Branch key={key} name={key} value={child} depth={depth + 1} openTo={openTo} />
          ))}
          {entries.length > limit ? (
            <button
              type="button"
              className="ml-4 rounded-sm bg-hover px-1.5 text-muted hover:text-ink"
              onClick={() => setLimit(limit + childPage)}
            >
              Show {formatNumber(Math.min(childPage, entries.length - limit))} of {formatNumber(entries.length - limit)} more
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

export interface JsonViewProps {
  value: Json;
  /** Levels that start open; 0 shows one line. */
  openTo?: number;
  className?: string;
  /** Hides the copy button. */
  bare?: boolean;
}

/** JSON as a tree that stays small on the page: children and long strings come when they are asked for. */
export function JsonView({ value, openTo = 1, className, bare = false }: JsonViewProps) {
  return (
    <div className={cn('group relative min-w-0 font-mono text-xs leading-5', className)}>
      <Branch name={null} value={value} depth={0} openTo={openTo} />
      {bare ? null : (
        <div className="absolute top-0 right-0 rounded-md bg-surface opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100">
          <CopyButton text={() => JSON.stringify(value, null, 2)} label="Copy JSON" />
        </div>
      )}
    </div>
  );
}
