'use client';

import { Drama, RotateCw, Trash2, Waypoints, Wrench } from 'lucide-react';
import Link from 'next/link';
import { useMemo, useState } from 'react';
import type { ChatEntry } from '@/server/api-types';
import { ReplyChanges } from '../changes/reply-changes';
import { useRunEvents } from '../state/live';
import { Badge } from '../ui/badge';
import { Button, buttonClass } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { formatCount, formatDuration, formatRunCost, formatTokens } from '../ui/format';
import { IconButton } from '../ui/icon-button';
import { Markdown } from '../ui/markdown';
import { Spinner } from '../ui/spinner';
import { StatusBadge } from '../ui/status';
import { AskCard } from './ask-card';
import { LiveTurn } from './live-turn';
import { ToolUses } from './tool-uses';
import { turnOf } from './turn-view';

/** The tool calls of a finished turn, read from its trace only when somebody asks. */
function PastTools({ runId }: { runId: string }) {
  const feed = useRunEvents(runId);
  const turn = useMemo(() => turnOf(feed.events, feed.texts), [feed]);
  if (feed.problem) return <p className="text-fail text-xs">{feed.problem}</p>;
  if (!feed.loaded) {
    return (
      <p className="flex items-center gap-1.5 text-muted text-xs">
        <Spinner size={12} /> Reading the trace
      </p>
    );
  }
  return <ToolUses uses={turn.tools} openAtFirst />;
}

function Live({ runId, entry }: { runId: string; entry: ChatEntry }) {
  const feed = useRunEvents(runId);
  return <LiveTurn feed={feed} startedAt={entry.at} waiting={entry.status === 'waiting'} />;
}

const endings: Partial<Record<ChatEntry['status'], string>> = {
  limit: 'The turn stopped at a limit.',
  cancelled: 'The turn was stopped.',
  interrupted: 'The server went away during this turn.',
  incomplete: 'No path reached the output.',
  failed: 'The turn failed.',
};

export interface AssistantMessageProps {
  entry: ChatEntry;
  onOpenTrace: ((runId: string) => void) | undefined;
  onAnswered: () => void;
  onRemove: () => void;
  /** Turns of one chat write into one folder: what it holds is shown under the last of them only. */
  showChanges: boolean;
  /** Takes an interrupted turn up again. */
  onResume: (runId: string) => void;
}

function Measures({ entry }: { entry: ChatEntry }) {
  const { usage } = entry;
  return (
    <span className="tabular flex flex-wrap pl-1.5 items-center gap-x-2 text-faint text-xs">
      {entry.latencyMs === undefined ? null : <span>{formatDuration(entry.latencyMs)}</span>}
      {usage ? (
        <>
          <span title="Tokens in and out">
            {formatTokens(usage.inputTokens)} in, {formatTokens(usage.outputTokens)} out
          </span>
          <span title="Cost in US dollars">{entry.rehearsal ? 'no cost' : `cost ${formatRunCost(usage)}`}</span>
        </>
      ) : null}
    </span>
  );
}

/** The reply of a run: live while it runs, then its text, its measures and the way to its trace. */
export function AssistantMessage({ entry, onOpenTrace, onAnswered, onRemove, onResume, showChanges }: AssistantMessageProps) {
  const [tools, setTools] = useState(false);
  const { runId, status } = entry;
  const live = status === 'running' || status === 'waiting';
  const ending = endings[status];
  const traceLabel = live ? 'Follow in the trace' : 'Why this answer';
  const toolCalls = entry.usage?.toolCalls ?? 0;
  return (
    <div className="group flex min-w-0 flex-col gap-2">
      {live && runId !== null ? <Live runId={runId} entry={entry} /> : null}
      {(entry.asks ?? []).map((ask) => (
        <AskCard key={ask.askId} ask={ask} onAnswered={onAnswered} />
      ))}
      {ending === undefined ? null : (
        <div className="flex flex-wrap items-center gap-2 rounded-md border border-line bg-surface px-3 py-2">
          <StatusBadge status={status} />
          <p className="min-w-0 flex-1 break-words">{entry.error?.message ?? ending}</p>
          {status === 'interrupted' && runId !== null ? (
            <Button size="sm" icon={<RotateCw size={14} />} onClick={() => onResume(runId)}>
              Resume
            </Button>
          ) : null}
        </div>
      )}
      {tools && runId !== null && !live ? <PastTools runId={runId} /> : null}
      {entry.text === '' ? null : <Markdown text={entry.text} />}
      {status === 'succeeded' && entry.text === '' ? <p className="text-muted">The run ended without a text to show.</p> : null}
      {showChanges && runId !== null ? <ReplyChanges runId={runId} /> : null}
      <div className="-ml-1.5 flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
        {runId === null ? null : onOpenTrace ? (
          <Button variant="ghost" size="sm" icon={<Waypoints size={14} />} className="px-1.5" onClick={() => onOpenTrace(runId)}>
            {traceLabel}
          </Button>
        ) : (
          <Link href={`/runs/${encodeURIComponent(runId)}`} className={`${buttonClass('ghost', 'sm')} px-1.5`}>
            <Waypoints aria-hidden size={14} />
            {traceLabel}
          </Link>
        )}
        {!live && toolCalls > 0 ? (
          <Button
            variant="ghost"
            size="sm"
            className="px-1.5"
            icon={<Wrench size={14} />}
            aria-expanded={tools}
            onClick={() => setTools(!tools)}
          >
            {formatCount(toolCalls, 'tool call')}
          </Button>
        ) : null}
        {live ? null : <Measures entry={entry} />}
        {entry.rehearsal ? (
          <Badge icon={<Drama aria-hidden size={12} />} title="Written by the built-in rehearsal model">
            Rehearsal
          </Badge>
        ) : null}
        {live ? null : (
          <span className="ml-auto flex opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100">
            {entry.text === '' ? null : <CopyButton text={() => entry.text} label="Copy reply" />}
            <IconButton label="Delete reply" icon={<Trash2 size={14} />} size="sm" tone="danger" onClick={onRemove} />
          </span>
        )}
      </div>
    </div>
  );
}
