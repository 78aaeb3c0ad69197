'use client';

import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { layoutTasks, type PlacedTask, type TaskLayout } from '@/harness/trace/views/layers/task-layout';
import type { TaskReading } from '@/harness/trace/views/layers/tasks';
import { cn } from '../../ui/cn';
import { taskLook } from './task-words';

const [cardWidth, cardHeight, gapX, gapY, edge] = [176, 50, 44, 12, 12];
const left = (column: number): number => edge + column * (cardWidth + gapX);
const top = (row: number): number => edge + row * (cardHeight + gapY);

/** From the right side of one card to the left side of another; back round below where the other does not stand further right. */
function edgePath(from: PlacedTask, to: PlacedTask): string {
  const [x1, y1] = [left(from.column) + cardWidth, top(from.row) + cardHeight / 2];
  const [x2, y2] = [left(to.column), top(to.row) + cardHeight / 2];
  if (x2 > x1) {
    const bend = Math.max(18, (x2 - x1) / 2);
    return `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
  }
  const low = Math.max(y1, y2) + cardHeight / 2 + gapY / 2;
  return `M${x1},${y1}C${x1 + 26},${y1} ${x1 + 26},${low} ${(x1 + x2) / 2},${low}S${x2 - 26},${y2} ${x2},${y2}`;
}

/** The task an arrow key leads to: along the dependencies sideways, along the column up and down. */
function neighbour(layout: TaskLayout, current: PlacedTask, key: string): PlacedTask | undefined {
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const step = key === 'ArrowUp' ? -1 : 1;
    return layout.nodes.find((node) => node.column === current.column && node.row === current.row + step);
  }
  const id =
    key === 'ArrowLeft'
      ? layout.edges.find((found) => found.to === current.task.id)?.from
      : layout.edges.find((found) => found.from === current.task.id)?.to;
  const along = layout.nodes.find((node) => node.task.id === id);
  if (along !== undefined) return along;
  const step = key === 'ArrowLeft' ? -1 : 1;
  const column = layout.nodes.filter((node) => node.column === current.column + step);
  return column.sort((a, b) => Math.abs(a.row - current.row) - Math.abs(b.row - current.row))[0];
}

export interface TaskGraphProps {
  tasks: readonly TaskReading[];
  marks: ReadonlyMap<string, readonly string[]>;
  /** Tasks that are worked on at the moment. */
  selected: string | null;
  onSelect: (id: string) => void;
}

function TaskCard({
  node,
  marks,
  selected,
  tabbable,
  circular,
  onSelect,
}: {
  node: PlacedTask;
  marks: readonly string[];
  selected: boolean;
  tabbable: boolean;
  circular: boolean;
  onSelect: () => void;
}) {
  const { task } = node;
  const look = taskLook(task.status);
  const blocked = task.blockedBy === '' ? '' : `, blocked by ${task.blockedBy}`;
  return (
    <button
      type="button"
      data-task={task.id}
      tabIndex={tabbable ? 0 : -1}
      aria-pressed={selected}
      aria-label={[
        `${task.description || task.id}, ${look.label}${blocked}`,
        task.dependsOn.length > 0 ? `depends on ${task.dependsOn.join(', ')}` : '',
        ...marks,
      ]
        .filter(Boolean)
        .join(', ')}
      title={task.description}
      onClick={onSelect}
      className={cn(
        'absolute flex flex-col justify-center gap-0.5 overflow-hidden rounded-md border bg-surface px-2 text-left shadow-card',
        selected ? 'border-accent bg-accent-soft' : 'border-line hover:border-line-strong',
        task.status === 'BLOCKED' && 'border-dashed',
      )}
      style={{ left: left(node.column), top: top(node.row), width: cardWidth, height: cardHeight }}
    >
      <span className="flex w-full min-w-0 items-center gap-1.5">
        <look.icon aria-hidden size={13} className={cn('shrink-0', look.text)} />
        <span className="truncate font-medium text-xs">{task.description || task.id}</span>
      </span>
      <span className="flex w-full min-w-0 items-center gap-1.5 text-xs">
        <span className={cn('shrink-0', look.text)}>{look.label}</span>
        <span className="truncate text-faint">
          {[circular ? 'in a circle' : '', task.blockedBy === '' ? '' : `by ${task.blockedBy}`, ...marks, task.id]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    </button>
  );
}

/** The tasks as a drawing from left to right by what they depend on. Arrow keys walk along it. */
export function TaskGraph({ tasks, marks, selected, onSelect }: TaskGraphProps) {
  const layout = useMemo(() => layoutTasks(tasks), [tasks]);
  const scroller = useRef<HTMLDivElement>(null);
  const placed = useMemo(() => new Map(layout.nodes.map((node) => [node.task.id, node])), [layout]);
  const tabbable = selected !== null && placed.has(selected) ? selected : layout.nodes[0]?.task.id;
  const width = edge * 2 + layout.columns * cardWidth + Math.max(0, layout.columns - 1) * gapX;
  const height = edge * 2 + layout.rows * cardHeight + Math.max(0, layout.rows - 1) * gapY;

  useEffect(() => {
    if (selected === null) return;
    const card = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-task]') ?? [])].find((item) => item.dataset.task === selected);
    card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.key.startsWith('Arrow') || !(event.target instanceof HTMLElement)) return;
    const current = placed.get(event.target.dataset.task ?? '');
    if (current === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = neighbour(layout, current, event.key);
    if (next === undefined) return;
    onSelect(next.task.id);
    [...(scroller.current?.querySelectorAll<HTMLElement>('[data-task]') ?? [])]
      .find((item) => item.dataset.task === next.task.id)
      ?.focus({ preventScroll: true });
  };

  return (
    <div ref={scroller} className="dotted min-h-0 flex-1 overflow-auto">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing of tasks is a group of buttons, not a form's fieldset */}
      <div role="group" aria-label="Tasks and what they depend on" className="relative" style={{ width, height }} onKeyDown={onKeyDown}>
        <svg width={width} height={height} className="pointer-events-none absolute inset-0" aria-hidden>
          <defs>
            <marker id="task-arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto">
              <path d="M0,0L6,3L0,6Z" fill="var(--line-strong)" />
            </marker>
          </defs>
          {layout.edges.map(({ from, to }) => {
            const [source, target] = [placed.get(from), placed.get(to)];
            if (source === undefined || target === undefined) return null;
            const near = selected === from || selected === to;
            return (
              <path
                key={`${from}\u0000${to}`}
                d={edgePath(source, target)}
                fill="none"
                stroke={near ? 'var(--accent)' : 'var(--line-strong)'}
                strokeWidth={near ? 1.75 : 1.25}
                strokeDasharray={source.task.status === 'FAILED' ? '4 3' : undefined}
                opacity={selected === null || near ? 1 : 0.45}
                markerEnd="url(#task-arrow)"
              />
            );
          })}
        </svg>
        {layout.nodes.map((node) => (
          <TaskCard
            key={node.task.id}
            node={node}
            marks={marks.get(node.task.id) ?? []}
            selected={node.task.id === selected}
            tabbable={node.task.id === tabbable}
            circular={layout.circular.has(node.task.id)}
            onSelect={() => onSelect(node.task.id)}
          />
        ))}
      </div>
    </div>
  );
}
