'use client';

import { Brain, ChevronRight, Database, Hourglass, Repeat2, Wrench } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { rowsAround, runRowId, type SpanRow, spanRows } from '@/harness/trace/views/span-tree';
import { spanMs } from '@/harness/trace/views/spans';
import type { TraceIndex } from '@/harness/trace/views/trace-index';
import { cn } from '../ui/cn';
import { formatCost, formatDuration, formatTokens } from '../ui/format';
import { layerColor } from '../ui/layer-chip';
import { StatusDot } from '../ui/status';
import { type TraceSelection, useTraceView } from './trace-context';
import { VirtualList } from './virtual-list';

const selectionOf = (row: SpanRow): TraceSelection => {
  if (row.kind === 'run') return { kind: 'run' };
  if (row.kind === 'call') return { kind: 'call', visit: row.visit.id, seq: row.call.start.seq };
  return { kind: 'visit', visit: row.visit.id };
};

const isSelected = (row: SpanRow, selection: TraceSelection | null): boolean => {
  if (selection === null) return false;
  if (selection.kind === 'run') return row.kind === 'run';
  if (selection.kind === 'call') return row.kind === 'call' && row.call.start.seq === selection.seq;
  return row.kind === 'visit' && row.visit.id === selection.visit;
};

function wordsOf(row: SpanRow, index: TraceIndex): { title: string; detail: string; status: string } {
  switch (row.kind) {
    case 'run':
      return { title: index.run.start?.flowName ?? 'Run', detail: '', status: index.run.status };
    case 'visit': {
      const { visit } = row;
      return {
        title: visit.label,
        detail: [visit.type, visit.number > 1 ? `visit ${visit.number}` : '', visit.attempts > 1 ? `attempt ${visit.attempts}` : '']
          .filter(Boolean)
          .join(' · '),
        status: visit.status,
      };
    }
    case 'call': {
      const { call } = row;
      const tokens =
        call.kind === 'model' && call.end !== null
          ? `${formatTokens(call.inputTokens)} in, ${formatTokens(call.outputTokens)} out · ${formatCost(call.cost)}`
          : '';
      const marks = [
        call.rehearsal ? 'rehearsal' : '',
        call.replayed ? 'recorded answer' : '',
        call.retries > 0 ? `${call.retries} retries` : '',
      ];
      return {
        title: call.name,
        detail: [tokens, ...marks].filter(Boolean).join(' · '),
        status: call.status === 'denied' ? 'cancelled' : call.status,
      };
    }
    case 'wait':
      return {
        title: row.wait.label,
        detail: row.wait.kind === 'join' ? 'join' : row.wait.kind,
        status: row.wait.end === null ? 'waiting' : 'done',
      };
    case 'scope':
      return { title: `Body ${row.scope.index + 1}`, detail: '', status: row.scope.outcome === 'pending' ? 'queued' : row.scope.outcome };
  }
}

function KindIcon({ row }: { row: SpanRow }) {
  if (row.kind === 'call') {
    const Icon = row.call.kind === 'model' ? Brain : row.call.kind === 'tool' ? Wrench : Database;
    return <Icon aria-hidden size={13} className={cn('shrink-0', row.call.kind === 'model' ? 'text-running' : 'text-muted')} />;
  }
  if (row.kind === 'wait') return <Hourglass aria-hidden size={13} className="shrink-0 text-waiting" />;
  if (row.kind === 'scope') return <Repeat2 aria-hidden size={13} className="shrink-0 text-faint" />;
  const layer = row.kind === 'visit' ? row.visit.layer : 'flow';
  return <span aria-hidden className="h-3.5 w-[3px] shrink-0 rounded-full" style={{ background: layerColor(layer) }} />;
}

/** Where the span lies within the run, as a bar. */
function Waterfall({ row, index }: { row: SpanRow; index: TraceIndex }) {
  const start = index.run.start?.at ?? 0;
  const total = Math.max(1, index.now - start);
  const left = (Math.max(0, row.start.at - start) / total) * 100;
  const width = (spanMs(row, index.now) / total) * 100;
  const color =
    row.kind === 'wait'
      ? 'var(--waiting)'
      : row.kind === 'call' && row.call.kind === 'model'
        ? 'var(--running)'
        : layerColor(row.kind === 'visit' ? row.visit.layer : 'flow');
  return (
    <span aria-hidden className="relative hidden h-2 w-40 shrink-0 rounded-sm bg-hover @min-[1000px]:w-80 @min-[640px]:block">
      <span
        className="absolute inset-y-0 min-w-[2px] rounded-sm opacity-75"
        style={{ left: `${Math.min(left, 99)}%`, width: `${Math.min(width, 100 - Math.min(left, 99))}%`, background: color }}
      />
    </span>
  );
}

export function SpansTab() {
  const { index, at, following, selection, select, openVisit } = useTraceView();
  // Rows closed by hand; the run and what leads to the selection are open. Small runs start fully open.
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const openAll = index.visits.length <= 60;
  const rows = useMemo(() => spanRows(index, (id) => toggled.get(id) ?? (id === runRowId || openAll)), [index, toggled, openAll]);
  const selectedVisit = selection !== null && selection.kind !== 'run' ? selection.visit : null;
  useEffect(() => {
    if (selectedVisit === null) return;
    setToggled((before) => {
      const missing = rowsAround(index, selectedVisit).filter(
        (id) => before.get(id) === false || (!openAll && before.get(id) === undefined),
      );
      return missing.length === 0 ? before : new Map([...before, ...missing.map((id) => [id, true] as const)]);
    });
  }, [selectedVisit, index, openAll]);

  const isOpen = (row: SpanRow): boolean => toggled.get(row.id) ?? (row.id === runRowId || openAll);
  const toggle = (row: SpanRow): void => setToggled(new Map(toggled).set(row.id, !isOpen(row)));
  const active = rows.findIndex((row) => isSelected(row, selection));
  const choose = (row: SpanRow | undefined): void => {
    if (row === undefined) return;
    if (row.kind === 'visit') openVisit(row.visit.id);
    else select(selectionOf(row));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active];
    if (event.key === 'ArrowDown') choose(rows[Math.min(rows.length - 1, active + 1)]);
    else if (event.key === 'ArrowUp') choose(rows[Math.max(0, active - 1)]);
    else if (event.key === 'ArrowRight' && row !== undefined && row.children > 0 && !isOpen(row)) toggle(row);
    else if (event.key === 'ArrowLeft' && row !== undefined && row.children > 0 && isOpen(row)) toggle(row);
    else if (event.key === 'ArrowLeft' && row !== undefined) choose(rows.slice(0, active).findLast((other) => other.depth < row.depth));
    else return;
    event.preventDefault();
  };

  return (
    <VirtualList
      label="Spans"
      role="tree"
      items={rows}
      keyOf={(row) => row.id}
      estimate={28}
      active={active === -1 ? undefined : active}
      onKeyDown={onKeyDown}
      className="@container"
      render={(row, position) => {
        const words = wordsOf(row, index);
        const selected = position === active;
        const future = !following && row.start.seq > at;
        const duration =
          row.kind === 'visit'
            ? (row.visit.durationMs ?? spanMs(row, index.now))
            : row.kind === 'call'
              ? (row.call.durationMs ?? spanMs(row, index.now))
              : spanMs(row, index.now);
        return (
          <div
            role="treeitem"
            aria-level={row.depth + 1}
            aria-selected={selected}
            aria-expanded={row.children > 0 ? isOpen(row) : undefined}
            tabIndex={selected || (active === -1 && position === 0) ? 0 : -1}
            onClick={() => choose(row)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' || event.key === ' ') choose(row);
            }}
            className={cn(
              'flex h-7 cursor-default items-center gap-2 pr-3 text-xs',
              selected ? 'bg-accent-soft' : 'hover:bg-hover',
              future && 'opacity-45',
            )}
            style={{ paddingLeft: 8 + row.depth * 16 }}
          >
            {row.children > 0 ? (
              <button
                type="button"
                tabIndex={-1}
                aria-label={isOpen(row) ? 'Close' : 'Open'}
                onClick={(event) => {
                  event.stopPropagation();
                  toggle(row);
                }}
                className="flex size-4 shrink-0 items-center justify-center rounded-sm text-faint hover:bg-pressed"
              >
                <ChevronRight aria-hidden size={12} className={cn('transition-transform', isOpen(row) && 'rotate-90')} />
              </button>
            ) : (
              <span className="w-4 shrink-0" />
            )}
            <KindIcon row={row} />
            <span className={cn('truncate', row.kind === 'call' || row.kind === 'wait' ? 'text-muted' : 'text-ink')}>{words.title}</span>
            {words.status === 'done' || words.status === 'succeeded' ? null : <StatusDot status={words.status} size={12} />}
            <span className="min-w-0 flex-1 truncate text-faint">{words.detail}</span>
            <Waterfall row={row} index={index} />
            <span className="tabular w-16 shrink-0 text-right text-muted">{formatDuration(duration)}</span>
          </div>
        );
      }}
    />
  );
}
