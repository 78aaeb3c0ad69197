'use client';

import { ChevronRight, Wrench } from 'lucide-react';
import { useState } from 'react';
import { cn } from '../ui/cn';
import { formatCount, formatDuration } from '../ui/format';
import { JsonView } from '../ui/json-view';
import { StatusDot } from '../ui/status';
import type { ToolUse } from './turn-view';

const statusOf = { running: 'running', ok: 'done', denied: 'cancelled', failed: 'failed' } as const;
const word = { running: 'running', ok: 'done', denied: 'refused', failed: 'failed' } as const;

function ToolRow({ use }: { use: ToolUse }) {
  const [open, setOpen] = useState(false);
  return (
    <li className="border-line border-t first:border-t-0">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2 px-2 py-1 text-left hover:bg-hover focus-visible:outline-offset-[-2px]"
      >
        <ChevronRight aria-hidden size={12} className={cn('shrink-0 text-faint transition-transform', open && 'rotate-90')} />
        <StatusDot status={statusOf[use.status]} size={12} />
        <span className="font-mono text-xs">{use.tool}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-faint text-xs">{JSON.stringify(use.input)}</span>
        <span className="tabular shrink-0 text-faint text-xs">
          {use.durationMs === null ? word[use.status] : formatDuration(use.durationMs)}
        </span>
      </button>
      {open ? (
        <div className="grid gap-2 border-line border-t bg-sunken px-3 py-2">
          <p className="text-faint text-xs">Arguments</p>
          <JsonView value={use.input} />
          {use.message === null ? null : <p className={use.status === 'failed' ? 'text-fail' : 'text-warn'}>{use.message}</p>}
          {use.output === null ? null : (
            <>
              <p className="text-faint text-xs">Result</p>
              <JsonView value={use.output} />
            </>
          )}
        </div>
      ) : null}
    </li>
  );
}

/** The tool calls of a turn: one line until it is opened. */
export function ToolUses({ uses, openAtFirst = false }: { uses: readonly ToolUse[]; openAtFirst?: boolean }) {
  const [open, setOpen] = useState(openAtFirst);
  if (uses.length === 0) return null;
  const running = uses.some((use) => use.status === 'running');
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2 px-2 py-1 text-left text-muted hover:bg-hover focus-visible:outline-offset-[-2px]"
      >
        <Wrench aria-hidden size={12} />
        <span className="flex-1 text-xs">{formatCount(uses.length, 'tool call')}</span>
        {running ? <StatusDot status="running" size={12} /> : null}
        <ChevronRight aria-hidden size={12} className={cn('text-faint transition-transform', open && 'rotate-90')} />
      </button>
      {open ? (
        <ul className="border-line border-t">
          {uses.map((use) => (
            <ToolRow key={use.id} use={use} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}
