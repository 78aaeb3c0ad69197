'use client';

import { useMemo } from 'react';
import type { RunFeed } from '../state/live-connection';
import { formatDuration, formatNumber } from '../ui/format';
import { Markdown } from '../ui/markdown';
import { StatusDot } from '../ui/status';
import { useNow } from '../ui/use-now';
import { ToolUses } from './tool-uses';
import { looksStructured, turnOf } from './turn-view';

/** A turn while it runs: which node is at work, tools called so far, the text as it is written. */
export function LiveTurn({ feed, startedAt, waiting }: { feed: RunFeed; startedAt: number; waiting: boolean }) {
  const turn = useMemo(() => turnOf(feed.events, feed.texts), [feed]);
  const now = useNow(1000);
  const { writing } = turn;
  return (
    <div className="flex flex-col gap-2">
      <ToolUses uses={turn.tools} />
      {writing === null ? null : (
        <div className={writing.done ? 'opacity-70' : undefined}>
          <p className="mb-1 text-faint text-xs">{writing.label}</p>
          {looksStructured(writing.text) ? (
            <p className="font-mono text-muted text-xs">
              {writing.done ? 'Structured reply' : 'Writing a structured reply'}: {formatNumber(writing.text.length)} characters
            </p>
          ) : (
            <Markdown text={writing.text} streaming />
          )}
        </div>
      )}
      {waiting ? null : (
        <p role="status" className="flex items-center gap-1.5 text-muted text-xs">
          <StatusDot status="running" size={12} />
          <span className="min-w-0 truncate">{turn.activeLabel ?? (feed.events.length > 1 ? 'Between steps' : 'Starting')}</span>
          <span aria-hidden className="tabular text-faint">
            {formatDuration(now - startedAt)}
          </span>
        </p>
      )}
    </div>
  );
}
